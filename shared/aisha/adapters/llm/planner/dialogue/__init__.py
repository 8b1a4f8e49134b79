"""The dialogue: what a message means after those before it."""
