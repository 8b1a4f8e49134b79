"""Realtime voice: sessions and the tool calls made in them."""
