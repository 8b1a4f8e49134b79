"""Senders of email: one technology a file."""
