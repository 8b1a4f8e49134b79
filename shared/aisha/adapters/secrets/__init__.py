"""Where secrets are kept: one technology a file."""
