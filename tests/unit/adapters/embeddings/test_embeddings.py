"""Embedders: OpenAI's over HTTP, and the sentence model with its threshold of similarity."""

import base64
import json
import math
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from aisha.adapters.embeddings.minilm import MiniLMEmbedder
from aisha.adapters.embeddings.openai_embeddings import OpenAIEmbedder
from aisha.domain.errors import UnavailableError
from tests.fakes.systems.customer_api import CustomerApi, Reply, Request

pytestmark = pytest.mark.slow

CASES = Path(__file__).with_name("similar_cases.jsonl")


class Closing:
    """A factory of OpenAI embedders that are closed after the test."""

    def __init__(self) -> None:
        self.embedders: list[OpenAIEmbedder] = []

    def __call__(self, url: str, **options: Any) -> OpenAIEmbedder:
        self.embedders.append(OpenAIEmbedder("sk-test", f"{url}/v1", **options))
        return self.embedders[-1]


@pytest.fixture
def openai_at() -> Iterator[Closing]:
    factory = Closing()
    yield factory
    for embedder in factory.embedders:
        embedder.close()


def one_hot(place: int, size: int = 1536) -> list[float]:
    return [1.0 if number == place else 0.0 for number in range(size)]


def embeddings(request: Request, size: int = 1536) -> Reply:
    """Answer with vectors that encode the texts' lengths, in reverse order, packed when the client asks for that."""
    data: list[dict[str, Any]] = []
    for place, text in enumerate(_texts(request)):
        vector: Any = one_hot(len(text), size)
        if request.body.get("encoding_format") == "base64":
            vector = base64.b64encode(struct.pack(f"<{size}f", *vector)).decode()
        data.insert(0, {"object": "embedding", "index": place, "embedding": vector})
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return Reply({"object": "list", "data": data, "model": request.body["model"], "usage": usage})


def _texts(request: Request) -> list[str]:
    return list(request.body["input"])


def test_openai_gives_each_text_its_vector_however_many(openai_at: Closing) -> None:
    with CustomerApi(embeddings) as api:
        embedder = openai_at(api.url)
        vectors = embedder.embed(["x" * length for length in range(300)])
    assert vectors == [one_hot(length) for length in range(300)]
    assert (embedder.dimensions, embedder.threshold) == (1536, 0.75)
    assert [len(_texts(request)) for request in api.requests] == [128, 128, 44]
    assert {request.path for request in api.requests} == {"/v1/embeddings"}
    assert {request.body["model"] for request in api.requests} == {"text-embedding-3-small"}


def test_no_texts_make_no_request(openai_at: Closing) -> None:
    with CustomerApi(embeddings) as api:
        assert openai_at(api.url).embed([]) == []
    assert api.requests == []


@pytest.mark.parametrize("status", [401, 429, 500])
def test_a_refusal_by_openai_is_not_retried(openai_at: Closing, status: int) -> None:
    refusal = Reply({"error": {"message": "secret details"}}, status)
    with CustomerApi(refusal) as api, pytest.raises(UnavailableError) as caught:
        openai_at(api.url).embed(["text"])
    assert len(api.requests) == 1
    assert caught.value.detail == {"model": "text-embedding-3-small", "status": status}
    assert "secret" not in caught.value.message


@pytest.mark.parametrize("body", [{"data": []}, {}, "no JSON", {"data": [{"index": 0}]}, {"data": None}])
def test_an_invalid_answer_of_openai_is_an_error(openai_at: Closing, body: Any) -> None:
    with CustomerApi(Reply(body)) as api, pytest.raises(UnavailableError, match="OpenAI"):
        openai_at(api.url).embed(["text"])


def test_vectors_of_another_size_are_an_error(openai_at: Closing) -> None:
    with CustomerApi(lambda request: embeddings(request, 384)) as api, pytest.raises(UnavailableError, match="1536"):
        openai_at(api.url).embed(["text"])


def test_an_openai_that_does_not_answer_is_unavailable(openai_at: Closing) -> None:
    with CustomerApi(Reply(hangs=True)) as api, pytest.raises(UnavailableError, match="connection"):
        openai_at(api.url, seconds=0.1).embed(["text"])


@pytest.fixture(scope="module")
def minilm() -> MiniLMEmbedder:
    return MiniLMEmbedder()


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return math.sumprod(one, other)


def test_the_sentence_model_gives_its_published_results(minilm: MiniLMEmbedder) -> None:
    # From the model's card, which computes these two sentences with the authors' own code.
    published = [[0.0676569, 0.0634959, 0.0487131], [0.0864386, 0.1027626, 0.0053946]]
    vectors = minilm.embed(["This is an example sentence", "Each sentence is converted"])
    assert [vector[:3] for vector in vectors] == [pytest.approx(one, abs=2e-6) for one in published]
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1, 1], abs=1e-6)


def test_a_texts_vector_does_not_depend_on_its_neighbours(minilm: MiniLMEmbedder) -> None:
    texts = [f"Lead {number} " + "was called again " * (number % 7) for number in range(20)] + [
        "",
        "🎉",
        "word " * 2000,
    ]
    together = minilm.embed(texts)
    with ThreadPoolExecutor(4) as pool:
        alone = [vectors[0] for vectors in pool.map(minilm.embed, [[text] for text in texts])]
    assert [cosine(one, other) for one, other in zip(together, alone, strict=True)] == pytest.approx([1] * 23, abs=1e-5)
    assert minilm.embed([]) == []


def test_the_threshold_is_the_highest_of_the_most_accurate_cuts(minilm: MiniLMEmbedder) -> None:
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    pairs = [minilm.embed([case["one"], case["other"]]) for case in cases]
    judged = [(case["similar"], cosine(*pair)) for case, pair in zip(cases, pairs, strict=True)]

    def right(cut: float) -> int:
        return sum(similar == (score >= cut) for similar, score in judged)

    cuts = [cut / 100 for cut in range(101)]
    most = max(right(cut) for cut in cuts)
    assert max(cut for cut in cuts if right(cut) == most) == minilm.threshold
    assert sum(similar and score >= minilm.threshold for similar, score in judged) == 18
    assert sum(similar and score >= OpenAIEmbedder.threshold for similar, score in judged) == 1


def test_many_threads_that_embed_need_the_memory_of_one() -> None:
    program = (
        "from threading import Thread\n"
        "from aisha.adapters.embeddings.minilm import MiniLMEmbedder\n"
        "def megabytes():\n"
        "    return int(open('/proc/self/statm').read().split()[1]) * 4 // 1024\n"
        "embedder, texts = MiniLMEmbedder(), ['the quote for the new machines ' * 12] * 16\n"
        "embedder.embed(texts)\n"
        "before = megabytes()\n"
        "threads = [Thread(target=embedder.embed, args=(texts,)) for _ in range(8)]\n"
        "for thread in threads:\n"
        "    thread.start()\n"
        "for thread in threads:\n"
        "    thread.join()\n"
        "print(megabytes() - before)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": "shared"}, capture_output=True, text=True, check=True
    )
    assert int(process.stdout) < 40
