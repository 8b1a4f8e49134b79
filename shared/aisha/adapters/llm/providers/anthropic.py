"""Anthropic's models."""

from aisha.adapters.llm.provider import Access, ConnectedModel, Provider
from aisha.adapters.llm.terms import ModelTerms


def create(model: str, access: Access, terms: ModelTerms) -> ConnectedModel:
    from aisha.adapters.llm.apis.anthropic_chat import AnthropicChatModel

    return AnthropicChatModel(access.key, access.base_url, model, terms=terms)


PROVIDER = Provider("ANTHROPIC_API_KEY", create)
