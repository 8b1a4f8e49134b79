"""Stores of secrets: one technology a file."""
