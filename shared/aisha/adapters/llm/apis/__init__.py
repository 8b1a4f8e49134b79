"""Clients of the providers' HTTP APIs, and their wire formats: OpenAI's and those like it, Anthropic's, and Bedrock's."""
