"""The providers of language models that the assistant can ask."""

from typing import Literal

Provider = Literal["openai", "anthropic", "groq", "gemini", "ollama"]
PROVIDERS: tuple[Provider, ...] = ("openai", "anthropic", "groq", "gemini", "ollama")


def checked_provider(name: str) -> Provider:
    """The name. Raises ValueError for one that can't be asked."""
    for provider in PROVIDERS:
        if name == provider:
            return provider
    raise ValueError(f"Unsupported provider: {name}. Choose one of: {', '.join(PROVIDERS)}")
