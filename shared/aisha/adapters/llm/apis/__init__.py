"""The HTTP APIs of providers and their wire formats: OpenAI's and those like it, Anthropic's, and Bedrock's."""
