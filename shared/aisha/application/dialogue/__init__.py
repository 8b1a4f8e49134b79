"""The user's answers to questions: yes, no, and a choice from a list."""
