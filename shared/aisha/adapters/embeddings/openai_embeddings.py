"""An `Embedder` by OpenAI's embeddings, or another API that speaks their protocol."""

from collections.abc import Sequence

import openai

from aisha.adapters.auth.api_key import ApiKey
from aisha.domain.errors import UnavailableError

MODEL, DIMENSIONS = "text-embedding-3-small", 1536
THRESHOLD = 0.75
"""The threshold that the requirement A-124 sets for this model."""
MAX_TEXTS = 128
"""Texts of one request: OpenAI allows 2048, but only 300,000 tokens, and a chunk has up to about 2,000."""
SECONDS = 10.0


class OpenAIEmbedder:
    """One model behind an OpenAI-compatible endpoint.

    The SDK's retries are off: a turn can go on without recall, and the queue repeats what could not be remembered.
    """

    name = f"openai:{MODEL}"
    dimensions = DIMENSIONS
    threshold = THRESHOLD
    max_texts = MAX_TEXTS

    def __init__(self, api_key: ApiKey, base_url: str | None = None, seconds: float = SECONDS) -> None:
        self._client = openai.OpenAI(api_key=api_key, base_url=base_url, max_retries=0, timeout=seconds)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length 1 for each text, in order. Raises `UnavailableError`."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), MAX_TEXTS):
            vectors += self.embed_counted(texts[start : start + MAX_TEXTS])[0]
        return vectors

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._client.close()

    def embed_counted(self, texts: Sequence[str]) -> tuple[list[list[float]], int | None]:
        """Embed at most `max_texts`; return the vectors and the tokens read, None when they were not counted."""
        try:
            answer = self._client.embeddings.create(input=list(texts), model=MODEL)
            vectors = [list(item.embedding) for item in sorted(answer.data, key=lambda item: item.index)]
            tokens = answer.usage.prompt_tokens if answer.usage else None
        except openai.APIStatusError as error:
            detail = {"model": MODEL, "status": error.status_code}
            raise UnavailableError(
                "OpenAI made no vector of the text: it refused the request", detail=detail
            ) from error
        except openai.OpenAIError as error:
            raise UnavailableError("OpenAI made no vector of the text: the connection failed") from error
        except (ValueError, TypeError, AttributeError) as error:
            raise UnavailableError("OpenAI's vectors could not be read") from error
        if [len(vector) for vector in vectors] != [DIMENSIONS] * len(texts):
            raise UnavailableError(f"OpenAI did not answer with a vector of {DIMENSIONS} numbers for each text")
        return vectors, tokens
