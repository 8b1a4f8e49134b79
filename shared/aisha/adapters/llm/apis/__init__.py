"""Clients of the providers' HTTP APIs: OpenAI's and those like it, and Anthropic's."""
