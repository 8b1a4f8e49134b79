"""Embeddings within a tenant's budget: the worst case is reserved, and the provider's count settled."""

from collections.abc import Sequence
from itertools import batched
from typing import Protocol

from msgspec import Struct

from aisha.application.models.budget import USUAL_BYTES_PER_TOKEN, Budgets, Tariff, was_refused
from aisha.application.redaction.masking import without_numbers
from aisha.domain.errors import EmbeddingUnavailableError, UnavailableError
from aisha.domain.ports import Embedder

MAX_TEXTS = 64
"""Texts in one request of a client."""
MAX_TEXT_LENGTH = 8000


class PaidEmbedder(Embedder, Protocol):
    """An `Embedder` that charges by the token."""

    @property
    def max_texts(self) -> int:
        """Return the maximum texts of one request."""
        ...

    def embed_counted(self, texts: Sequence[str]) -> tuple[list[list[float]], int | None]:
        """Embed the texts by one request; return the vectors and the tokens read, None when they were not counted."""
        ...


class BudgetedEmbedder:
    """An `Embedder` that asks `embedder` only when the texts' maximum cost fits in the tenant's budget.

    As a chat model, it gets no card and social security numbers.
    """

    def __init__(self, embedder: PaidEmbedder, budgets: Budgets, tariff: Tariff, tenant: str | None = None) -> None:
        self._embedder, self._budgets, self._tariff, self._tenant = embedder, budgets, tariff, tenant
        self.name, self.dimensions, self.threshold = embedder.name, embedder.dimensions, embedder.threshold

    def of(self, tenant: str) -> "BudgetedEmbedder":
        """Return this embedder at a tenant's cost."""
        return BudgetedEmbedder(self._embedder, self._budgets, self._tariff, tenant)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors. Raises `BudgetError` and `BudgetExceededError` before the embedder is asked.

        Without a tenant the operator pays, e.g. for reindexing a whole store: no budget applies.
        """
        texts = [without_numbers(text) for text in texts]
        if self._tenant is None:
            return self._embedder.embed(texts)
        vectors: list[list[float]] = []
        for batch in batched(texts, self._embedder.max_texts):
            vectors += self._paid(self._tenant, batch)
        return vectors

    def _paid(self, tenant: str, texts: Sequence[str]) -> list[list[float]]:
        size = sum(len(text.encode()) for text in texts)
        reservation = self._budgets.reserve(tenant, self._tariff.cost(size, 0))  # No token is shorter than a byte.
        # An estimate, for a request that fails or whose tokens are not counted.
        tokens = -(-size // USUAL_BYTES_PER_TOKEN)
        try:
            vectors, counted = self._embedder.embed_counted(texts)
            tokens = tokens if counted is None else counted
        except UnavailableError as error:
            tokens = 0 if was_refused(error) else tokens
            raise
        finally:
            self._budgets.settle(reservation, self._tariff.cost(tokens, 0))
        return vectors


def at_cost_of(embedder: Embedder, tenant: str) -> Embedder:
    """Return `embedder` at a tenant's cost, if it costs anything."""
    return embedder.of(tenant) if isinstance(embedder, BudgetedEmbedder) else embedder


class Embedded(Struct, frozen=True):
    """A vector of `dimensions` numbers for each text, in order. Vectors of two models can't be compared."""

    vectors: Sequence[Sequence[float]]
    model: str
    dimensions: int


def embed_texts(tenant: str, texts: Sequence[str], embedder: Embedder | None) -> Embedded:
    """Return the texts' vectors, at the tenant's cost.

    Raises `EmbeddingUnavailableError` where no embedder is set up, `UnavailableError` when it does not answer, and
    `BudgetExceededError`.
    """
    if embedder is None:
        raise EmbeddingUnavailableError(
            "This deployment has no model that embeds texts.",
            suggestion="Set AISHA_EMBEDDER to openai (with OPENAI_API_KEY), bedrock (with BEDROCK_REGION) or minilm.",
        )
    return Embedded(at_cost_of(embedder, tenant).embed(texts), embedder.name, embedder.dimensions)
