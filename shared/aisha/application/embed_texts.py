"""Texts as vectors for a client's own search."""

from collections.abc import Sequence
from dataclasses import dataclass

from aisha.domain.errors import EmbeddingUnavailableError
from aisha.domain.ports import Embedder

MOST_TEXTS = 64
MOST_CHARACTERS = 8000


@dataclass(frozen=True, slots=True)
class Embedded:
    """A vector of `dimensions` numbers for each text, in order. Vectors of two models can't be compared."""

    vectors: Sequence[Sequence[float]]
    model: str
    dimensions: int


def embed_texts(texts: Sequence[str], embedder: Embedder | None) -> Embedded:
    """Raises `EmbeddingUnavailableError` where no embedder is set up, `UnavailableError` when it does not answer."""
    if embedder is None:
        raise EmbeddingUnavailableError(
            "This deployment has no model that embeds texts.",
            suggestion="Set AISHA_EMBEDDER to openai, with OPENAI_API_KEY, or to minilm.",
        )
    return Embedded(embedder.embed(texts), embedder.name, embedder.dimensions)
