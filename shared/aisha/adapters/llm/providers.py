"""Chains of the models that can be asked here, each made with its provider's SDK when it is first asked."""

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from aisha.adapters.auth.api_key import ApiKey
from aisha.adapters.llm.catalog import ModelCatalog, ModelRef
from aisha.adapters.llm.keyed_chat import KeyedChatModel, SdkModel
from aisha.adapters.llm.terms import ModelTerms
from aisha.application.models.failover import ChainEntry
from aisha.domain.ports import ChatModel, Clock
from aisha.domain.providers import Provider, checked_provider

if TYPE_CHECKING:
    from aisha.adapters.llm.sdk_chat import SdkChatModel

KEY_NAMES: dict[Provider, str] = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "groq": "GROQ_API_KEY",
    "gemini": "GEMINI_API_KEY",
    "ollama": "OLLAMA_BASE_URL",
}
FREE: tuple[Provider, ...] = ("ollama",)


class Access(Struct, frozen=True):
    """A provider's key and address; `base_url` None means that of the catalog, or else the provider's own."""

    api_key: ApiKey
    base_url: str | None = None


class ProviderChains:
    """The catalog's chains, without the providers that `access` has no key for.

    `first_openai` replaces OpenAI's models in the chain `chat_tools`.
    """

    def __init__(
        self,
        catalog: ModelCatalog,
        access: Mapping[Provider, Access],
        clock: Clock,
        first_openai: str | None = None,
    ) -> None:
        self._catalog, self._access, self._clock, self._first_openai = catalog, access, clock, first_openai
        self._entries: dict[tuple[Provider, str], ChainEntry] = {}
        self._models: list[KeyedChatModel] = []

    def chain(self, capability: str) -> list[ChainEntry]:
        """Return the capability's models that can be asked, in order."""
        refs = [ref for ref in self._catalog.chain(capability) if ref.provider in self._access]
        if capability == "chat_tools" and self._first_openai:
            named = ModelRef(provider="openai", model=self._first_openai)
            refs = [named if ref.provider == "openai" else ref for ref in refs]
        # Each model once: `first_openai` may have replaced several of OpenAI's.
        return list(dict.fromkeys(self._entry(ref) for ref in refs))

    def defaults(self) -> dict[str, ChainEntry]:
        """Return the default model of each provider that can be asked."""
        return {
            provider: self._entry(ModelRef(provider=provider, model=model))
            for provider, model in self._catalog.defaults.items()
            if provider in self._access
        }

    def terms(self, entry: ChainEntry) -> ModelTerms:
        """Return the catalog's terms of an entry's model. Raises ValueError for a paid one without a known price."""
        ref = ModelRef(provider=checked_provider(entry.provider), model=entry.model)
        return terms_of(self._catalog, ref, self._clock.now().date())

    def close(self) -> None:
        """Close the connections of the models that were asked."""
        while self._models:
            self._models.pop().close()

    def _entry(self, ref: ModelRef) -> ChainEntry:
        key = (ref.provider, ref.model)
        if key not in self._entries:
            # Made at its first request; kept, so that all chains share one client and its connections.
            self._entries[key] = ChainEntry(ref.provider, ref.model, cache(lambda: self._model(ref)))
        return self._entries[key]

    def _model(self, ref: ModelRef) -> ChatModel:
        access = self._access[ref.provider]
        base_url = access.base_url or self._catalog.base_urls.get(ref.provider)
        model_class = _model_class(ref.provider)

        def make(key: str) -> SdkModel:
            terms = self._catalog.terms(ref, self._clock.now().date())
            return model_class(key, base_url, ref.model, ref.provider, terms=terms)

        model = KeyedChatModel(ref.provider, access.api_key, make)
        self._models.append(model)
        return model


def _model_class(provider: Provider) -> "type[SdkChatModel]":
    # Each SDK takes some tenths of a second to import: a cold start waits only for that of the model that is asked.
    if provider == "anthropic":
        from aisha.adapters.llm.anthropic_chat import AnthropicChatModel  # noqa: PLC0415

        return AnthropicChatModel
    from aisha.adapters.llm.openai_chat import OpenAIChatModel  # noqa: PLC0415

    return OpenAIChatModel


def ollama_url(address: str) -> str:
    """Return the base of Ollama's OpenAI-compatible endpoints, for an address with or without their path."""
    address = address.rstrip("/")
    return address if urlsplit(address).path else f"{address}/v1"


def terms_of(catalog: ModelCatalog, ref: ModelRef, day: date) -> ModelTerms:
    """Return the catalog's terms of a model on a day. Raises ValueError for a paid one without a known price."""
    terms = catalog.terms(ref, day)
    if terms.price is None and ref.provider not in FREE:
        raise ValueError(
            f"Nobody knows what {ref.provider}:{ref.model} costs, and no budget could hold it. Give it a price in the "
            f'models file (AISHA_MODELS_FILE): [[models]] provider = "{ref.provider}" model = "{ref.model}" '
            "price = { input = 1.0, output = 5.0 }, in USD for a million tokens; 0 where it costs nothing"
        )
    return terms


def check_chains(chains: ProviderChains, capabilities: Iterable[str], tenant_providers: Mapping[str, str]) -> None:
    """Check the chains that are asked, without an SDK or a request.

    Raises ValueError for a paid model whose price is unknown, and as `check_tenants`.
    """
    check_tenants(tenant_providers, chains)
    for entry in (*chains.defaults().values(), *(entry for name in capabilities for entry in chains.chain(name))):
        chains.terms(entry)


def check_tenants(tenant_providers: Mapping[str, str], chains: ProviderChains) -> None:
    """Raise ValueError for a tenant whose provider can't be asked here."""
    available = chains.defaults().keys() | {entry.provider for entry in chains.chain("chat_tools")}
    for tenant, provider in tenant_providers.items():
        if provider not in available:
            raise ValueError(
                f"Tenant {tenant} is to be served by {provider}, which can't be asked here: set "
                f"{KEY_NAMES[checked_provider(provider)]}, and name a model of it in the models file."
            )
