"""Stores in memory."""
