"""Embeddings by Amazon Titan: botocore against a server that speaks the real protocol."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from aisha.adapters.embeddings.bedrock_embeddings import DIMENSIONS, MODEL, BedrockEmbedder
from aisha.bootstrap import Services
from aisha.domain.errors import UnavailableError
from aisha.settings import read_settings
from tests.fakes.models.bedrock_server import BedrockServer
from tests.fakes.models.model_server import Answer

VECTOR = [1.0] + [0.0] * (DIMENSIONS - 1)


@pytest.fixture(autouse=True)
def _role(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDLOCAL")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "local")


@contextmanager
def embedder(server: BedrockServer) -> Iterator[BedrockEmbedder]:
    model = BedrockEmbedder("eu-central-1", server.url)
    yield model
    model.close()


def numbered(body: dict[str, object]) -> Answer:
    """Return a vector whose last number is that in the text."""
    return Answer(json.dumps([*VECTOR[:-1], float(str(body["inputText"]))]), usage=(3, 0))


def test_each_text_gets_its_vector_and_all_tokens_are_counted() -> None:
    with BedrockServer(play=numbered) as server, embedder(server) as model:
        vectors, tokens = model.embed_counted([str(number) for number in range(20)])
    assert [vector[-1] for vector in vectors] == list(range(20))
    assert tokens == 60
    assert server.requests[0].keys() == {"model", "inputText", "dimensions", "normalize"}
    assert server.requests[0]["model"] == MODEL


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=429, headers={"x-amzn-ErrorType": "ThrottlingException"}),
        Answer("[1.0, 2.0]"),
        Answer('{"no": "vector"}'),
    ],
)
def test_what_is_no_vector_is_an_error_without_the_services_words(answer: Answer) -> None:
    with BedrockServer(answer) as server, embedder(server) as model, pytest.raises(UnavailableError) as raised:
        model.embed(["x"])
    assert "secret" not in str(raised.value)


def test_a_deployment_without_any_key_embeds_by_its_role_and_pays_the_libraries_price() -> None:
    services = Services(settings=read_settings({"AISHA_EMBEDDER": "bedrock", "BEDROCK_REGION": "eu-central-1"}))
    assert services.embedder is not None
    assert services.embedder.name == f"bedrock:{MODEL}"
    services.close()


def test_the_embedder_needs_its_region() -> None:
    with pytest.raises(ValueError, match="AISHA_EMBEDDER=bedrock needs BEDROCK_REGION"):
        read_settings({"AISHA_EMBEDDER": "bedrock"})
