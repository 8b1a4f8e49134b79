"""Idempotency keys, and the ids of operations."""
