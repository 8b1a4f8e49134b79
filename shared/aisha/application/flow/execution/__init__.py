"""The execution of a plan's steps: dry, for good, and undone when a later step fails."""
