"""An `Embedder` by OpenAI's embeddings, or another API that speaks their protocol."""

from collections.abc import Sequence

from pydantic_core import from_json

from aisha.adapters.auth.api_key import ApiKey, key_text
from aisha.adapters.http.provider_http import TRANSPORT_ERRORS, ProviderHttp, StatusError
from aisha.domain.errors import UnavailableError
from aisha.domain.json_values import compact_json

BASE_URL = "https://api.openai.com/v1"
MODEL, DIMENSIONS = "text-embedding-3-small", 1536
THRESHOLD = 0.75
"""The threshold that the requirement A-124 sets for this model."""
MAX_TEXTS = 128
"""Texts of one request: OpenAI allows 2048, but only 300,000 tokens, and a chunk has up to about 2,000."""
SECONDS = 10.0


class OpenAIEmbedder:
    """One model behind an OpenAI-compatible endpoint.

    Nothing is tried again: a turn can go on without recall, and the queue repeats what could not be remembered.
    """

    name = f"openai:{MODEL}"
    dimensions = DIMENSIONS
    threshold = THRESHOLD
    max_texts = MAX_TEXTS

    def __init__(self, api_key: ApiKey, base_url: str | None = None, seconds: float = SECONDS) -> None:
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity", "User-Agent": "AiSHA"}
        self._http = ProviderHttp(f"{(base_url or BASE_URL).rstrip('/')}/embeddings", headers)
        self._key, self._seconds = api_key, seconds

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length 1 for each text, in order. Raises `UnavailableError`."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), MAX_TEXTS):
            vectors += self.embed_counted(texts[start : start + MAX_TEXTS])[0]
        return vectors

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._http.close()

    def embed_counted(self, texts: Sequence[str]) -> tuple[list[list[float]], int | None]:
        """Embed at most `max_texts`; return the vectors and the tokens read, None when they were not counted."""
        body = compact_json({"input": list(texts), "model": MODEL}).encode()
        try:
            answer = from_json(
                b"".join(self._http.post(body, self._seconds, key_text(self._key)).arrivals()), allow_inf_nan=False
            )
            vectors = [item["embedding"] for item in sorted(answer["data"], key=lambda item: item["index"])]
            tokens = (answer.get("usage") or {}).get("prompt_tokens")
        except StatusError as error:
            detail = {"model": MODEL, "status": error.status}
            raise UnavailableError(
                "OpenAI made no vector of the text: it refused the request", detail=detail
            ) from error
        except TRANSPORT_ERRORS as error:
            raise UnavailableError("OpenAI made no vector of the text: the connection failed") from error
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise UnavailableError("OpenAI's vectors could not be read") from error
        if [len(vector) for vector in vectors] != [DIMENSIONS] * len(texts):
            raise UnavailableError(f"OpenAI did not answer with a vector of {DIMENSIONS} numbers for each text")
        return vectors, tokens
