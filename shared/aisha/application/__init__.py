"""The use cases of the assistant. They know ports, no technology; each package stands above those that it imports."""
