"""Brainlets, the small steps before and after a turn: registration, running, and their view of the turn."""
