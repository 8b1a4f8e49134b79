"""Issue trackers, one technology a file."""
