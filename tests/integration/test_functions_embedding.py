"""Texts as vectors, in their order; and what is said where no model is set up for it."""

import json
from collections.abc import Sequence

import pytest

from aisha.domain.errors import UnavailableError
from tests.fakes.api_gateway import Answer, assert_problem, call
from tests.fakes.world import ALICE, World

URL = "/api/ai/embedding"


class LengthEmbedder:
    """An embedder whose vectors say how long the text was."""

    name, dimensions, threshold = "length-1", 2, 0.5

    def __init__(self) -> None:
        self.fails = False

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self.fails:
            raise UnavailableError("The embedder does not answer.")
        return [[float(len(text)), 0.5] for text in texts]


@pytest.fixture
def embedder(world: World) -> LengthEmbedder:
    made = LengthEmbedder()
    world.use(embedder=made)
    return made


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
def test_wrong_types_are_pointed_at(embedder: LengthEmbedder, body: object, pointer: str) -> None:
    assert_problem(post(body), 422, "invalid_input", pointer)


def test_where_nothing_is_set_up_it_says_what_to_set(world: World) -> None:
    world.use(embedder=None)
    body = assert_problem(post({"input": "abc"}), 501, "embedding_unavailable")
    assert "AISHA_EMBEDDER" in body["suggestion"]
    assert body["retryable"] is False


def test_an_embedder_that_does_not_answer(embedder: LengthEmbedder) -> None:
    embedder.fails = True
    assert_problem(post({"input": "abc"}), 503, "unavailable")


def test_nobody_comes_in_without_a_principal(embedder: LengthEmbedder) -> None:
    assert_problem(call("embedding", "POST", URL, None, '{"input": "abc"}'), 401, "unauthenticated")
