"""What the assistant does, in verbs. Knows ports, no technology."""
