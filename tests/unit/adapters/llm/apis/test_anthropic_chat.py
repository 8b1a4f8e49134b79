"""The Anthropic adapter against a server that speaks the real protocol."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from aisha.adapters.llm.apis.anthropic_chat import AnthropicChatModel
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
from tests.fakes.models.anthropic_server import AnthropicServer
from tests.fakes.models.model_server import Answer
from tests.support.model_over_server import LONG, SEARCH, USER, ModelOverServer

COUNT = ToolSpec("count_leads", "Counts leads.", {"type": "object"}, {}, "leads")
CALLS = [("toolu_1", "search_leads", '{"title": "Größe"}'), ("toolu_2", "search_leads", "{}")]


class Asked(ModelOverServer):
    """A model over a fake server; pauses between tries are remembered, not taken."""

    def __init__(self, server: AnthropicServer, **options: Any) -> None:
        self.pauses: list[float] = []
        defaults: dict[str, Any] = {"api_key": "sk-ant-test", "base_url": server.url, "model": "claude-sonnet-5-5"}
        super().__init__(AnthropicChatModel(**defaults | options, sleep=self.pauses.append))


@pytest.fixture(autouse=True)
def _connections_are_closed() -> Iterator[None]:
    yield
    Asked.close_all()


def test_text_comes_first_and_then_the_end() -> None:
    with AnthropicServer(Answer(LONG, usage=(321, 12), headers={"request-id": "req_011"})) as server:
        *texts, finished = Asked(server).stream()
    assert "".join(event.text for event in texts if isinstance(event, TextChunk)) == LONG
    assert finished == ModelFinished("anthropic", "claude-sonnet-5-5", (), Usage(321, 12), request_id="req_011")


def test_the_first_words_are_there_before_the_rest_was_sent() -> None:
    with AnthropicServer(Answer(LONG, hang_after=5)) as server:
        events = Asked(server).stream()
        first = next(events)
        assert isinstance(first, TextChunk) and first.text and LONG.startswith(first.text)
        events.close()  # type: ignore[attr-defined]


def test_parallel_calls_come_whole_and_only_at_the_end() -> None:
    with AnthropicServer(Answer("Let me look.", calls=CALLS, characters=1)) as server:
        text, finished = Asked(server).answer(tools=(SEARCH,))
    assert text == "Let me look."
    assert finished.tool_calls == tuple(ToolCallRequest(*call) for call in CALLS)


def test_a_call_without_arguments_has_none() -> None:
    with AnthropicServer(Answer(calls=[("toolu_1", "search_leads", "")])) as server:
        _, finished = Asked(server).answer()
    assert finished.tool_calls == (ToolCallRequest("toolu_1", "search_leads", "{}"),)


def test_broken_arguments_are_passed_on_as_they_are() -> None:
    with AnthropicServer(Answer(calls=[("toolu_1", "search_leads", '{"title": "Gr')])) as server:
        _, finished = Asked(server).answer()
    assert finished.tool_calls == (ToolCallRequest("toolu_1", "search_leads", '{"title": "Gr'),)


def test_what_is_sent_is_the_protocol() -> None:
    assistant = ModelMessage("assistant", "", (ToolCallRequest("call.1", "search_leads", '{"title": "x"}'),
                                          ToolCallRequest("call.2", "search_leads", "{broken")))  # fmt: skip
    results = [ModelMessage("tool", '{"items":[]}', tool_call_id=f"call.{number}") for number in (1, 2)]
    system = ModelMessage("system", "You are AiSHA.")
    with AnthropicServer(Answer("Hi")) as server:
        Asked(server).answer(system, ModelMessage("user", "Hé \ud83d"), assistant, *results, tools=(SEARCH, COUNT))
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
        Asked(server).answer(*messages)
    (body,) = server.requests
    assert "system" not in body
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert [block["text"] for block in body["messages"][-1]["content"]] == ["Thanks", "Hello"]


def test_a_changed_tool_of_the_same_name_is_sent_as_it_is_now() -> None:
    other = ToolSpec("search_leads", "Searches.", {"type": "object"}, {}, "leads")
    with AnthropicServer(Answer("Hi"), Answer("Hi")) as server:
        asked = Asked(server)
        asked.answer(tools=(SEARCH,))
        asked.answer(tools=(other,))
    assert [body["tools"][0]["description"] for body in server.requests] == ["Finds leads.", "Searches."]


def test_what_the_model_thought_goes_back_to_it_with_the_results_and_to_no_other() -> None:
    with AnthropicServer(Answer(thought="Hmm, leads.", calls=CALLS), Answer("Hi"), Answer("Hi")) as server:
        asked, other = Asked(server), Asked(server, model="claude-haiku-4-5")
        text, finished = asked.answer(tools=(SEARCH,))
        assistant = ModelMessage("assistant", text, finished.tool_calls)
        results = [ModelMessage("tool", "{}", tool_call_id=call.id) for call in finished.tool_calls]
        asked.answer(USER, assistant, *results)
        other.answer(USER, assistant, *results)
    mine, theirs = ([block["type"] for block in body["messages"][1]["content"]] for body in server.requests[1:])
    assert (text, mine, theirs) == ("", ["thinking", "tool_use", "tool_use"], ["tool_use", "tool_use"])
    thinking = server.requests[1]["messages"][1]["content"][0]
    assert (thinking["thinking"], bool(thinking["signature"])) == ("Hmm, leads.", True)


def test_a_model_s_terms_are_kept() -> None:
    options = {"thinking": {"type": "between_tools"}, "max_tokens": 100}
    terms = ModelTerms(Price(2.0, 10.0, 0.2, 2.5), options=options)
    with AnthropicServer(Answer("Hi", usage=(1_000_000, 100_000), cached=400_000)) as server:
        _, finished = Asked(server, terms=terms).answer(temperature=0.2)
    (body,) = server.requests
    assert (body["thinking"], body["max_tokens"]) == ({"type": "between_tools"}, 100)
    assert "temperature" not in body
    assert finished.warnings == ("claude-sonnet-5-5 takes no temperature; its own was used.",)
    assert finished.usage == Usage(1_000_000, 100_000, 2.28)


# --- JSON


def test_json_comes_whole_and_without_its_fence() -> None:
    with AnthropicServer(Answer('```json\n{"tools": ["search_leads"]}\n```')) as server:
        events = list(Asked(server).stream(ModelMessage("system", "Choose."), USER, json_mode=True))
    assert events[0] == TextChunk('{"tools": ["search_leads"]}')
    assert len(events) == 2
    assert server.requests[0]["system"].startswith("Choose.\n\nAnswer with one JSON object")


@pytest.mark.parametrize("text", ["Sure! Here it is.", '{"tools": [', '["a list"]'])
def test_what_is_no_json_object_is_no_answer(text: str) -> None:
    with AnthropicServer(Answer(text)) as server:
        events = Asked(server).stream(json_mode=True)
        with pytest.raises(ModelUnavailableError, match="was not a JSON object"):
            next(events)


# --- faults


@pytest.mark.parametrize(
    ("status", "reason", "tries"),
    [
        (400, "it refused the request", 1),
        (401, "its key was refused", 1),
        (403, "its key may not use this model", 1),
        (404, "it does not know this model", 1),
        (413, "the request was too long for it", 1),
        (429, "it limits our rate", 2),
        (500, "it is out of order", 2),
        (529, "it is out of order", 2),
    ],
)
def test_an_error_says_what_happened_and_nothing_else(status: int, reason: str, tries: int) -> None:
    failing = Answer(status=status, headers={"request-id": "req_9"})
    with AnthropicServer(failing, failing) as server, pytest.raises(ModelUnavailableError, match=reason) as raised:
        Asked(server).answer()
    assert "secret" not in raised.value.message
    detail = {"provider": "anthropic", "model": "claude-sonnet-5-5", "status": status, "request_id": "req_9"}
    assert raised.value.detail == detail
    assert len(server.requests) == tries


def test_a_short_pause_that_is_asked_for_is_kept() -> None:
    with AnthropicServer(Answer(status=429, headers={"Retry-After": "1"}), Answer("Hi")) as server:
        asked = Asked(server)
        assert asked.answer()[0] == "Hi"
    assert asked.pauses == [1.0]


@pytest.mark.parametrize("after", ["120", "Wed, 21 Oct 2026 07:28:00 GMT"])
def test_a_long_pause_is_left_to_the_next_of_the_chain(after: str) -> None:
    with AnthropicServer(Answer(status=429, headers={"Retry-After": after})) as server:
        asked = Asked(server)
        with pytest.raises(ModelUnavailableError, match="it limits our rate"):
            asked.answer()
    assert (asked.pauses, len(server.requests)) == ([], 1)


def test_nobody_listening_is_a_failed_connection() -> None:
    with AnthropicServer() as server:
        pass
    with pytest.raises(ModelUnavailableError, match="the connection failed"):
        Asked(server).answer()


def test_silence_before_the_answer_ends_while_there_is_time_for_another() -> None:
    with AnthropicServer(Answer(hang_after=-1)) as server:
        deadline = time.monotonic() + 2
        with pytest.raises(ModelUnavailableError, match="it took too long"):
            Asked(server).answer(seconds=2)
        assert time.monotonic() < deadline


def test_silence_within_the_answer_is_an_error_after_the_text_that_came() -> None:
    with AnthropicServer(Answer(LONG, hang_after=5)) as server:
        events_before_error = list[ModelEvent]()
        with pytest.raises(ModelUnavailableError, match="it took too long"):
            events_before_error += Asked(server).stream(seconds=0.6)
    assert "".join(event.text for event in events_before_error if isinstance(event, TextChunk)) == LONG[:8]
    assert len(server.requests) == 1


def test_text_that_drips_ends_at_the_deadline() -> None:
    with AnthropicServer(Answer("x" * 400, characters=1, pause=0.02)) as server:
        start = time.monotonic()
        with pytest.raises(DeadlineExceededError):
            Asked(server).answer(seconds=0.4)
    assert 0.3 < time.monotonic() - start < 5  # The whole would take 8 s.


def test_a_call_that_drips_is_left_while_there_is_time_for_another() -> None:
    with AnthropicServer(Answer(calls=[("toolu_1", "a", "1" * 400)], characters=1, pause=0.02)) as server:
        deadline = time.monotonic() + 2
        with pytest.raises(ModelUnavailableError, match="it took too long"):
            Asked(server).answer(seconds=2)
        assert time.monotonic() < deadline


@pytest.mark.parametrize("resets", [False, True])
@pytest.mark.parametrize("pieces", [0, 2, 5, 9, 12])
def test_a_stream_that_breaks_gives_no_end_and_no_calls(pieces: int, resets: bool) -> None:
    broken = Answer(calls=CALLS, cut_after=pieces, resets=resets)
    with AnthropicServer(broken) as server, pytest.raises(ModelUnavailableError, match="the connection failed"):
        list(Asked(server).stream())
    assert len(server.requests) == 1


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
        list(Asked(server).stream())
    assert "secret" not in raised.value.message


def test_text_cut_off_at_the_length_limit_is_still_an_answer() -> None:
    with AnthropicServer(Answer(LONG, finish_reason="max_tokens", usage=None)) as server:
        text, finished = Asked(server).answer()
    assert (text, finished.usage.cost_usd) == (LONG, 0.0)


def test_events_of_another_time_are_passed_over() -> None:
    raw = event(type="future") + TEXT + event(type="content_block_delta", index=0, delta={"type": "citations_delta"})
    end = event(type="message_delta", delta={"stop_reason": "end_turn"}) + event(type="message_stop")
    with AnthropicServer(Answer(raw=raw + end)) as server:
        assert Asked(server).answer()[0] == "Hal"


def test_after_the_deadline_nothing_is_asked() -> None:
    with AnthropicServer() as server, pytest.raises(DeadlineExceededError):
        Asked(server).answer(seconds=-1.0)
    assert server.connections == 0


def test_one_connection_serves_one_call_after_the_other() -> None:
    with AnthropicServer(Answer("One"), Answer(calls=CALLS), Answer("Three")) as server:
        asked = Asked(server)
        for _ in range(3):
            asked.answer()
    assert server.connections == 1
