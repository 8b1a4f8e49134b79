"""Messages to other people's addresses."""
