"""Command analytics: recording with idempotency, and the tenant's summary."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from aisha.application.conversations import analytics
from aisha.domain.errors import UnavailableError
from tests.fakes.aws.api_gateway import Answer, answer_of, assert_problem, call, event, function
from tests.fakes.world import ALICE, BOB, RIVAL, World

URL = "/api/ai/analytics"
COMMAND: dict[str, Any] = {
    "projectId": "ignored",
    "commandName": "project_status",
    "commandType": "button_command",
    "executionTimeMs": 100,
    "success": True,
}


def record(user: Mapping[str, str] = ALICE, key: str | None = None, **more: Any) -> Answer:
    sent = event("analytics", "POST", URL, user, json.dumps(COMMAND | more))
    if key is not None:
        sent["headers"]["idempotency-KEY"] = key
    return answer_of(function("analytics"), sent)


def summary(query: str = "", user: Mapping[str, str] = ALICE) -> dict[str, Any]:
    answer = call("analytics", "GET", f"{URL}?{query}", user)
    assert answer.status == 200, answer.text
    figures: dict[str, Any] = answer.json
    return figures


def test_the_summary_of_no_commands_is_empty(world: World) -> None:
    assert summary() == {
        "success": True,
        "totalCommands": 0,
        "successRate": 0.0,
        "averageExecutionMs": 0.0,
        "mostFrequentCommands": [],
        "recentFailures": [],
        "performanceMetrics": {"avgSttMs": None, "avgLlmMs": None, "avgTtsMs": None, "avgTotalMs": None},
        "commandsRead": 0,
        "truncated": False,
    }


def test_the_summary_is_exact(world: World) -> None:
    first = record(timing={"sttMs": 10, "llmMs": 20.5, "totalMs": 40}, metadata={"provider": "openai", "model": "m"})
    assert first.status == 200
    assert first.json["success"] is True
    assert first.json["id"].startswith("command_")
    record(BOB, executionTimeMs=101, timing={"sttMs": 11})
    record(executionTimeMs=103, commandName="help")
    record(executionTimeMs=0.5, success=False, errorMessage="timed out", timing={"sttMs": 900})
    figures = summary()
    assert (figures["totalCommands"], figures["successRate"], figures["averageExecutionMs"]) == (4, 75.0, 76.125)
    assert figures["mostFrequentCommands"] == [
        {"commandName": "project_status", "count": 3, "averageMs": (100 + 101 + 0.5) / 3},
        {"commandName": "help", "count": 1, "averageMs": 103.0},
    ]
    (failure,) = figures["recentFailures"]
    assert failure == {
        "commandName": "project_status",
        "errorMessage": "timed out",
        "timestamp": "2026-03-02T09:00:00Z",
    }
    assert figures["performanceMetrics"] == {"avgSttMs": 10.5, "avgLlmMs": 20.5, "avgTtsMs": None, "avgTotalMs": 40.0}
    assert (figures["commandsRead"], figures["truncated"]) == (4, False)
    assert summary(user=RIVAL)["totalCommands"] == 0


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("commandName=help", 1),
        ("commandType=voice_command", 1),
        ("success=false", 1),
        ("success=true", 2),
        ("success=", 3),
        ("startDate=2026-03-03", 2),
        ("endDate=2026-03-03", 2),
        ("startDate=2026-03-03&endDate=2026-03-03", 1),
        ("startDate=2026-03-03T09:00:00Z&endDate=2026-03-03T09:00:00Z", 1),
        ("endDate=2026-03-02T10:00:00", 1),
        ("endDate=2026-03-02T09:59:59", 0),
        ("commandName=help&success=false", 0),
        ("projectId=anything", 3),
    ],
)
def test_filters(world: World, query: str, count: int) -> None:
    """Filter one command per day, at 10:00 in Alice's time zone."""
    record()
    world.clock.advance(timedelta(days=1))
    record(commandName="help")
    world.clock.advance(timedelta(days=1))
    record(commandType="voice_command", success=False)
    assert summary(query)["totalCommands"] == count


def test_after_90_days_a_command_is_forgotten(world: World) -> None:
    record()
    world.clock.advance(timedelta(days=89, hours=23))
    assert summary()["totalCommands"] == 1
    world.clock.advance(timedelta(hours=1))
    assert summary()["totalCommands"] == 0


def test_a_summary_of_more_commands_than_are_read_is_truncated(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analytics, "MAX_READ", 4)
    monkeypatch.setattr(analytics, "PAGE_SIZE", 2)
    for _ in range(4):
        record()
    assert (summary()["commandsRead"], summary()["truncated"]) == (4, False)
    record(executionTimeMs=1_000_000)
    figures = summary()
    assert (figures["totalCommands"], figures["commandsRead"], figures["truncated"]) == (4, 4, True)


