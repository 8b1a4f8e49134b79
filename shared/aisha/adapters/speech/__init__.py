"""Text to speech: one provider a file."""
