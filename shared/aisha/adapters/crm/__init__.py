"""Connectors to other CRMs: a JSON file maps the CRM's API to AiSHA's records, without code."""
