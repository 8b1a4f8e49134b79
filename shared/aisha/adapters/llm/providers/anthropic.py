"""Anthropic's models."""

from aisha.adapters.llm.provider import Access, ConnectedModel, Provider
from aisha.adapters.llm.terms import ModelTerms

BASE_URL = "https://api.anthropic.com"


def create(model: str, access: Access, terms: ModelTerms) -> ConnectedModel:
    from aisha.adapters.llm.apis.anthropic_chat import AnthropicChatModel

    return AnthropicChatModel(access.key, access.base_url or BASE_URL, model, terms=terms)


PROVIDER = Provider("ANTHROPIC_API_KEY", create)
