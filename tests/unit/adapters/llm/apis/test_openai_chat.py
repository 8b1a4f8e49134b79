"""The OpenAI adapter against a server that speaks the real protocol."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from aisha.adapters.http.server_sent import server_sent_data
from aisha.adapters.llm.apis.openai_chat import OpenAIChatModel
from aisha.adapters.llm.terms import ModelTerms, Price
from aisha.domain.errors import DeadlineExceededError, ModelUnavailableError
from aisha.domain.models import (
    ModelEvent,
    ModelFinished,
    ModelMessage,
    TextChunk,
    ToolCallRequest,
    Usage,
)
from aisha.domain.tools import ToolSpec
from tests.fakes.models.model_server import Answer, ModelServer
from tests.support.model_over_server import LONG, SEARCH, ModelOverServer

CALLS = [("call_1", "search_leads", '{"title": "Größe"}'), ("call_2", "search_leads", "{}")]


class Asked(ModelOverServer):
    """A model over a fake server; pauses between tries are remembered, not taken."""

    def __init__(self, server: ModelServer, **options: Any) -> None:
        self.server = server
        self.pauses: list[float] = []
        defaults: dict[str, Any] = {"api_key": "sk-test", "base_url": server.url, "model": "gpt-4o"}
        super().__init__(OpenAIChatModel(**defaults | options, sleep=self.pauses.append))


@pytest.fixture(autouse=True)
def _connections_are_closed() -> Iterator[None]:
    yield
    Asked.close_all()


def test_text_comes_first_and_then_the_end() -> None:
    with ModelServer(Answer(LONG, usage=(321, 12))) as server:
        *texts, finished = Asked(server).stream()
    assert "".join(event.text for event in texts if isinstance(event, TextChunk)) == LONG
    assert finished == ModelFinished("openai", "gpt-4o-2024-08-06", (), Usage(321, 12))


def test_the_first_words_are_there_before_the_rest_was_sent() -> None:
    with ModelServer(Answer(LONG, hang_after=3)) as server:
        events = Asked(server).stream()
        first = next(events)
        assert isinstance(first, TextChunk) and first.text and LONG.startswith(first.text)
        events.close()  # type: ignore[attr-defined]


def test_tool_calls_come_whole_and_only_at_the_end() -> None:
    with ModelServer(Answer(calls=CALLS, characters=1)) as server:
        events = list(Asked(server).stream(tools=(SEARCH,)))
    (finished,) = events
    assert isinstance(finished, ModelFinished)
    assert finished.tool_calls == tuple(ToolCallRequest(*call) for call in CALLS)


def test_broken_arguments_are_passed_on_as_they_are() -> None:
    with ModelServer(Answer(calls=[("call_1", "search_leads", '{"title": "Gr')])) as server:
        _, finished = Asked(server).answer()
    assert finished.tool_calls == (ToolCallRequest("call_1", "search_leads", '{"title": "Gr'),)


def test_a_compatible_server_that_does_not_stream_is_understood() -> None:
    def chunk(**delta: Any) -> bytes:
        return b"data:%b\r\n\r\n" % json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode()

    piece = {"function": {"name": "a", "arguments": "{}"}, "index": 0}
    raw = (
        b": keep-alive\n\nevent: message\n"
        + chunk(content="Hi")
        + chunk(tool_calls=[piece | {"id": "x"}])
        + chunk(tool_calls=[piece | {"id": "y"}])
        + b'data: {"choices":\ndata: [{"finish_reason": "stop", "delta": {}}]}\n\n'
    )
    with ModelServer(Answer(raw=raw)) as server:
        text, finished = Asked(server, provider="other").answer()
    assert text == "Hi"
    assert finished == ModelFinished(
        "other", "gpt-4o", (ToolCallRequest("x", "a", "{}"), ToolCallRequest("y", "a", "{}"))
    )


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_whole_however_the_bytes_are_cut(size: int) -> None:
    stream = ': ping\r\n\r\ndata: {"a": "ü"}\r\n\r\nid: 7\ndata:x\ndata: y\n\ndata: [DONE]\n\ndata: cut'.encode()
    pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
    events = [data for ended in server_sent_data(pieces) for data in ended]
    assert events == ['{"a": "ü"}'.encode(), b"x\ny", b"[DONE]"]


def test_what_is_sent_is_the_protocol() -> None:
    assistant = ModelMessage("assistant", "", (ToolCallRequest("call_1", "search_leads", "{broken"),))
    answered = ModelMessage("tool", '{"items":[]}', tool_call_id="call_1")
    with ModelServer(Answer("Hi")) as server:
        Asked(server).answer(ModelMessage("user", "Hé \ud83d"), assistant, answered, tools=(SEARCH,), temperature=0.2)
    (body,), (headers,) = server.requests, server.headers
    assert headers["authorization"] == "Bearer sk-test"
    function = {"name": "search_leads", "description": "Finds leads."}
    parameters = {"type": "object", "properties": {"title": {"type": "string"}}}
    call = {"id": "call_1", "type": "function", "function": {"name": "search_leads", "arguments": "{broken"}}
    assert body == {
        "model": "gpt-4o",
        "messages": [
            {"role": "user", "content": "Hé \ud83d"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "content": '{"items":[]}', "tool_call_id": "call_1"},
        ],
        "tools": [{"type": "function", "function": function | {"parameters": parameters}}],
        "temperature": 0.2,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_a_model_asked_for_by_name_is_asked_and_no_tools_means_none() -> None:
    with ModelServer(Answer("Hi")) as server:
        Asked(server).answer(model="gpt-4o-mini")
    assert server.requests[0]["model"] == "gpt-4o-mini"
    assert not {"tools", "temperature"} & server.requests[0].keys()


def test_a_changed_tool_of_the_same_name_is_sent_as_it_is_now() -> None:
    other = ToolSpec("search_leads", "Searches.", {"type": "object"}, {}, "leads")
    with ModelServer(Answer("Hi"), Answer("Hi")) as server:
        asked = Asked(server)
        asked.answer(tools=(SEARCH,))
        asked.answer(tools=(other,))
    assert [body["tools"][0]["function"]["description"] for body in server.requests] == ["Finds leads.", "Searches."]


def test_one_connection_serves_one_call_after_the_other() -> None:
    with ModelServer(Answer("One"), Answer(calls=CALLS), Answer("Three")) as server:
        asked = Asked(server)
        for _ in range(3):
            asked.answer()
    assert server.connections == 1


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, "it refused the request"),
        (401, "its key was refused"),
        (403, "its key may not use this model"),
        (404, "it does not know this model"),
        (429, "it limits our rate"),
        (500, "it is out of order"),
        (503, "it is out of order"),
    ],
)
def test_errors_say_what_happened_and_nothing_of_what_the_provider_wrote(status: int, reason: str) -> None:
    with ModelServer(*[Answer(status=status)] * 2) as server:
        asked = Asked(server)
        with pytest.raises(ModelUnavailableError) as raised:
            asked.answer()
    assert raised.value.message == f"openai did not answer: {reason}"
    assert raised.value.detail == {"provider": "openai", "model": "gpt-4o", "status": status}
    assert len(server.requests) == (2 if status == 429 or status >= 500 else 1)


@pytest.mark.parametrize("kind", [{"code": "context_length_exceeded"}, {"type": "exceed_context_size_error"}])
def test_a_prompt_that_does_not_fit_is_said_to_be_too_long(
    kind: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(Answer(status=400)) as server:
        monkeypatch.setattr(server, "error", lambda status: {"error": {"message": "secret", **kind}})
        with pytest.raises(ModelUnavailableError, match="did not answer: the request was too long for it"):
            Asked(server).answer()


def test_a_short_limit_is_waited_out_once() -> None:
    with ModelServer(Answer(status=429, headers={"Retry-After": "1"}), Answer("Hi")) as server:
        asked = Asked(server)
        assert asked.answer()[0] == "Hi"
    assert asked.pauses == [1.0]


@pytest.mark.parametrize(("after", "seconds"), [("30", 20.0), ("1", 1.5), ("Wed, 21 Oct 2026 07:28:00 GMT", 20.0)])
def test_a_limit_that_is_too_long_is_left_to_the_next(after: str, seconds: float) -> None:
    with ModelServer(Answer(status=429, headers={"Retry-After": after})) as server:
        asked = Asked(server)
        with pytest.raises(ModelUnavailableError):
            asked.answer(seconds=seconds)
    assert asked.pauses == []


def test_nobody_there_is_tried_again_and_then_said() -> None:
    with ModelServer() as server:
        asked = Asked(server)
    with pytest.raises(ModelUnavailableError, match="the connection failed"):
        asked.answer()
    assert len(asked.pauses) == 1


def test_silence_before_the_answer_ends_while_there_is_time_for_another() -> None:
    with ModelServer(Answer(hang_after=-1)) as server:
        deadline = time.monotonic() + 2
        with pytest.raises(ModelUnavailableError, match="it took too long"):
            Asked(server).answer(seconds=2)
        assert time.monotonic() < deadline


def test_silence_within_the_answer_is_an_error_after_the_text_that_came() -> None:
    with ModelServer(Answer(LONG, hang_after=4)) as server:
        events_before_error = list[ModelEvent]()
        with pytest.raises(ModelUnavailableError, match="it took too long"):
            events_before_error += Asked(server).stream(seconds=0.6)
    assert "".join(event.text for event in events_before_error if isinstance(event, TextChunk)) == LONG[:12]
    assert len(server.requests) == 1


def test_a_stream_that_drips_ends_at_the_deadline() -> None:
    with ModelServer(Answer("x" * 400, characters=1, pause=0.02)) as server:
        start = time.monotonic()
        with pytest.raises(DeadlineExceededError):
            Asked(server).answer(seconds=0.3)
    assert 0.2 < time.monotonic() - start < 5  # The whole would take 8 s.


@pytest.mark.parametrize("raw", [b": ping\n" * 400, b'data: {"choices": []}\n\n' * 400])
def test_bytes_that_never_become_text_end_while_there_is_time_for_another(raw: bytes) -> None:
    with ModelServer(Answer(raw=raw, pause=0.02, trickle=7)) as server:
        deadline = time.monotonic() + 2
        with pytest.raises(ModelUnavailableError, match="it took too long"):
            Asked(server).answer(seconds=2)
        assert time.monotonic() < deadline


def test_after_the_deadline_nothing_is_asked() -> None:
    with ModelServer() as server, pytest.raises(DeadlineExceededError):
        Asked(server).answer(seconds=-1.0)
    assert server.connections == 0


@pytest.mark.parametrize("pieces", [0, 1, 3, 9])
def test_a_stream_that_breaks_gives_no_end_and_no_calls(pieces: int) -> None:
    with ModelServer(Answer(calls=CALLS, cut_after=pieces)) as server:
        asked = Asked(server)
        with pytest.raises(ModelUnavailableError, match="the connection failed"):
            list(asked.stream())
    assert len(server.requests) == 1


def test_a_stream_that_ends_early_but_cleanly_is_cut_off_too() -> None:
    raw = b'data: {"choices":[{"index":0,"delta":{"content":"Hal"}}]}\n\ndata: [DONE]\n\n'
    with ModelServer(Answer(raw=raw)) as server:
        events = Asked(server).stream()
        assert next(events) == TextChunk("Hal")
        with pytest.raises(ModelUnavailableError, match="cut off"):
            next(events)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b'data: {"error": {"message": "secret overload"}}\n\n', "it reported an error"),
        (b"data: {not json}\n\n", "could not be understood"),
        (b'data: ["surprise"]\n\n', "could not be understood"),
        (b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n', "was empty"),
    ],
)
def test_an_answer_that_is_none_is_an_error(raw: bytes, reason: str) -> None:
    with ModelServer(Answer(raw=raw)) as server, pytest.raises(ModelUnavailableError, match=reason) as raised:
        list(Asked(server).stream())
    assert "secret" not in raised.value.message


def test_calls_cut_off_at_the_length_limit_are_not_run() -> None:
    with ModelServer(Answer(calls=CALLS, finish_reason="length")) as server:
        asked = Asked(server)
        with pytest.raises(ModelUnavailableError, match="at a limit"):
            asked.answer()


def test_text_cut_off_at_the_length_limit_is_still_an_answer() -> None:
    with ModelServer(Answer(LONG, finish_reason="length", usage=None)) as server:
        text, finished = Asked(server).answer()
    assert (text, finished.usage) == (LONG, Usage())


# --- what is particular to a model or a provider


def test_a_model_s_terms_are_kept() -> None:
    terms = ModelTerms(Price(2.0, 10.0, 0.2), takes_temperature=False, options={"reasoning_effort": "none"})
    with ModelServer(Answer("Hi", usage=(1_000_000, 100_000), cached=400_000)) as server:
        _, finished = Asked(server, terms=terms).answer(temperature=0.2)
    (body,) = server.requests
    assert body["reasoning_effort"] == "none"
    assert "temperature" not in body
    assert finished.warnings == ("gpt-4o-2024-08-06 takes no temperature; its own was used.",)
    assert finished.usage == Usage(1_000_000, 100_000, 2.28)


def test_what_the_provider_calls_the_request_is_kept() -> None:
    headers = {"x-request-id": "req_7"}
    with ModelServer(Answer("Hi", headers=headers), Answer(status=400, headers=headers)) as server:
        asked = Asked(server)
        assert asked.answer()[1].request_id == "req_7"
        with pytest.raises(ModelUnavailableError) as raised:
            asked.answer()
    assert raised.value.detail["request_id"] == "req_7"


def test_gemini_sees_its_signatures_again_and_one_for_calls_of_others() -> None:
    signed = {"google": {"thought_signature": "CiQB"}}
    with ModelServer(Answer(calls=CALLS[:1], extra=signed), Answer("Hi"), Answer("Hi")) as server:
        gemini, openai = Asked(server, provider="gemini"), Asked(server)
        _, finished = gemini.answer()
        assistant = ModelMessage(
            "assistant", "", (*finished.tool_calls, ToolCallRequest("call_2", "search_leads", "{}"))
        )
        gemini.answer(assistant)
        openai.answer(assistant)
    ours, theirs = ([call.get("extra_content") for call in body["messages"][0]["tool_calls"]]
                    for body in server.requests[1:])  # fmt: skip
    assert ours == [signed, {"google": {"thought_signature": "skip_thought_signature_validator"}}]
    assert theirs == [None, None]


# --- JSON


def test_json_comes_whole() -> None:
    with ModelServer(Answer('{"tools": ["search_leads"]}')) as server:
        events = list(Asked(server).stream(json_mode=True))
    assert events[0] == TextChunk('{"tools": ["search_leads"]}')
    assert len(events) == 2
    assert server.requests[0]["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize("text", ["Sure! Here it is.", '{"tools": [', '["a list"]'])
def test_what_is_no_json_object_is_no_answer(text: str) -> None:
    with ModelServer(Answer(text)) as server:
        events = Asked(server).stream(json_mode=True)
        with pytest.raises(ModelUnavailableError, match="was not a JSON object"):
            next(events)


def test_a_redirect_is_refused_so_that_no_key_or_prompt_goes_elsewhere() -> None:
    with (
        ModelServer(Answer("Hi")) as other,
        ModelServer(Answer(status=307, headers={"Location": other.url})) as server,
        pytest.raises(ModelUnavailableError, match="it refused the request"),
    ):
        Asked(server).answer()
    assert (len(server.requests), len(other.requests)) == (1, 0)
