"""A model that answers too much, too long or nonsense: the next one is asked, or what was shown is cut."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from aisha.adapters.llm.answer_limits import MAX_CALLS, TOO_MANY_CALLS, tokens_of
from aisha.adapters.llm.apis import provider_chat, streamed_chat
from aisha.adapters.llm.apis.streamed_chat import MAX_TEXT_BYTES, TOO_LONG
from aisha.adapters.llm.terms import ModelTerms, Price
from aisha.domain.errors import DeadlineExceededError, ModelUnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, TextChunk, Usage
from tests.fakes.models.model_server import Answer
from tests.support.chat_models import ANTHROPIC, OPENAI, Api, Asked
from tests.support.model_over_server import ModelOverServer

BY_HTTP = pytest.mark.parametrize("api", [OPENAI, ANTHROPIC], ids=lambda api: api.provider)


@contextmanager
def asked(
    api: Api, answer: Answer, *, seconds: float = 20.0, terms: ModelTerms | None = None, **fields: Any
) -> Iterator[Iterator[ModelEvent]]:
    """Yield the events of one answer."""
    with api.server(answer) as server:
        yield Asked(api, server, terms=terms).stream(seconds=seconds, **fields)


def _refused(reason: str) -> Any:
    return pytest.raises(ModelUnavailableError, match=reason)


def test_a_streamed_text_is_cut_at_its_limit_and_says_so(api: Api) -> None:
    with asked(api, Answer("x" * 100_000, characters=5_000)) as events:
        *texts, finished = events
    assert isinstance(finished, ModelFinished)
    assert sum(len(event.text) for event in texts if isinstance(event, TextChunk)) <= MAX_TEXT_BYTES
    assert finished.warnings == (f"{api.provider}'s answer was too long and was cut.",)
    assert finished.tool_calls == ()


@pytest.mark.parametrize("fields", [{"streamed": False}, {"json_mode": True}], ids=["whole", "JSON"])
def test_a_text_that_nobody_has_read_yet_is_left_to_the_next_model(api: Api, fields: dict[str, Any]) -> None:
    with asked(api, Answer("x" * 100_000, characters=5_000), **fields) as events, _refused(TOO_LONG):
        list(events)


def test_calls_are_counted_while_they_are_read(api: Api) -> None:
    calls = [(f"call_{number}", "search_leads", "{}") for number in range(2_000)]
    start = time.monotonic()
    with asked(api, Answer(calls=calls)) as events, pytest.raises(ModelUnavailableError, match=TOO_MANY_CALLS):
        list(events)
    assert time.monotonic() - start < 10
    with asked(api, Answer(calls=calls[:MAX_CALLS])) as events:
        *_, finished = events
    assert isinstance(finished, ModelFinished)
    assert len(finished.tool_calls) == MAX_CALLS


def test_arguments_have_a_limit_together(api: Api) -> None:
    calls = [(f"call_{number}", "add_note", json.dumps({"content": "x" * 300_000})) for number in range(4)]
    with asked(api, Answer(calls=calls, characters=100_000)) as events, _refused("its calls were too long"):
        list(events)


def test_an_answer_in_one_piece_is_not_held_beyond_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provider_chat, "MAX_JSON_BYTES", 10_000)
    with asked(OPENAI, Answer("x" * 20_000), streamed=False) as events, _refused(TOO_LONG):
        list(events)


@pytest.mark.parametrize(
    ("usage", "counted"),
    [((10**30, 10**30), (0, 0)), ((-5, -7), (0, 0)), ((1200, 60), (1200, 60))],
)
def test_usage_that_cannot_be_true_is_not_counted(api: Api, usage: Any, counted: tuple[int, int]) -> None:
    terms = ModelTerms(Price(1.0, 10.0))
    with asked(api, Answer("Hello.", usage=usage), terms=terms) as events:
        *_, finished = events
    assert isinstance(finished, ModelFinished)
    assert (finished.usage.input_tokens, finished.usage.output_tokens) == counted
    assert finished.usage == Usage(*counted, terms.price.cost(*counted) if terms.price else 0.0)


@pytest.mark.parametrize("value", ["many", None, True, [], float("nan"), float("inf"), -1])
def test_what_is_no_number_of_tokens_counts_nothing(value: Any) -> None:
    assert tokens_of(value) == 0


@pytest.mark.parametrize(
    "delta",
    [
        {"content": 7},
        {"content": ["Hello"]},
        {"tool_calls": [{"id": 7, "function": {"name": "a", "arguments": "{}"}}]},
        {"tool_calls": [{"id": "c", "function": {"name": ["a"], "arguments": "{}"}}]},
        {"tool_calls": [{"id": "c", "function": {"name": "a", "arguments": {"x": 1}}}]},
        {"tool_calls": [{"index": [1], "id": "c", "function": {"name": "a"}}]},
    ],
)
def test_an_answer_of_other_types_is_none(delta: dict[str, Any]) -> None:
    chunk = {"choices": [{"delta": delta, "finish_reason": "stop"}]}
    raw = b"data: %b\n\ndata: [DONE]\n\n" % json.dumps(chunk).encode()
    with asked(OPENAI, Answer(raw=raw)) as events, pytest.raises(ModelUnavailableError, match="not be understood"):
        list(events)


def test_an_endless_answer_ends_at_the_deadline_however_much_has_arrived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamed_chat, "MAX_TEXT_BYTES", 10**9)

    def read_slowly(events: Iterator[ModelEvent]) -> None:
        for _ in events:
            time.sleep(0.2)

    # What was sent while the reader lagged waits in buffers.
    with (
        asked(OPENAI, Answer("x" * 40_000, characters=10), seconds=1.0) as events,
        pytest.raises(DeadlineExceededError),
    ):
        read_slowly(events)


@contextmanager
def dripping(drip: Callable[[socket.socket], None]) -> Iterator[str]:
    """Yield the address of a server that takes a request and hands its connection to `drip`."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65_536)
                    try:
                        drip(connection)
                    except OSError:
                        continue

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"


