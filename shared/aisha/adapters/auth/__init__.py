"""Tokens, principals and API keys."""
