"""Stored conversations: export and analytics."""
