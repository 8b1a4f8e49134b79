"""Create, change, convert and delete records."""
