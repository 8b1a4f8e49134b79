"""AiSHA: an AI executive assistant over any CRM. See README.md for the house, `domain/` for its words."""
