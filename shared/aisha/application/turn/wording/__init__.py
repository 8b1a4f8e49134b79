"""Calls and their outcomes in words that users read."""
