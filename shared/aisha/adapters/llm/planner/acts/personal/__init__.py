"""The user's reminders, memories and instructions, and the issues of a repository."""
