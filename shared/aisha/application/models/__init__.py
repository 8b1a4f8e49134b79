"""Calls of language models: selection, failover, budget, cache, embedding."""
