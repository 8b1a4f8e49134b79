"""Unit tests of the offline planner's language helpers."""
