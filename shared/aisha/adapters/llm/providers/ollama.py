"""Models of an Ollama server, which needs no key: OLLAMA_BASE_URL is its address."""

from urllib.parse import urlsplit

from aisha.adapters.llm.apis.openai_compatible import create_openai_compatible
from aisha.adapters.llm.provider import Access, ConnectedModel, Provider
from aisha.adapters.llm.terms import ModelTerms


def server_url(address: str) -> str:
    """Return the base of Ollama's OpenAI-compatible endpoints, for an address with or without their path."""
    address = address.rstrip("/")
    return address if urlsplit(address).path else f"{address}/v1"


def create(model: str, access: Access, terms: ModelTerms) -> ConnectedModel:
    # The OpenAI client does not start without a key.
    return create_openai_compatible("ollama", model, "ollama", server_url(access.key), terms)


PROVIDER = Provider("OLLAMA_BASE_URL", create, is_free=True)