def test_the_ten_newest_failures_are_listed(world: World) -> None:
    for number in range(12):
        record(success=False, errorMessage=f"e{number}")
        world.clock.advance(timedelta(seconds=1))
    record(success=False)
    messages = [failure["errorMessage"] for failure in summary()["recentFailures"]]
    assert messages == ["Unknown error", *(f"e{number}" for number in range(11, 2, -1))]


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"executionTimeMs": "100"}, "/executionTimeMs"),
        ({"executionTimeMs": -1}, "/executionTimeMs"),
        ({"executionTimeMs": None}, "/executionTimeMs"),
        ({"success": "true"}, "/success"),
        ({"success": 1}, "/success"),
        ({"commandName": ""}, "/commandName"),
        ({"commandName": 5}, "/commandName"),
        ({"commandType": None}, "/commandType"),
        ({"errorMessage": "x" * 2001}, "/errorMessage"),
        ({"timing": {"llmMs": "fast"}}, "/timing/llmMs"),
        ({"timing": []}, "/timing"),
        ({"metadata": {"toolsUsed": ["a", 5]}}, "/metadata/toolsUsed/1"),
    ],
)
def test_wrong_types_are_refused_with_a_pointer(world: World, more: dict[str, Any], pointer: str) -> None:
    assert_problem(record(**more), 422, "invalid_input", pointer)
    assert summary()["totalCommands"] == 0


def test_nan_is_refused(world: World) -> None:
    body = json.dumps(COMMAND).replace("100", "NaN")
    assert_problem(call("analytics", "POST", URL, ALICE, body), 400, "malformed_request")


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("startDate=yesterday", "/startDate"),
        ("endDate=2026-13-01", "/endDate"),
        ("success=maybe", "/success"),
        ("startDate=2026-03-02&endDate=2026-03-01", "/endDate"),
    ],
)
def test_an_invalid_query_is_refused_with_a_pointer(world: World, query: str, pointer: str) -> None:
    assert_problem(call("analytics", "GET", f"{URL}?{query}", ALICE), 422, "invalid_input", pointer)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_request_without_a_principal_is_unauthenticated(world: World, method: str) -> None:
    answer = call("analytics", method, URL, None, json.dumps(COMMAND))
    assert_problem(answer, 401, "unauthenticated")


# --- Idempotency-Key


def test_the_same_request_again_is_recorded_once(world: World) -> None:
    first, second = record(key="k1"), record(key="k1")
    assert (first.status, first.text) == (second.status, second.text)
    assert second.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    assert record(key="k2").json["id"] != first.json["id"]
    assert record().json["id"] != first.json["id"]
    assert summary()["totalCommands"] == 3


def test_another_body_or_user_with_the_key(world: World) -> None:
    record(key="k1")
    body = assert_problem(record(key="k1", executionTimeMs=5), 422, "invalid_input")
    assert "new key" in body["suggestion"]
    assert record(BOB, key="k1", executionTimeMs=5).status == 200
    assert summary()["totalCommands"] == 2


def test_a_refused_request_may_be_corrected_with_the_same_key(world: World) -> None:
    assert_problem(record(key="k1", success="yes"), 422, "invalid_input", "/success")
    assert record(key="k1").status == 200


def test_a_retry_completes_an_attempt_that_failed_after_its_write(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = world.entries.put

    def broken(tenant: str, owner: str | None, kind: str, *arguments: Any, **options: Any) -> Any:
        entry = put(tenant, owner, kind, *arguments, **options)
        if kind == "command":
            raise UnavailableError("The answer was lost.")
        return entry

    with monkeypatch.context() as patch:
        patch.setattr(world.entries, "put", broken)
        assert_problem(record(key="k1"), 503, "unavailable")
    assert record(key="k1").status == 200
    assert summary()["totalCommands"] == 1


def test_an_answer_that_can_not_be_stored_does_not_fail_the_request(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, kinds = world.entries.put, list[str]()

    def second_fails(tenant: str, owner: str | None, kind: str, *arguments: Any, **options: Any) -> Any:
        kinds.append(kind)
        if kinds == ["idempotency", "command", "idempotency"]:
            raise UnavailableError("DynamoDB is away.")
        return put(tenant, owner, kind, *arguments, **options)

    monkeypatch.setattr(world.entries, "put", second_fails)
    assert record(key="k1").status == 200
    assert len(kinds) == 3


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_an_invalid_key_is_refused(world: World, key: str) -> None:
    assert_problem(record(key=key), 422, "invalid_input")
