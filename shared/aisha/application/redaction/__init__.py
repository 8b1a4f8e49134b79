"""Redaction for models, replies and logs: masking, ids, sensitive fields, summaries of calls."""
