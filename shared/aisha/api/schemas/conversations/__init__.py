"""Conversations, turns and how the user is answered."""
