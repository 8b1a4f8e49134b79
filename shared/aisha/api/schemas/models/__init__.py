"""Models without a turn of the chat, and clients of OpenAI's API."""
