"""The UI message stream: its parts, their order and its end."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from aisha.domain.conversations.conversation import PendingConfirmation, SessionEntity
from aisha.domain.conversations.events import (
    Conclusions,
    ConfirmationNeeded,
    DataNeeded,
    EntitiesChanged,
    FollowUps,
    MoodChanged,
    TextDelta,
    ToolCallFinished,
    ToolCallStarted,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    UsageReported,
)
from aisha.domain.errors import ConflictError, ModelUnavailableError, NotFoundError
from aisha.domain.models import Usage
from aisha.domain.tools import FollowUp, ToolCall, ToolStatus
from aisha.renderers.ui_stream import ui_stream

START = TurnStarted("conv_1", "msg_1")
USAGE = UsageReported("openai", "gpt", True, Usage(100, 10, 0.0012341), 2, 12.34, 5.0, 6.0)
END: tuple[TurnEvent, ...] = (
    EntitiesChanged((SessionEntity("lead_1", "lead", "Jack Russel", ("jack",)),)),
    FollowUps((FollowUp("Call Jack", "📞", "create_activity"), FollowUp("What next?"))),
    USAGE,
    TurnFinished("completed", "**Found** Jack.", ("a warning",), True),
)


def read(chunks: Iterable[str]) -> tuple[list[dict[str, Any]], bool]:
    """Return the parts, and whether the stream ended with [DONE]. Every chunk must be one whole event."""
    texts = []
    for chunk in chunks:
        assert chunk.startswith("data: ")
        assert chunk.endswith("\n\n")
        texts.append(chunk[len("data: ") : -2])
        assert "\n" not in texts[-1]
    is_done = texts[-1] == "[DONE]"
    return [json.loads(text) for text in texts if text != "[DONE]"], is_done


def parts(*events: TurnEvent, as_speech: bool = False) -> list[dict[str, Any]]:
    stream_parts, is_done = read(ui_stream(events, "req-1", as_speech=as_speech))
    assert is_done
    return stream_parts


def kinds(stream_parts: Iterable[dict[str, Any]]) -> list[str]:
    return [part["type"] for part in stream_parts]


def call(name: str = "search_leads", status: ToolStatus = ToolStatus.EXECUTED, value: Any = None) -> ToolCall:
    tool_call = ToolCall(f"call_{name}", name, {"status": "warm"}, None)
    tool_call.result.status, tool_call.result.value = status, value
    return tool_call


def test_half_a_surrogate_pair_does_not_end_the_stream() -> None:
    sent = parts(START, TextDelta("half a pair: \ud83d"), *END)
    assert [part["delta"] for part in sent if part["type"] == "text-delta"] == ["half a pair: \ud83d"]


def test_a_text_is_one_part_of_one_step() -> None:
    stream_parts = parts(START, TextDelta("Hello, "), TextDelta("Zoë\n\n李"), *END)
    assert kinds(stream_parts) == [
        *("start", "start-step", "text-start", "text-delta", "text-delta"),
        *("data-entities", "data-followups", "data-usage", "text-end", "finish-step", "finish"),
    ]
    assert len({part["id"] for part in stream_parts if part["type"].startswith("text-")}) == 1
    assert "".join(part["delta"] for part in stream_parts if part["type"] == "text-delta") == "Hello, Zoë\n\n李"
    assert stream_parts[0]["messageId"] == "msg_1"
    assert stream_parts[0]["messageMetadata"] == {"conversationId": "conv_1", "requestId": "req-1"}
    ending = {"status": "completed", "warnings": ["a warning"], "isReplaceable": True}
    assert stream_parts[-1]["messageMetadata"] == ending


def test_data_parts_carry_what_the_json_answer_carries() -> None:
    data = {part["type"]: part["data"] for part in parts(START, TextDelta("x"), *END) if "data" in part}
    assert data["data-entities"] == [{"id": "lead_1", "type": "lead", "name": "Jack Russel", "aliases": ["jack"]}]
    assert data["data-followups"][0] == {"text": "Call Jack", "icon": "📞", "tool": "create_activity"}
    usage = data["data-usage"]
    assert (usage["provider"], usage["degraded"], usage["iterations"]) == ("openai", True, 2)
    assert usage["usage"] == {"inputTokens": 100, "outputTokens": 10, "costUsd": 0.001234, "promptTokens": {}}


def test_each_round_is_a_step_and_each_text_a_part_of_its_own() -> None:
    first, second = call("search_leads", value={"total": 1}), call("get_lead", value={"id": "lead_1"})
    stream_parts = parts(
        *(START, TextDelta("Let me look."), ToolCallStarted(first), ToolCallFinished(first, "")),
        *(ToolCallStarted(second), ToolCallFinished(second, ""), TextDelta("Here he is."), *END[-1:]),
    )
    tool = ["data-status", "tool-input-start", "tool-input-available", "tool-output-available"]
    text = ["text-start", "text-delta", "text-end"]
    assert kinds(stream_parts) == [
        *("start", "start-step", *text, *tool, "finish-step"),
        *("start-step", *tool, "finish-step"),
        *("start-step", *text, "finish-step", "finish"),
    ]
    assert [part["id"] for part in stream_parts if part["type"] == "text-start"] == ["text-1", "text-2"]
    request_part = next(part for part in stream_parts if part["type"] == "tool-input-available")
    assert (request_part["toolCallId"], request_part["toolName"]) == ("call_search_leads", "search_leads")
    assert request_part["input"] == {"status": "warm"}
    assert next(part for part in stream_parts if part["type"] == "tool-output-available")["output"] == {"total": 1}


def test_calls_of_one_round_share_a_step() -> None:
    one, two = call("search_leads"), call("search_contacts")
    stream_parts = parts(
        *(START, ToolCallStarted(one), ToolCallStarted(two), ToolCallFinished(one, ""), ToolCallFinished(two, "")),
        *END[-1:],
    )
    assert kinds(stream_parts).count("start-step") == kinds(stream_parts).count("finish-step") == 1


def test_a_failed_call_has_its_reason() -> None:
    failed = ToolCall("call_1", "get_lead", {}, None)
    failed.fail(NotFoundError("There is no such lead."))
    stream_parts = parts(START, ToolCallStarted(failed), ToolCallFinished(failed, ""), *END)
    error = next(part for part in stream_parts if part["type"] == "tool-output-error")
    assert (error["toolCallId"], error["errorText"]) == ("call_1", "There is no such lead.")


def test_a_call_that_waits_has_a_question_and_no_result() -> None:
    waiting = call("delete_lead", ToolStatus.PENDING)
    until = datetime(2026, 3, 2, 9, 10, tzinfo=UTC)
    pending = PendingConfirmation("conf_1", "delete_lead", {"lead_id": "lead_1"}, "", "Delete?", True, "msg_1", until)
    stream_parts = parts(
        *(START, ToolCallStarted(waiting), ToolCallFinished(waiting, ""), TextDelta("Delete?")),
        *(ConfirmationNeeded(pending), TurnFinished("needs_confirmation", "Delete?")),
    )
    assert not [kind for kind in kinds(stream_parts) if kind.startswith("tool-output") or "approval" in kind]
    request_part = next(part["data"] for part in stream_parts if part["type"] == "data-confirmation")
    assert (request_part["id"], request_part["question"], request_part["isDestructive"]) == ("conf_1", "Delete?", True)
    assert stream_parts[-1]["messageMetadata"]["status"] == "needs_confirmation"


def test_every_other_member_of_the_json_answer_is_a_data_part_too() -> None:
    needed = {"data": {"sections": [{"sectionId": "MY_CALENDAR"}]}}
    stream_parts = parts(
        *(START, DataNeeded(needed), Conclusions(insights=("Two leads wait.",)), MoodChanged("good", "😀", "#00ff00")),
        *END,
    )
    data = {part["type"]: part["data"] for part in stream_parts if "data" in part}
    assert data["data-needs"] == needed
    assert data["data-conclusions"]["insights"] == ["Two leads wait."]
    assert data["data-mood"] == {"sentiment": "good", "emoji": "😀", "color": "#00ff00"}


def test_speech_is_plain_and_comes_at_the_end() -> None:
    stream_parts = parts(START, TextDelta("**Found** Jack."), *END, as_speech=True)
    assert [part["delta"] for part in stream_parts if part["type"] == "text-delta"] == ["Found Jack."]


def failing(*events: TurnEvent, error: Exception) -> Iterator[TurnEvent]:
    yield from events
    raise error


def until_it_raises(events: Iterable[TurnEvent]) -> tuple[list[dict[str, Any]], bool, Exception]:
    chunks: list[str] = []
    stream = ui_stream(events, "req-1")
    with pytest.raises(Exception) as raised:
        chunks.extend(stream)
    # `extend` keeps the chunks before the error.
    return *read(chunks), raised.value


def test_a_turn_that_fails_ends_cleanly_with_the_one_error_object() -> None:
    error = ModelUnavailableError("No model answers. Try again in a moment.")
    stream_parts, is_done, raised = until_it_raises([START, TextDelta("Let me"), TurnFailed(error)])
    assert is_done
    assert raised is error
    assert kinds(stream_parts) == [
        *("start", "start-step", "text-start", "text-delta", "text-end", "error", "finish-step", "finish"),
    ]
    assert stream_parts[-3]["errorText"] == "No model answers. Try again in a moment."
    metadata = stream_parts[-1]["messageMetadata"]
    assert metadata["status"] == "failed"
    assert metadata["error"]["code"] == "model_unavailable"
    assert metadata["error"]["retryable"] is True
    assert metadata["error"]["request_id"] == "req-1"


def test_of_a_bug_nothing_is_told() -> None:
    stream_parts, is_done, raised = until_it_raises(failing(START, error=RuntimeError("password is hunter2")))
    assert is_done
    assert isinstance(raised, RuntimeError)
    assert kinds(stream_parts) == ["start", "error", "finish"]
    assert "hunter2" not in json.dumps(stream_parts)


def test_what_fails_before_the_turn_began_is_no_stream() -> None:
    with pytest.raises(ConflictError):
        next(ui_stream(failing(error=ConflictError("busy")), "req-1"))
