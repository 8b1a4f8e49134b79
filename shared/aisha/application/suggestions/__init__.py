"""Suggestions of the sweep: storage, and the user's decisions on them."""
