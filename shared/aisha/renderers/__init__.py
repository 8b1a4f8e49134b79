"""Renderers of turns, errors and streams: one module for each form."""
