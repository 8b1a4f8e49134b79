"""The chat model that needs no key: see planner.py."""
