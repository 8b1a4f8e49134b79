"""Figures of records: how many and how much, which come first, and what is expected."""
