"""A real language model, small enough for any machine: the protocol is judged, not what it says."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aisha.adapters.llm.provider import Access
from aisha.adapters.llm.providers import ollama
from aisha.adapters.llm.terms import ModelTerms
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import ModelFinished, ModelMessage, TextChunk
from aisha.settings import read_settings
from infra.sam.emulator import free_port
from tests.fakes.aws.api_gateway import call, chat
from tests.fakes.world import ALICE, World
from tests.real.conftest import ROOT, script
from tests.support.model_over_server import SEARCH, ModelOverServer

SHORT = ModelMessage("user", "Count to ten.")
LONG = ModelMessage("user", "Write a long story about a ship and its crew.")
SECONDS = 100.0
"""For an answer on a machine that does other work, too."""


@contextmanager
def local_model(tokens: int = 1024) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start the model's server and yield its address and process."""
    home = Path(script("environment/tool_environment.sh", "local-model"))
    command = [f"{home}/bin/python", f"{ROOT}/infra/services/local_model.py", str(free_port()), str(tokens)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            address = next((line.strip() for line in process.stdout if line.startswith("http")), None)
            assert address is not None, "the model did not start"
            yield address, process
        finally:
            process.kill()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with local_model() as (address, _):
        yield address


def model_at(address: str) -> ModelOverServer:
    return ModelOverServer(ollama.create("smollm2", Access(address), ModelTerms()))


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    ModelOverServer.close_all()


def test_an_answer_is_streamed_piece_by_piece_with_its_usage(address: str) -> None:
    *pieces, finished = model_at(address).stream(SHORT, max_tokens=24, seconds=SECONDS)
    assert len(pieces) > 1
    assert all(isinstance(piece, TextChunk) for piece in pieces)
    assert isinstance(finished, ModelFinished)
    assert 1 < finished.usage.output_tokens <= 24
    assert finished.usage.input_tokens > 5


def test_tools_and_earlier_messages_are_taken(address: str) -> None:
    history = (ModelMessage("system", "Be brief."), SHORT, ModelMessage("assistant", "1, 2, 3"), SHORT)
    _, finished = model_at(address).answer(*history, tools=(SEARCH,), max_tokens=8, seconds=SECONDS)
    assert finished.usage.output_tokens <= 8


def test_a_prompt_that_is_longer_than_its_context_is_refused_at_once(address: str) -> None:
    with pytest.raises(ModelUnavailableError, match="too long"):
        model_at(address).answer(ModelMessage("user", "word " * 2000), seconds=SECONDS)


def test_a_server_that_is_killed_in_its_answer_has_given_none() -> None:
    with local_model() as (address, process):
        stream = model_at(address).stream(LONG, max_tokens=400, seconds=SECONDS)
        assert isinstance(next(stream), TextChunk)
        process.kill()
        with pytest.raises(ModelUnavailableError, match="the connection failed"):
            list(stream)


@pytest.fixture
def world(address: str) -> Iterator[World]:
    world = World()
    settings = read_settings({"OLLAMA_BASE_URL": address, "AISHA_TURN_SECONDS": str(SECONDS)})
    world.use(settings=settings)
    yield world
    world.close()


def test_a_single_turn_is_answered_by_it(world: World) -> None:
    answer = call("singleturn", "POST", "/api/ai/singleturn", ALICE, '{"prompt": "Say hello.", "maxTokens": 12}')
    assert (answer.status, answer.json["provider"], answer.json["degraded"]) == (200, "ollama", False)
    assert answer.json["response"]


def test_a_turn_that_does_not_fit_is_answered_by_the_next_of_the_chain(world: World) -> None:
    answer = chat({"message": "Show me my warm leads"}, ALICE)
    assert (answer.json["provider"], answer.json["degraded"]) == ("offline", True)
    assert "too long" in answer.json["warnings"][0]
