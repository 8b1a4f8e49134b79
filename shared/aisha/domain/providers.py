"""The providers of language models that the assistant can ask."""

from typing import Literal

Provider = Literal["openai", "anthropic", "groq", "gemini", "ollama"]
PROVIDERS: tuple[Provider, ...] = ("openai", "anthropic", "groq", "gemini", "ollama")

_NAMES = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "groq": "Groq",
    "gemini": "Google Gemini",
    "ollama": "Ollama",
    "offline": "Offline planner",
}


def provider_name(provider: str) -> str:
    """Return a provider's name for people."""
    return _NAMES.get(provider, provider)


def checked_provider(name: str) -> Provider:
    """Return the name. Raises `ValueError` for an unsupported provider."""
    for provider in PROVIDERS:
        if name == provider:
            return provider
    raise ValueError(f"Unsupported provider: {name}. Choose one of: {', '.join(PROVIDERS)}")
