"""Vectors within a tenant's budget: reserved by the worst case, settled by what the provider counted."""

from collections.abc import Sequence
from itertools import batched
from typing import Protocol

from msgspec import Struct

from aisha.application.models.budget import USUAL_BYTES_PER_TOKEN, Budgets, Tariff, was_refused
from aisha.domain.errors import EmbeddingUnavailableError, UnavailableError
from aisha.domain.ports import Embedder

MAX_TEXTS = 64
"""In one request of a client."""
MAX_TEXT_LENGTH = 8000


class PaidEmbedder(Embedder, Protocol):
    """An embedder that charges by the token."""

    @property
    def most_texts(self) -> int:
        """In one request."""
        ...

    def embed_counted(self, texts: Sequence[str]) -> tuple[list[list[float]], int | None]:
        """As `embed` by one request, and how many tokens were read; None when nobody counted."""
        ...


class BudgetedEmbedder:
    """`embedder`, asked only when what the texts cost at most fits in the tenant's budget."""

    def __init__(self, embedder: PaidEmbedder, budgets: Budgets, tariff: Tariff, tenant: str | None = None) -> None:
        self._embedder, self._budgets, self._tariff, self._tenant = embedder, budgets, tariff, tenant
        self.name, self.dimensions, self.threshold = embedder.name, embedder.dimensions, embedder.threshold

    def of(self, tenant: str) -> "BudgetedEmbedder":
        """The same at a tenant's cost."""
        return BudgetedEmbedder(self._embedder, self._budgets, self._tariff, tenant)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """As `embedder`; raises `BudgetError` and `BudgetExceededError`, too, before it is asked.

        Without a tenant the operator pays, who makes a whole store's vectors anew: no budget is asked.
        """
        if self._tenant is None:
            return self._embedder.embed(texts)
        vectors: list[list[float]] = []
        for batch in batched(texts, self._embedder.most_texts):
            vectors += self._paid(self._tenant, batch)
        return vectors

    def _paid(self, tenant: str, texts: Sequence[str]) -> list[list[float]]:
        size = sum(len(text.encode()) for text in texts)
        reserved = self._budgets.reserve(tenant, self._tariff.cost(size, 0))  # No token is shorter than a byte.
        tokens = -(-size // USUAL_BYTES_PER_TOKEN)
        try:
            vectors, counted = self._embedder.embed_counted(texts)
            tokens = tokens if counted is None else counted
        except UnavailableError as error:
            tokens = 0 if was_refused(error) else tokens
            raise
        finally:
            self._budgets.settle(reserved, self._tariff.cost(tokens, 0))
        return vectors


def at_cost_of(embedder: Embedder, tenant: str) -> Embedder:
    """`embedder` at a tenant's cost, if it costs anything."""
    return embedder.of(tenant) if isinstance(embedder, BudgetedEmbedder) else embedder


class Embedded(Struct, frozen=True):
    """A vector of `dimensions` numbers for each text, in order. Vectors of two models can't be compared."""

    vectors: Sequence[Sequence[float]]
    model: str
    dimensions: int


def embed_texts(tenant: str, texts: Sequence[str], embedder: Embedder | None) -> Embedded:
    """The texts' vectors at the tenant's cost.

    Raises `EmbeddingUnavailableError` where no embedder is set up, `UnavailableError` when it does not answer, and
    `BudgetExceededError`.
    """
    if embedder is None:
        raise EmbeddingUnavailableError(
            "This deployment has no model that embeds texts.",
            suggestion="Set AISHA_EMBEDDER to openai, with OPENAI_API_KEY, or to minilm.",
        )
    return Embedded(at_cost_of(embedder, tenant).embed(texts), embedder.name, embedder.dimensions)
