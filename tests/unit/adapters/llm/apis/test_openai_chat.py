"""The OpenAI adapter against a server that speaks the real protocol."""

import json
import time
from typing import Any

import pytest

from aisha.adapters.http.server_sent import server_sent_data
from aisha.adapters.llm.terms import ModelTerms, Price
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import (
    ModelFinished,
    ModelMessage,
    TextChunk,
    ToolCallRequest,
    Usage,
)
from tests.fakes.models.model_server import Answer, ModelServer
from tests.support.chat_models import OPENAI, Asked
from tests.support.model_over_server import SEARCH

CALLS = [("call_1", "search_leads", '{"title": "Größe"}'), ("call_2", "search_leads", "{}")]


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
        text, finished = Asked(OPENAI, server, provider="other").answer()
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
        Asked(OPENAI, server).answer(
            ModelMessage("user", "Hé \ud83d"), assistant, answered, tools=(SEARCH,), temperature=0.2
        )
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
        Asked(OPENAI, server).answer(model="gpt-4o-mini")
    assert server.requests[0]["model"] == "gpt-4o-mini"
    assert not {"tools", "temperature"} & server.requests[0].keys()


@pytest.mark.parametrize("kind", [{"code": "context_length_exceeded"}, {"type": "exceed_context_size_error"}])
def test_a_prompt_that_does_not_fit_is_said_to_be_too_long(
    kind: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(Answer(status=400)) as server:
        monkeypatch.setattr(server, "error", lambda status: {"error": {"message": "secret", **kind}})
        with pytest.raises(ModelUnavailableError, match="did not answer: the request was too long for it"):
            Asked(OPENAI, server).answer()


@pytest.mark.parametrize("raw", [b": ping\n" * 400, b'data: {"choices": []}\n\n' * 400])
def test_bytes_that_never_become_text_end_while_there_is_time_for_another(raw: bytes) -> None:
    with ModelServer(Answer(raw=raw, pause=0.02, trickle=7)) as server:
        deadline = time.monotonic() + 2
        with pytest.raises(ModelUnavailableError, match="it took too long"):
            Asked(OPENAI, server).answer(seconds=2)
        assert time.monotonic() < deadline


def test_a_stream_that_ends_early_but_cleanly_is_cut_off_too() -> None:
    raw = b'data: {"choices":[{"index":0,"delta":{"content":"Hal"}}]}\n\ndata: [DONE]\n\n'
    with ModelServer(Answer(raw=raw)) as server:
        events = Asked(OPENAI, server).stream()
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
        list(Asked(OPENAI, server).stream())
    assert "secret" not in raised.value.message


# --- what is particular to a model or a provider


def test_a_model_s_terms_are_kept() -> None:
    terms = ModelTerms(Price(2.0, 10.0, 0.2), takes_temperature=False, options={"reasoning_effort": "none"})
    with ModelServer(Answer("Hi", usage=(1_000_000, 100_000), cached=400_000)) as server:
        _, finished = Asked(OPENAI, server, terms=terms).answer(temperature=0.2)
    (body,) = server.requests
    assert body["reasoning_effort"] == "none"
    assert "temperature" not in body
    assert finished.warnings == ("gpt-4o-2024-08-06 takes no temperature; its own was used.",)
    assert finished.usage == Usage(1_000_000, 100_000, 2.28)


def test_gemini_sees_its_signatures_again_and_one_for_calls_of_others() -> None:
    signed = {"google": {"thought_signature": "CiQB"}}
    with ModelServer(Answer(calls=CALLS[:1], extra=signed), Answer("Hi"), Answer("Hi")) as server:
        gemini, openai = Asked(OPENAI, server, provider="gemini"), Asked(OPENAI, server)
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


def test_a_redirect_is_refused_so_that_no_key_or_prompt_goes_elsewhere() -> None:
    with (
        ModelServer(Answer("Hi")) as other,
        ModelServer(Answer(status=307, headers={"Location": other.url})) as server,
        pytest.raises(ModelUnavailableError, match="it refused the request"),
    ):
        Asked(OPENAI, server).answer()
    assert (len(server.requests), len(other.requests)) == (1, 0)
