"""Conversations, the events of a turn, and the modes of answering."""
