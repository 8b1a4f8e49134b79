"""The sections of the system prompt, a module each."""
