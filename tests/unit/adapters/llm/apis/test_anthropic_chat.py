"""The Anthropic adapter against a server that speaks the real protocol."""

import json
from typing import Any

import pytest

from aisha.adapters.llm.terms import ModelTerms, Price
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import (
    ModelMessage,
    ToolCallRequest,
    Usage,
)
from aisha.domain.tools import ToolSpec
from tests.fakes.models.anthropic_server import AnthropicServer
from tests.fakes.models.model_server import Answer
from tests.support.chat_models import ANTHROPIC, Asked
from tests.support.model_over_server import SEARCH, USER

COUNT = ToolSpec("count_leads", "Counts leads.", {"type": "object"}, {}, "leads")
CALLS = [("toolu_1", "search_leads", '{"title": "Größe"}'), ("toolu_2", "search_leads", "{}")]


def test_what_is_sent_is_the_protocol() -> None:
    assistant = ModelMessage("assistant", "", (ToolCallRequest("call.1", "search_leads", '{"title": "x"}'),
                                          ToolCallRequest("call.2", "search_leads", "{broken")))  # fmt: skip
    results = [ModelMessage("tool", '{"items":[]}', tool_call_id=f"call.{number}") for number in (1, 2)]
    system = ModelMessage("system", "You are AiSHA.")
    with AnthropicServer(Answer("Hi")) as server:
        Asked(ANTHROPIC, server).answer(
            system, ModelMessage("user", "Hé \ud83d"), assistant, *results, tools=(SEARCH, COUNT)
        )
    (body,), (headers,) = server.requests, server.headers
    assert headers["authorization"] == "Bearer sk-ant-test"
    parameters = {"type": "object", "properties": {"title": {"type": "string"}}}
    assert body == {
        "model": "claude-sonnet-5-5",
        "max_tokens": 8192,
        "stream": True,
        "system": "You are AiSHA.",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Hé \ufffd"}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": "call_1", "name": "search_leads", "input": {"title": "x"}},
                    {"type": "tool_use", "id": "call_2", "name": "search_leads", "input": {"INVALID_JSON": "{broken"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "call_1", "content": '{"items":[]}'},
                    {"type": "tool_result", "tool_use_id": "call_2", "content": '{"items":[]}'},
                ],
            },
        ],
        "tools": [
            {"name": "search_leads", "description": "Finds leads.", "input_schema": parameters},
            {
                "name": "count_leads",
                "description": "Counts leads.",
                "input_schema": {"type": "object"},
                "cache_control": {"type": "ephemeral"},
            },
        ],
    }


def test_a_history_that_begins_with_the_assistant_or_has_nothing_to_say_is_put_right() -> None:
    messages = [
        ModelMessage("assistant", "Done."),
        ModelMessage("assistant", " \n"),
        ModelMessage("user", "Thanks"),
        USER,
    ]
    with AnthropicServer(Answer("Hi")) as server:
        Asked(ANTHROPIC, server).answer(*messages)
    (body,) = server.requests
    assert "system" not in body
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert [block["text"] for block in body["messages"][-1]["content"]] == ["Thanks", "Hello"]


def test_what_the_model_thought_goes_back_to_it_with_the_results_and_to_no_other() -> None:
    with AnthropicServer(Answer(thought="Hmm, leads.", calls=CALLS), Answer("Hi"), Answer("Hi")) as server:
        provider, other = Asked(ANTHROPIC, server), Asked(ANTHROPIC, server, model="claude-haiku-4-5")
        text, finished = provider.answer(tools=(SEARCH,))
        assistant = ModelMessage("assistant", text, finished.tool_calls)
        results = [ModelMessage("tool", "{}", tool_call_id=call.id) for call in finished.tool_calls]
        provider.answer(USER, assistant, *results)
        other.answer(USER, assistant, *results)
    mine, theirs = ([block["type"] for block in body["messages"][1]["content"]] for body in server.requests[1:])
    assert (text, mine, theirs) == ("", ["thinking", "tool_use", "tool_use"], ["tool_use", "tool_use"])
    thinking = server.requests[1]["messages"][1]["content"][0]
    assert (thinking["thinking"], bool(thinking["signature"])) == ("Hmm, leads.", True)


def test_a_model_s_terms_are_kept() -> None:
    options = {"thinking": {"type": "between_tools"}, "max_tokens": 100}
    terms = ModelTerms(Price(2.0, 10.0, 0.2, 2.5), options=options)
    with AnthropicServer(Answer("Hi", usage=(1_000_000, 100_000), cached=400_000)) as server:
        _, finished = Asked(ANTHROPIC, server, terms=terms).answer(temperature=0.2)
    (body,) = server.requests
    assert (body["thinking"], body["max_tokens"]) == ({"type": "between_tools"}, 100)
    assert "temperature" not in body
    assert finished.warnings == ("claude-sonnet-5-5 takes no temperature; its own was used.",)
    assert finished.usage == Usage(1_000_000, 100_000, 2.28)


# --- JSON


# --- faults


def event(**fields: Any) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (fields["type"].encode(), json.dumps(fields).encode())


OPENED = event(type="content_block_start", index=0, content_block={"type": "tool_use", "id": "t", "name": "a"})
PARTIAL = event(type="content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": '{"na'})
TEXT = event(type="content_block_start", index=0, content_block={"type": "text", "text": "Hal"})
STOPPED = event(type="message_delta", delta={"stop_reason": "tool_use"}) + event(type="message_stop")
FULL = event(type="message_delta", delta={"stop_reason": "max_tokens"}) + event(type="message_stop")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (event(type="error", error={"type": "overloaded_error", "message": "secret"}), "it reported an error"),
        (TEXT + event(type="error", error={"type": "api_error", "message": "secret"}), "it reported an error"),
        (b"data: {not json}\n\n", "could not be understood"),
        (b'data: ["surprise"]\n\n', "could not be understood"),
        (PARTIAL, "could not be understood"),
        (OPENED + PARTIAL + STOPPED, "was cut off"),
        (OPENED + event(type="content_block_stop", index=0), "was cut off"),
        (OPENED + event(type="content_block_stop", index=0) + FULL, "at a limit"),
        (event(type="message_delta", delta={"stop_reason": "refusal"}) + event(type="message_stop"), "it refused"),
        (event(type="message_delta", delta={"stop_reason": "end_turn"}) + event(type="message_stop"), "was empty"),
        (b"", "was cut off"),
    ],
)
def test_an_answer_that_is_none_is_an_error(raw: bytes, reason: str) -> None:
    answer = Answer(raw=raw, trickle=5)
    with AnthropicServer(answer) as server, pytest.raises(ModelUnavailableError, match=reason) as raised:
        list(Asked(ANTHROPIC, server).stream())
    assert "secret" not in raised.value.message


def test_events_of_another_time_are_passed_over() -> None:
    raw = event(type="future") + TEXT + event(type="content_block_delta", index=0, delta={"type": "citations_delta"})
    end = event(type="message_delta", delta={"stop_reason": "end_turn"}) + event(type="message_stop")
    with AnthropicServer(Answer(raw=raw + end)) as server:
        assert Asked(ANTHROPIC, server).answer()[0] == "Hal"
