"""Suggestions of what to write next, for an input field."""
