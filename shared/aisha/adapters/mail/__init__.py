"""What sends email: one technology a file."""
