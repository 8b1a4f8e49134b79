"""The assistant's memory: chunks, ingestion, retrieval, evidence from similar cases."""
