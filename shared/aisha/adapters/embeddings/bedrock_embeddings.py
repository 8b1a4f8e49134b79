"""An `Embedder` by Amazon Titan on Bedrock, with the AWS credentials of the function's role and no key.

Source: the guide to Titan Text Embeddings V2, whose request is one text of at most 8,192 tokens.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from aisha.domain.errors import UnavailableError
from aisha.domain.json_values import finite_json

MODEL, DIMENSIONS = "amazon.titan-embed-text-v2:0", 1024
THRESHOLD = 0.5
"""An estimate between the thresholds of MiniLM (0.42) and of OpenAI's model (0.75), not measured with this model.

tests/unit/adapters/embeddings/similar_cases.jsonl has the labelled pairs to measure it with.
"""
MAX_TEXTS = 32
CONCURRENCY = 8
SECONDS = 10.0


class BedrockEmbedder:
    """Titan Text Embeddings V2. A batch of texts is as many requests, some of them at a time."""

    name = f"bedrock:{MODEL}"
    dimensions = DIMENSIONS
    threshold = THRESHOLD
    max_texts = MAX_TEXTS

    def __init__(self, region: str, endpoint: str | None = None) -> None:
        # Tried once: a turn can go on without recall, and the queue repeats what could not be remembered.
        config = Config(
            connect_timeout=SECONDS,
            read_timeout=SECONDS,
            retries={"total_max_attempts": 1},
            max_pool_connections=CONCURRENCY,
        )
        session = boto3.session.Session()
        self._client = session.client("bedrock-runtime", region_name=region, endpoint_url=endpoint, config=config)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length 1 for each text, in order. Raises `UnavailableError`."""
        return self.embed_counted(texts)[0]

    def embed_counted(self, texts: Sequence[str]) -> tuple[list[list[float]], int | None]:
        """Embed the texts; return the vectors and the tokens read."""
        if not texts:
            return [], 0
        with ThreadPoolExecutor(min(CONCURRENCY, len(texts))) as pool:
            answers = list(pool.map(self._embed_one, texts))
        return [vector for vector, _ in answers], sum(tokens for _, tokens in answers)

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._client.close()

    def _embed_one(self, text: str) -> tuple[list[float], int]:
        body = json.dumps({"inputText": text, "dimensions": DIMENSIONS, "normalize": True})
        try:
            answer = self._client.invoke_model(modelId=MODEL, body=body, contentType="application/json")
            content = finite_json(answer["body"].read())
            vector, tokens = [float(number) for number in content["embedding"]], int(content["inputTextTokenCount"])
        except ClientError as error:
            detail = {"model": MODEL, "status": error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")}
            raise UnavailableError(
                "Bedrock made no vector of the text: it refused the request", detail=detail
            ) from error
        except BotoCoreError as error:
            raise UnavailableError("Bedrock made no vector of the text: the connection failed") from error
        except (ValueError, TypeError, KeyError) as error:
            raise UnavailableError("Bedrock's vectors could not be read") from error
        if len(vector) != DIMENSIONS:
            raise UnavailableError(f"Bedrock did not answer with a vector of {DIMENSIONS} numbers for each text")
        return vector, tokens
