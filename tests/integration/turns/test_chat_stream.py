"""The chat's stream over a socket: incremental text, keep-alive, errors and disconnects."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from aisha.api import sse_feed
from aisha.api.turn_endpoint import wants_event_stream
from aisha.domain.conversations.conversation import Message
from aisha.domain.errors import ModelUnavailableError
from infra.local.server.server import LocalServer
from tests.fakes.local import token, with_model
from tests.fakes.models.waiting_model import MAX_WAIT_SECONDS, WaitingModel

pytestmark = pytest.mark.slow

CHAT = "/api/ai/chat"
STREAM = {"accept": "text/event-stream"}


@pytest.fixture
def http(server: LocalServer) -> Iterator[httpx.Client]:
    headers = {"authorization": f"Bearer {token(server)}"}
    with httpx.Client(base_url=server.url, timeout=30, trust_env=False, headers=headers) as client:
        yield client


class Reader:
    """A plain reader of Server-Sent Events."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.iter_lines()
        self.comments = 0

    def until(self, kind: str) -> list[dict[str, Any]]:
        """Return the parts up to the next one of this type."""
        parts: list[dict[str, Any]] = []
        for part in self:
            parts.append(part)
            if part["type"] == kind:
                return parts
        raise AssertionError(f"no {kind} in {parts}")

    def next_comment(self) -> None:
        for line in self._lines:
            if line.startswith(":"):
                return
        raise AssertionError("the stream ended without a comment")

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the parts up to `[DONE]`, after which the stream must end."""
        for line in self._lines:
            if line == "data: [DONE]":
                assert not "".join(self._lines)
                return
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))
        raise AssertionError("the stream broke off")


@contextmanager
def streaming(http: httpx.Client, message: str, **fields: Any) -> Iterator[Reader]:
    with http.stream("POST", CHAT, json={"message": message, **fields}, headers=STREAM) as response:
        yield Reader(response)


def stored(server: LocalServer, parts: list[dict[str, Any]]) -> list[Message]:
    conversation = parts[0]["messageMetadata"]["conversationId"]
    return server.services.conversations.messages("demo", "alice", conversation, 10, None)[0]


def text_of(parts: list[dict[str, Any]]) -> str:
    return "".join(part["delta"] for part in parts if part["type"] == "text-delta")


def test_headers_and_parts(http: httpx.Client) -> None:
    with streaming(http, "Tell me about Jack Russel") as reader:
        parts = list(reader)
    headers = reader.response.headers
    assert reader.response.status_code == 200
    assert headers["content-type"].startswith("text/event-stream")
    assert headers["x-vercel-ai-ui-message-stream"] == "v1"
    assert headers["cache-control"] == "no-store"
    assert headers["x-request-id"] == parts[0]["messageMetadata"]["requestId"]
    assert parts[0]["type"] == "start"
    assert parts[-1] == {
        "type": "finish",
        "messageMetadata": {"status": "completed", "warnings": [], "isReplaceable": True},
    }
    assert "ABC Corp" in text_of(parts)
    assert {part["toolName"] for part in parts if part["type"] == "tool-input-start"} >= {"search_leads"}


def test_a_stream_has_the_content_of_the_json_response(http: httpx.Client, server: LocalServer) -> None:
    question = {"message": "Show me my warm leads"}
    whole = http.post(CHAT, json=question).json()
    assert http.post(CHAT, json=question).headers["content-type"] == "application/json"
    with streaming(http, question["message"]) as reader:
        parts = list(reader)
    data = {part["type"]: part["data"] for part in parts if part["type"].startswith("data-")}
    assert text_of(parts).strip() == whole["response"]
    assert data["data-entities"] == whole["entities"]
    assert data["data-followups"] == whole["followUps"]
    assert data["data-usage"]["provider"] == whole["provider"]
    assert stored(server, parts)[-1].content == whole["response"]


def test_text_is_streamed_while_the_model_still_generates(http: httpx.Client, server: LocalServer) -> None:
    model = WaitingModel("Let me see. ", "Here it is.")
    with with_model(server, model), streaming(http, "hi") as reader:
        begun = reader.until("text-delta")
        assert text_of(begun).strip() == "Let me see."
        assert not stored(server, begun)[-1].finished
        model.resume.set()
        rest = list(reader)
    assert text_of(rest).strip() == "Here it is."
    assert stored(server, begun)[-1].content == "Let me see. Here it is."
    assert stored(server, begun)[-1].finished


def test_comments_keep_a_silent_stream_alive(
    http: httpx.Client, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sse_feed.KEEP_ALIVE_SECONDS <= 15
    monkeypatch.setattr(sse_feed, "KEEP_ALIVE_SECONDS", 0.05)
    model = WaitingModel("Let me see. ", "Here it is.")
    with with_model(server, model), streaming(http, "hi") as reader:
        reader.until("text-delta")
        reader.next_comment()
        reader.next_comment()
        model.resume.set()
        assert text_of(list(reader)).strip() == "Here it is."


def test_a_disconnected_client_ends_the_turn(http: httpx.Client, server: LocalServer) -> None:
    model = WaitingModel("Let me see. ", "Here it is. ", "And more.")
    is_left, finished = threading.Event(), threading.Event()
    cancel = sse_feed.SseFeed.cancel

    def cancel_and_signal(feed: sse_feed.SseFeed) -> None:
        cancel(feed)
        is_left.set()

    with with_model(server, model):
        conversations = server.services.turn_dependencies.conversations
        finish = conversations.finish

        def finish_and_signal(*arguments: Any) -> Any:
            try:
                return finish(*arguments)
            finally:
                finished.set()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(conversations, "finish", finish_and_signal)
            patch.setattr(sse_feed.SseFeed, "cancel", cancel_and_signal)
            with streaming(http, "hi") as reader:
                begun = reader.until("text-delta")
            assert is_left.wait(MAX_WAIT_SECONDS)
            model.resume.set()
            assert model.closed.wait(MAX_WAIT_SECONDS)
            assert finished.wait(MAX_WAIT_SECONDS)
    answer = stored(server, begun)[-1]
    assert (answer.content.startswith("Let me see."), answer.finished) == (True, False)
    assert "And more." not in answer.content


def test_an_error_in_the_stream_is_a_part_before_a_regular_end(http: httpx.Client, server: LocalServer) -> None:
    model = WaitingModel("Let me see. ", error=ModelUnavailableError("openai does not answer."))
    model.resume.set()
    with with_model(server, model), streaming(http, "hi") as reader:
        parts = list(reader)
    assert reader.response.status_code == 200
    assert [part["type"] for part in parts][-4:] == ["text-end", "error", "finish-step", "finish"]
    assert parts[-3]["errorText"] == "openai does not answer."
    assert parts[-1]["messageMetadata"]["error"]["code"] == "model_unavailable"
    assert stored(server, parts)[-1].content == "Let me see."


def test_an_unexpected_error_is_hidden_from_the_client(
    http: httpx.Client, server: LocalServer, caplog: pytest.LogCaptureFixture
) -> None:
    model = WaitingModel("Let me see. ", error=RuntimeError("password is hunter2"))
    model.resume.set()
    with with_model(server, model), streaming(http, "hi") as reader:
        parts = list(reader)
    assert "hunter2" not in json.dumps(parts)
    assert "hunter2" in caplog.text
    assert parts[-1]["messageMetadata"]["error"]["code"] == "internal_error"


def test_an_error_before_the_first_part_is_a_problem(http: httpx.Client) -> None:
    for content, status, code in (
        ({"message": ""}, 422, "invalid_input"),
        ({"message": "hi", "conversationId": "conv_01JD3Q9A7C5E3G1J9K7M5N3P1Q"}, 404, "not_found"),
    ):
        response = http.post(CHAT, json=content, headers=STREAM)
        assert (response.status_code, response.json()["code"]) == (status, code)
        assert response.headers["content-type"] == "application/problem+json"
    response = http.post(CHAT, json={"message": "hi"}, headers=STREAM | {"authorization": "Bearer x"})
    assert response.status_code == 401


def test_concurrent_streams_do_not_mix(http: httpx.Client, server: LocalServer) -> None:
    names = ("Jack Russel", "Jane Doe") * 4
    parts_by_place: dict[int, list[dict[str, Any]]] = {}

    def ask(place: int) -> None:
        own = httpx.Client(base_url=server.url, timeout=30, trust_env=False, headers=http.headers)
        with own, streaming(own, f"Tell me about {names[place]}") as reader:
            parts_by_place[place] = list(reader)

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(len(names))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({conversation_of(parts) for parts in parts_by_place.values()}) == len(names)
    for place, name in enumerate(names):
        assert name in text_of(parts_by_place[place])
        assert names[place - 1] not in text_of(parts_by_place[place])


# --- requests of the AI SDK


def ui_request(chat_id: str, *texts: str) -> dict[str, Any]:
    """Return a request of the AI SDK: a conversation of alternating roles whose last message is the user's."""
    roles = ["user" if (len(texts) - place) % 2 else "assistant" for place in range(len(texts))]
    messages = [
        {"id": f"m{place}", "role": role, "parts": [{"type": "step-start"}, {"type": "text", "text": text}]}
        for place, (role, text) in enumerate(zip(roles, texts, strict=True))
    ]
    return {"id": chat_id, "messages": messages, "trigger": "submit-message"}


