"""Renderers of turns, errors and streams: one file a form."""