OPENING = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def _piece(text: str, reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": reason}
    event = b"data: %b\n\n" % json.dumps({"choices": [choice]}).encode()
    return b"%x\r\n%b\r\n" % (len(event), event)


def _texts_of(*parts: bytes) -> list[str]:
    """Return the texts of an answer whose parts arrive one after the other."""

    def send(connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)
            time.sleep(0.05)

    with dripping(send) as url:
        events = ModelOverServer(OPENAI.connect(base_url=url)).stream(seconds=5.0)
        return [event.text for event in events if isinstance(event, TextChunk)]


def test_pieces_that_arrive_together_are_one_text() -> None:
    pieces = [_piece("He"), _piece("llo"), _piece(", Ann"), _piece(".", "stop")]
    assert _texts_of(OPENING + pieces[0] + pieces[1], pieces[2] + pieces[3] + b"0\r\n\r\n") == ["Hello", ", Ann."]


@pytest.mark.parametrize("cut", [1, 2, 3, 30, -3, -2, -1])
def test_text_is_whole_wherever_the_network_cuts_a_piece(cut: int) -> None:
    sent = OPENING + _piece("Hello") + _piece(", Ann")
    place = len(OPENING) + len(_piece("Hello")) + cut
    assert "".join(_texts_of(sent[:place], sent[place:], _piece(".", "stop") + b"0\r\n\r\n")) == "Hello, Ann."


@BY_HTTP
@pytest.mark.parametrize(
    ("beginning", "drop"),
    [
        (b"HTTP/1.1 200 OK\r\n", b"x-a: b\r\n"),
        (b"HTTP/1.1 500 Oh no\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n", b" "),
    ],
    ids=["headers", "the text of an error"],
)
def test_what_drips_before_the_answer_ends_while_there_is_time(api: Api, beginning: bytes, drop: bytes) -> None:
    def drip(connection: socket.socket) -> None:
        connection.sendall(beginning)
        for _ in range(200):
            connection.sendall(drop)
            time.sleep(0.05)

    with dripping(drip) as url:
        model = ModelOverServer(api.connect(base_url=url, sleep=lambda _: None))
        start = time.monotonic()
        with pytest.raises(ModelUnavailableError, match="it took too long"):
            list(model.stream(seconds=1.0))
        assert time.monotonic() - start < 3
