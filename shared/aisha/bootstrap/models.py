"""The chat models, in the order of the models file, and the offline planner, which needs no key."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aisha.adapters.auth.api_key import ApiKey
    from aisha.adapters.llm.catalog import ModelCatalog
    from aisha.adapters.llm.chains import ProviderChains
    from aisha.application.models.failover import ChainEntry
    from aisha.application.models.selection import ModelChoice
    from aisha.bootstrap.services import Services
    from aisha.domain.language.encoded import Encoder
    from aisha.domain.ports import ChatModel
    from aisha.settings import Settings

MODELS = Path(__file__).parents[1] / "assets" / "models.toml"
CAPABILITIES = ("chat_tools", "chat_light", "json_strict", "router")
"""The capabilities of the models file that the chat model serves."""


def provider_key(name: str, services: Services) -> ApiKey | None:
    """Return a setting's value, or a function that reads it from the secret store; None if neither has it."""
    value: str | None = getattr(services.settings, name, None) or services.settings.variables.get(name.upper())
    if value or name not in services.settings.settings_in_secrets:
        return value
    from aisha.adapters.auth.api_key import stored_key

    return stored_key(name, lambda: services.secrets)


def catalog(services: Services) -> ModelCatalog:
    """Return the content of the models file. Raises ValueError if it is invalid."""
    file = services.settings.models_file
    return _catalog_in(Path(file) if file else MODELS)


@cache
def _catalog_in(file: Path) -> ModelCatalog:
    from aisha.adapters.llm.catalog import load_catalog

    return load_catalog(file)


def model_chains(services: Services) -> ProviderChains:
    """Return the chains of the models file, restricted to providers with a key. Raises ValueError like `catalog`."""
    from aisha.adapters.llm.chains import ProviderChains, configured

    settings = services.settings
    access = configured(lambda name: provider_key(name, services), settings.variables)
    chains = ProviderChains(services.catalog, access, services.clock, settings.openai_model)
    services.on_close(chains.close)
    return chains


def model_choices(services: Services, tenant: str) -> list[ModelChoice]:
    """Return the models that a chat request of the tenant can name, without importing an SDK."""
    from aisha.adapters.llm.planner.planner import OfflinePlanner
    from aisha.adapters.llm.provider import providers
    from aisha.application.models.selection import ModelChoice, TenantProviders, model_choices

    chains = services.model_chains
    defaults = chains.defaults()

    def choice(entry: ChainEntry) -> ModelChoice:
        return ModelChoice(entry.provider, entry.model, is_free=providers()[entry.provider].is_free)

    provider = TenantProviders(
        services.settings.tenant_providers, lambda: services.tenant_plans, reads_profiles=bool(defaults)
    )(tenant)
    fallback = ModelChoice(OfflinePlanner.provider, OfflinePlanner.model, is_free=True)
    listed = {name: choice(entry) for name, entry in defaults.items()}
    return model_choices([choice(entry) for entry in chains.chain("chat_tools")], listed, provider, fallback)


def message_encoder(settings: Settings) -> Encoder | None:
    """Return the reading of messages by the local sentence model if the deployment has it for its memory."""
    if settings.embedder != "minilm":
        return None
    from aisha.adapters.embeddings.message_encoder import MessageEncoder

    return MessageEncoder()


def chat_model(services: Services) -> ChatModel:
    """Return the configured models by capability; the offline planner answers chats if no model does.

    Raises ValueError like `Services.check_models`.
    """
    from aisha.adapters.llm.circuit_breaker import ModelCircuitBreaker
    from aisha.adapters.llm.planner.planner import OfflinePlanner
    from aisha.application.models.failover import ChainEntry
    from aisha.application.models.response_cache import ResponseCache
    from aisha.application.models.selection import ModelSelector, TenantProviders
    from aisha.application.models.wrapping import ModelWrapper
    from aisha.application.redaction.masking_model import MaskingChatModel
    from aisha.observability.models import ObservedModel

    settings = services.settings
    services.check_models()
    provider_chains, cache_seconds = services.model_chains, settings.response_cache_seconds
    wrapper = ModelWrapper(
        provider_chains.terms,
        lambda: services.budgets,
        ObservedModel,
        ResponseCache(cache_seconds) if cache_seconds else None,
    )
    # Last of every chain of chats: with it a turn is answered even if no provider responds.
    planner = OfflinePlanner
    chains = {name: [wrapper.wrap(entry) for entry in provider_chains.chain(name)] for name in CAPABILITIES}
    defaults = {provider: wrapper.wrap(entry) for provider, entry in provider_chains.defaults().items()}
    selector = ModelSelector(
        chains,
        ChainEntry(
            planner.provider,
            planner.model,
            cache(lambda: ObservedModel(planner(message_encoder(settings)), planner.provider, planner.model)),
        ),
        defaults,
        TenantProviders(settings.tenant_providers, lambda: services.tenant_plans, reads_profiles=bool(defaults)),
        ModelCircuitBreaker() if any(chains.values()) else None,
    )
    # Outermost: the response cache and every provider get masked messages only.
    return MaskingChatModel(selector, services.contact_masking)
