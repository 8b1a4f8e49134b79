"""The real `ai` npm client, majors 5, 6 and 7, against the local gateway. Needs Node 20 or newer and npm."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from aisha.domain.errors import ModelUnavailableError
from infra.local.server.server import LocalServer
from tests.fakes.local import local_server, token, with_model
from tests.fakes.models.waiting_model import WaitingModel
from tests.support.npm_packages import npm_packages

pytestmark = pytest.mark.npm
MAJORS = ("5", "6", "7")
TIMEOUT_SECONDS = 60


@pytest.fixture(scope="module")
def packages() -> Path:
    """Return the folder with the three clients."""
    try:
        return npm_packages()
    except FileNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def server(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with local_server(tmp_path_factory.mktemp("npm")) as running:
        yield running


class Client:
    """The npm client as a program.

    It returns each sentence's answer as the client understood it, then the last one read without the client.
    """

    def __init__(self, packages: Path, server: LocalServer, major: str) -> None:
        self._packages, self._server, self._major = packages, server, major

    def say(self, chat_id: str, *sentences: str, user: str = "alice", history: str = "whole") -> list[dict[str, Any]]:
        # A conversation a major: what one client has read must not change another's turn.
        chat_id = f"{chat_id}-{self._major}"
        arguments = [self._major, self._server.url, token(self._server, user), chat_id, history]
        process = subprocess.run(
            ["node", "client.mjs", *arguments, *sentences],
            cwd=self._packages,
            check=False,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
        )
        assert process.returncode == 0, process.stderr
        return [json.loads(line) for line in process.stdout.splitlines()]


@pytest.fixture(params=MAJORS)
def client(packages: Path, server: LocalServer, request: pytest.FixtureRequest) -> Client:
    return Client(packages, server, request.param)


def test_it_shows_text_tools_and_data(client: Client) -> None:
    answer, raw = client.say("chat-1", "Tell me about Jack Russel")
    assert (answer["status"], answer["role"]) == ("ready", "assistant")
    assert "ABC Corp" in answer["text"]
    assert answer["textStates"] == ["done"]
    searched = next(tool for tool in answer["tools"] if tool["type"] == "tool-search_leads")
    assert searched["state"] == "output-available"
    assert searched["input"] == {"name_contains": "Jack Russel"}
    assert searched["output"]["items"][0]["company"] == "ABC Corp"
    assert answer["data"]["data-entities"][0]["name"] == "Jack Russel"
    assert 2 <= len(answer["data"]["data-followups"]) <= 4
    assert answer["data"]["data-usage"]["provider"] == "offline"
    assert answer["metadata"]["conversationId"].startswith("conv_")
    assert answer["metadata"]["status"] == "completed"
    assert answer["kinds"].count("step-start") >= 2  # at least one round of tool calls, then the reply
    assert raw["states"] > 5
    assert (raw["text"], raw["kinds"]) == (answer["text"], answer["kinds"])


def test_its_chat_is_one_conversation(client: Client) -> None:
    """Send the whole history, as is usual, and then the last message alone."""
    first, second, _ = client.say("chat-2", "Tell me about Jack Russel", "Are there any notes about him?")
    assert first["metadata"]["conversationId"] == second["metadata"]["conversationId"]
    assert "callback" in second["text"].lower()
    again, _ = client.say("chat-2", "What is his email?", history="trimmed")
    assert again["metadata"]["conversationId"] == first["metadata"]["conversationId"]
    assert "jack.russel@abccorp.example" in again["text"]


def test_a_chat_begins_with_the_messages_that_the_server_has(client: Client) -> None:
    first, second, _, resumed = client.say(
        "chat-6", "Tell me about Jack Russel", "What is his email?", history="history"
    )
    before = resumed["before"]
    assert [message["role"] for message in before] == ["user", "assistant"] * 2
    assert [message["text"] for message in before[1::2]] == [first["text"], second["text"]]
    assert [one["type"] for one in before[1]["tools"]] == [one["type"] for one in first["tools"]]
    assert {one["state"] for one in before[1]["tools"]} == {"output-available"}
    assert resumed["status"] == "ready"
    assert resumed["metadata"]["conversationId"] == first["metadata"]["conversationId"]


def test_what_waits_for_the_user_is_a_data_part_that_yes_answers(client: Client, server: LocalServer) -> None:
    question, answer, _ = client.say("chat-3", "Delete Jack Russel", "yes")
    confirmation = question["data"]["data-confirmation"]
    assert (confirmation["tool"], confirmation["isDestructive"]) == ("delete_lead", True)
    assert confirmation["question"] in question["text"]
    assert question["metadata"]["status"] == "needs_confirmation"
    assert next(tool["state"] for tool in question["tools"] if tool["type"] == "tool-delete_lead") == "input-available"
    assert [tool["state"] for tool in answer["tools"]] == ["output-available"]
    httpx.post(f"{server.url}/local/reset", trust_env=False).raise_for_status()


def test_a_refusal_reaches_the_user(client: Client) -> None:
    answer, raw = client.say("chat-4", "x" * 8001)
    assert answer["status"] == "error"
    assert "at most 8000 are read" in answer["error"]
    assert "at most 8000 are read" in raw["error"]


def test_a_turn_that_breaks_off_says_so_and_leaves_its_text(client: Client, server: LocalServer) -> None:
    model = WaitingModel("Let me see. ", error=ModelUnavailableError("No model answers."))
    model.resume.set()
    with with_model(server, model):
        answer, raw = client.say("chat-5", "hi")
    assert (answer["status"], answer["error"], answer["text"].strip()) == ("error", "No model answers.", "Let me see.")
    assert (raw["error"], raw["text"].strip()) == ("No model answers.", "Let me see.")
