"""Stores of memory: OpenSearch, or a SQLite file on a laptop."""