def streamed_parts(http: httpx.Client, body: dict[str, Any], **headers: str) -> list[dict[str, Any]]:
    with http.stream("POST", CHAT, json=body, headers=headers) as response:
        assert response.headers["content-type"].startswith("text/event-stream"), response.read()
        return list(Reader(response))


def conversation_of(parts: list[dict[str, Any]]) -> str:
    conversation_id: str = parts[0]["messageMetadata"]["conversationId"]
    return conversation_id


def test_the_sdks_request_is_streamed_unless_it_accepts_only_json(http: httpx.Client) -> None:
    body = ui_request("chat-a", "Good morning")
    assert streamed_parts(http, body)[-1]["type"] == "finish"
    response = http.post(CHAT, json=ui_request("chat-b", "Good morning"), headers={"accept": "application/json"})
    assert response.json()["success"] is True


def test_a_clients_chat_id_identifies_a_conversation_of_the_user(http: httpx.Client, server: LocalServer) -> None:
    first = streamed_parts(http, ui_request("1", "Tell me about Jack Russel"))
    second = streamed_parts(
        http, ui_request("1", "Tell me about Jack Russel", "He is …", "Are there any notes about him?")
    )
    assert conversation_of(first) == conversation_of(second)
    assert "callback" in text_of(second).lower()
    assert [message.role for message in stored(server, second)] == ["user", "assistant"] * 2
    assert conversation_of(streamed_parts(http, ui_request("2", "Good morning"))) != conversation_of(first)
    for user, tenant in (("bob", "demo"), ("rita", "rival")):
        theirs = {"authorization": f"Bearer {token(server, user, tenant)}"}
        other = streamed_parts(http, ui_request("1", "Good morning"), **theirs)
        assert conversation_of(other) != conversation_of(first)
        derived = ui_request(conversation_of(first), "And now?")
        assert http.post(CHAT, json=derived, headers=theirs).status_code == 404


def test_a_conversation_id_of_a_response_continues_the_conversation(http: httpx.Client) -> None:
    begun = http.post(CHAT, json={"message": "Tell me about Jack Russel"}).json()["conversationId"]
    assert conversation_of(streamed_parts(http, ui_request(begun, "What is his email?"))) == begun


# --- Accept


@pytest.mark.parametrize(
    ("accept", "streams"),
    [
        ("", None),
        ("*/*", None),
        ("application/json", False),
        ("text/event-stream", True),
        ("Text/Event-Stream; charset=utf-8", True),
        ("application/json, text/event-stream", True),
        ("text/event-stream;q=0.5, application/json", False),
        ("text/event-stream;q=0", False),
        ("application/json;q=0.2, text/event-stream;q=0.3", True),
        ("text/event-stream;q=oops", False),
        (",;,", None),
    ],
)
def test_accept(accept: str, streams: bool | None) -> None:
    assert wants_event_stream(accept) is streams
