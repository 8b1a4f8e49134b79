"""Dates and times in words."""
