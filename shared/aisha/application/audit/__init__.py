"""The audit trail: entries of calls, their hash chain, and listing them."""
