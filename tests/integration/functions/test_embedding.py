"""The embedding endpoint: vectors in the order of the texts, and errors."""

import json
from collections.abc import Sequence

import pytest

from aisha.domain.errors import UnavailableError
from tests.fakes.aws.api_gateway import Answer, assert_problem, call
from tests.fakes.world import ALICE, World

URL = "/api/ai/embedding"


class LengthEmbedder:
    """An embedder whose vectors contain the length of the text."""

    name, dimensions, threshold = "length-1", 2, 0.5

    def __init__(self) -> None:
        self.fails = False

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self.fails:
            raise UnavailableError("The embedder does not answer.")
        return [[float(len(text)), 0.5] for text in texts]


@pytest.fixture
def embedder(world: World) -> LengthEmbedder:
    fake = LengthEmbedder()
    world.use(embedder=fake)
    return fake


def post(body: object) -> Answer:
    return call("embedding", "POST", URL, ALICE, json.dumps(body))


@pytest.mark.parametrize(
    ("body", "lengths"),
    [
        ({"input": "abc"}, [3]),
        ({"input": ["a", "abcd", "ab"]}, [1, 4, 2]),
        ({"text": "ab"}, [2]),
        ({"texts": ["ab", "a"], "colour": "red"}, [2, 1]),
        ({"input": ["x" * 8000] * 30}, [8000] * 30),
    ],
)
def test_a_vector_for_each_text(embedder: LengthEmbedder, body: object, lengths: list[int]) -> None:
    answer = post(body)
    assert answer.status == 200, answer.text
    assert answer.json == {
        "success": True,
        "embeddings": [[length, 0.5] for length in lengths],
        "model": "length-1",
        "dimensions": 2,
    }


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/input"),
        ({"input": []}, "/input"),
        ({"input": ""}, "/input/0"),
        ({"input": ["a", " "]}, "/input/1"),
        ({"input": ["a", 5]}, "/input/1"),
        ({"input": 5}, "/input"),
        ({"input": "x" * 8001}, "/input/0"),
        ({"input": ["x"] * 65}, "/input"),
    ],
)
def test_wrong_types_are_refused_with_a_pointer(embedder: LengthEmbedder, body: object, pointer: str) -> None:
    assert_problem(post(body), 422, "invalid_input", pointer)


def test_without_an_embedder_the_problem_names_the_setting(world: World) -> None:
    world.use(embedder=None)
    body = assert_problem(post({"input": "abc"}), 501, "embedding_unavailable")
    assert "AISHA_EMBEDDER" in body["suggestion"]
    assert body["retryable"] is False


def test_an_unavailable_embedder_is_a_problem(embedder: LengthEmbedder) -> None:
    embedder.fails = True
    assert_problem(post({"input": "abc"}), 503, "unavailable")


def test_a_request_without_a_principal_is_unauthenticated(embedder: LengthEmbedder) -> None:
    assert_problem(call("embedding", "POST", URL, None, '{"input": "abc"}'), 401, "unauthenticated")
