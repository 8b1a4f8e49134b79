"""Texts as vectors for a client's own search."""

from collections.abc import Sequence

from msgspec import Struct

from aisha.application.models.embedding import at_cost_of
from aisha.domain.errors import EmbeddingUnavailableError
from aisha.domain.ports import Embedder

MOST_TEXTS = 64
MOST_CHARACTERS = 8000


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
