"""Tracers of spans."""
