"""Memory: the embedder, the store, and the rebuild of the store's vectors."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from aisha.bootstrap.models import provider_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from opensearchpy import OpenSearch

    from aisha.application.models.embedding import PaidEmbedder
    from aisha.bootstrap.services import Services
    from aisha.domain.ports import Embedder, MemoryStore


def embedder(services: Services) -> Embedder | None:
    """Return the embedder of the settings; None without one. A paid one is limited by the tenants' budgets."""
    settings = services.settings
    if settings.embedder == "openai":
        from aisha.adapters.embeddings.openai_embeddings import MODEL, OpenAIEmbedder

        openai = OpenAIEmbedder(provider_key("openai_api_key", services) or "", settings.openai_base_url)
        services.on_close(openai.close)
        return _budgeted(openai, "openai", MODEL, services)
    if settings.embedder == "bedrock":
        from aisha.adapters.embeddings.bedrock_embeddings import MODEL as TITAN
        from aisha.adapters.embeddings.bedrock_embeddings import BedrockEmbedder

        titan = BedrockEmbedder(settings.variables["BEDROCK_REGION"], services.catalog.base_urls.get("bedrock"))
        services.on_close(titan.close)
        return _budgeted(titan, "bedrock", TITAN, services)
    if settings.embedder == "minilm":
        from aisha.adapters.embeddings.minilm import MiniLMEmbedder

        return MiniLMEmbedder()
    return None


def _budgeted(embedder: PaidEmbedder, provider: str, model: str, services: Services) -> Embedder:
    from aisha.adapters.llm.catalog import ModelRef
    from aisha.adapters.llm.chains import terms_of
    from aisha.application.models.embedding import BudgetedEmbedder

    day = services.clock.now().date()
    price = terms_of(services.catalog, ModelRef(provider=provider, model=model), day).price
    # A model without a price, such as one behind an own server, costs nothing.
    return embedder if price is None else BudgetedEmbedder(embedder, services.budgets, price)


def memory_store(services: Services) -> MemoryStore | None:
    """Return the memory store of the settings; None without one."""
    settings, model = services.settings, services.embedder
    if model is None:
        return None
    if settings.memory == "embedded":
        from aisha.adapters.memory.embedded import EmbeddedMemoryStore

        store = EmbeddedMemoryStore(settings.required("memory_folder"), model.name, model.dimensions)
        services.on_close(store.close)
        return store
    if settings.memory == "opensearch":
        from aisha.adapters.memory.opensearch import OpenSearchMemoryStore
        from aisha.adapters.memory.opensearch_index import MemoryIndex

        client = _connect(services)
        services.on_close(client.close)
        return OpenSearchMemoryStore(
            MemoryIndex(client, model.name, model.dimensions, service=settings.opensearch_service)
        )
    return None


def memory_rebuild(services: Services) -> Callable[[Embedder], int] | None:
    """Return a function that embeds all memories again and returns their number; None without memory."""
    settings = services.settings
    if settings.memory == "embedded":
        from aisha.adapters.memory.embedded import reembed

        return lambda model: reembed(settings.required("memory_folder"), model)
    if settings.memory == "opensearch":
        from aisha.adapters.memory.opensearch_index import reindex

        def rebuild(model: Embedder) -> int:
            with closing(_connect(services)) as client:
                return reindex(client, model, service=settings.opensearch_service)

        return rebuild
    return None


def _connect(services: Services) -> OpenSearch:
    from aisha.adapters.auth.api_key import key_text
    from aisha.adapters.memory.opensearch_client import connect

    settings = services.settings
    endpoint = key_text(provider_key("opensearch_endpoint", services) or "")
    return connect(endpoint, settings.opensearch_service, settings.region)
