"""Chains of the models that can be asked here, each made with its provider's SDK when it is first asked."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import cache

from msgspec import Struct, field

from aisha.adapters.auth.api_key import ApiKey
from aisha.adapters.llm.apis.keyed_chat import KeyedChatModel
from aisha.adapters.llm.catalog import ModelCatalog, ModelRef
from aisha.adapters.llm.provider import Access, ConnectedModel, checked_provider, providers
from aisha.adapters.llm.terms import ModelTerms
from aisha.application.models.failover import ChainEntry
from aisha.domain.ports import ChatModel, Clock

OWN_CHAINS = ("chat_tools", "chat_light")
"""The chains that end with the models that providers name themselves."""


class Configured(Struct, frozen=True):
    """A provider that is set up here: the value of its variable, and its other settings."""

    key: ApiKey
    settings: Mapping[str, str] = field(default_factory=dict)


def configured(read_key: Callable[[str], ApiKey | None], variables: Mapping[str, str]) -> dict[str, Configured]:
    """Return the providers whose variable is set. `read_key` reads a key, here or in the secret store, by its name.

    Raises ValueError for settings that a provider can't use.
    """
    configured_models: dict[str, Configured] = {}
    for name, provider in providers().items():
        key = read_key(provider.secret) if provider.secret else variables.get(provider.variable)
        if key:
            own = {variable: variables[variable] for variable in provider.settings if variables.get(variable)}
            if provider.check:
                provider.check(own)
            configured_models[name] = Configured(key, own)
    return configured_models


class ProviderChains:
    """The catalog's chains, without the providers that `access` has no key for.

    `first_openai` replaces OpenAI's models in the chain `chat_tools`.
    """

    def __init__(
        self,
        catalog: ModelCatalog,
        access: Mapping[str, Configured],
        clock: Clock,
        first_openai: str | None = None,
    ) -> None:
        self._catalog, self._access, self._clock, self._first_openai = catalog, access, clock, first_openai
        self._entries: dict[tuple[str, str], ChainEntry] = {}
        self._models: list[KeyedChatModel] = []

    def chain(self, capability: str) -> list[ChainEntry]:
        """Return the capability's models that can be asked, in order."""
        chain = self._catalog.chain(capability)
        if capability in OWN_CHAINS:
            chain += tuple(ModelRef(provider=name, model=model) for name, model in self._own_models().items())
        refs = [ref for ref in chain if ref.provider in self._access]
        if capability == "chat_tools" and self._first_openai:
            replacement = ModelRef(provider="openai", model=self._first_openai)
            refs = [replacement if ref.provider == "openai" else ref for ref in refs]
        # Each model once: `first_openai` may have replaced several of OpenAI's.
        return list(dict.fromkeys(self._entry(ref) for ref in refs))

    def defaults(self) -> dict[str, ChainEntry]:
        """Return the default model of each provider that can be asked."""
        return {
            provider: self._entry(ModelRef(provider=provider, model=model))
            for provider, model in (self._own_models() | self._catalog.defaults).items()
            if provider in self._access
        }

    def _own_models(self) -> dict[str, str]:
        """Return the models of the providers that the models file does not name."""
        in_file = {ref.provider for chain in self._catalog.capabilities.values() for ref in chain}
        return {
            name: provider.model for name, provider in providers().items() if provider.model and name not in in_file
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

        def make(key: str) -> ConnectedModel:
            terms = self._catalog.terms(ref, self._clock.now().date())
            provider_access = Access(key, self._catalog.base_urls.get(ref.provider), access.settings)
            return providers()[ref.provider].create(ref.model, provider_access, terms)

        model = KeyedChatModel(ref.provider, access.key, make)
        self._models.append(model)
        return model


def terms_of(catalog: ModelCatalog, ref: ModelRef, day: date) -> ModelTerms:
    """Return the catalog's terms of a model on a day. Raises ValueError for a paid one without a known price."""
    terms = catalog.terms(ref, day)
    if terms.price is None and not providers()[ref.provider].is_free:
        raise ValueError(
            f"The price of {ref.provider}:{ref.model} is unknown, and no budget could limit it. Give it a price in the "
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
        if checked_provider(provider) not in available:
            raise ValueError(
                f"Tenant {tenant} is to be served by {provider}, which can't be asked here: set "
                f"{providers()[provider].variable}, and name a model of it in the models file."
            )
