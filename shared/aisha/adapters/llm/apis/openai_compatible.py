"""Makes models of servers that speak OpenAI's protocol. The SDK is imported at the first model, not at start."""

from collections.abc import Callable

from aisha.adapters.llm.provider import Access, ConnectedModel
from aisha.adapters.llm.terms import ModelTerms


def openai_compatible(
    provider: str, url: str, address: str | None = None
) -> Callable[[str, Access, ModelTerms], ConnectedModel]:
    """Return a provider's `create`; `address` is the variable that may name another server than `url`."""

    def create(model: str, access: Access, terms: ModelTerms) -> ConnectedModel:
        base_url = access.settings.get(address or "") or access.base_url or url
        return create_openai_compatible(provider, model, access.key, base_url, terms)

    return create


def create_openai_compatible(provider: str, model: str, key: str, base_url: str, terms: ModelTerms) -> ConnectedModel:
    """Return a model at `base_url`."""
    from aisha.adapters.llm.apis.openai_chat import OpenAIChatModel

    return OpenAIChatModel(key, base_url, model, provider, terms=terms)
