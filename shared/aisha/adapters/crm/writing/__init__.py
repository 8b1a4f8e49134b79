"""Writes to a CRM: their steps, checks before them, and what is done when one fails."""
