"""The audit log: calls of every door, filters, and the behaviour while it is unavailable."""

import json
from collections.abc import Mapping
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from aisha.domain.audit import AuditLink
from aisha.domain.crm.records import Record
from aisha.domain.errors import UnavailableError
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import assert_problem, call, chat
from tests.fakes.world import ALICE, BOB, RIVAL, World

URL = "/api/ai/audit"
ADMIN = ALICE | {"user": "ada", "roles": '["admin"]'}
RIVALS_ADMIN = RIVAL | {"roles": '["admin"]'}


def audit(query: str = "", user: Mapping[str, str] = ADMIN) -> dict[str, Any]:
    answer = call("audit", "GET", f"{URL}?{query}", user)
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.json
    return body


def listed_calls(query: str = "", user: Mapping[str, str] = ADMIN) -> list[tuple[str, str, str]]:
    return [(entry["user"], entry["tool"], entry["status"]) for entry in audit(query, user)["items"]]


def say(text: str, user: Mapping[str, str] = ALICE, **more: Any) -> dict[str, Any]:
    answer = chat({"message": text, **more}, user)
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.json
    return body


def notify(record: Record, user: Mapping[str, str] = ALICE) -> str:
    body = {"title": "t", "callback": {"tool": "get_lead", "arguments": {"lead_id": record.id}}}
    answer = call("notifications", "POST", "/api/ai/notifications", user, json.dumps(body))
    assert answer.status in (200, 201), answer.text
    notification: str = answer.json["id"]
    return notification


def test_calls_of_every_door_are_listed(world: World, crm: dict[str, Record]) -> None:
    say("Tell me about Jack Russel")
    question = say("Delete the lead Jack Russel")
    confirmation = question["confirmation"]["id"]
    call("confirmations", "POST", f"/api/ai/confirmations/{confirmation}", ALICE, '{"decision": "approve"}')
    assert call("notifications", "POST", f"/api/ai/notifications/{notify(crm['jane'])}/execute", ALICE).status == 200
    items = audit("limit=50")["items"]
    assert items[0]["tool"] == "get_lead"
    assert items[0]["entities"] == [crm["jane"].id]
    (deleted,) = [entry for entry in items if (entry["tool"], entry["status"]) == ("delete_lead", "executed")]
    assert (deleted["action"], deleted["severity"], deleted["door"]) == ("aisha.delete_lead", "high", "api")
    assert deleted["confirmationId"] == confirmation
    assert deleted["conversationId"] == question["conversationId"]
    assert deleted["receipts"][0]["before"]["last_name"] == "Russel"
    assert deleted["durationMs"] >= 0
    (waited,) = [entry for entry in items if (entry["tool"], entry["status"]) == ("delete_lead", "pending")]
    assert waited["confirmationId"] == confirmation
    assert not [entry for entry in items if entry["status"] == "intended"], "each is listed with its outcome"


def test_a_client_can_verify_the_chain_of_entries(world: World, crm: dict[str, Record]) -> None:
    say("Tell me about Jack Russel")
    say("Show my leads")
    items = audit("limit=50")["items"]
    assert all(newer["previousHash"] == older["hash"] for newer, older in pairwise(items))
    links: list[AuditLink] = list(world.audit.links("demo"))
    assert [link.hash for link in links] == [entry["hash"] for entry in reversed(items)]
    assert all(link.is_sealed for link in links)


@pytest.mark.parametrize("user", [ALICE, BOB])
def test_only_admins_read_the_log(world: World, user: Mapping[str, str]) -> None:
    assert_problem(call("audit", "GET", URL, user), 403, "permission_denied")


def test_a_request_without_a_principal_is_unauthenticated(world: World) -> None:
    assert_problem(call("audit", "GET", URL), 401, "unauthenticated")


def test_tenants_have_separate_logs(world: World, crm: dict[str, Record]) -> None:
    say("Tell me about Jack Russel")
    assert listed_calls(user=RIVALS_ADMIN) == []
    say("Show my leads", RIVAL)
    assert listed_calls(user=RIVALS_ADMIN) == [("alice", "search_leads", "executed")]
    assert listed_calls(f"entity={crm['theirs'].id}") == []


def test_filters(world: World, crm: dict[str, Record]) -> None:
    notification, other = notify(crm["jack"]), notify(crm["jane"], BOB)
    call("notifications", "POST", f"/api/ai/notifications/{notification}/execute", ALICE)
    world.clock.advance(timedelta(days=1))
    call("notifications", "POST", f"/api/ai/notifications/{other}/execute", BOB)
    first, second = ("alice", "get_lead", "executed"), ("bob", "get_lead", "executed")
    assert listed_calls() == [second, first]
    assert listed_calls("user=bob") == [second]
    assert listed_calls(f"entity={crm['jack'].id}") == [first]
    assert listed_calls("tool=get_lead&status=executed&user=alice") == [first]
    assert listed_calls("tool=get_contact") == listed_calls("status=failed") == []
    assert listed_calls("since=2026-03-03") == [second]
    assert listed_calls("since=2026-03-02T08:59:59Z") == [second, first]
    assert listed_calls("since=2026-03-02T10:00:01") == [second], "Ada is in Berlin, where the first was at 10:00"
    assert listed_calls("tool=&since=&cursor=") == [second, first]
    assert listed_calls("since=0001-01-01") == [second, first]


def test_pages(world: World, crm: dict[str, Record]) -> None:
    for _ in range(5):
        call("notifications", "POST", f"/api/ai/notifications/{notify(crm['jack'])}/execute", ALICE)
    sequences: list[int] = []
    cursor: str | None = ""
    while cursor is not None:
        page = audit(f"limit=2&cursor={cursor}")
        sequences += [entry["sequence"] for entry in page["items"]]
        cursor = page.get("nextCursor")
    assert sequences == [5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("limit=0", "/limit"),
        ("limit=51", "/limit"),
        ("since=yesterday", "/since"),
        ("status=done", "/status"),
        ("cursor=nonsense", "/cursor"),
    ],
)
def test_an_invalid_query_is_refused_with_a_pointer(world: World, query: str, pointer: str) -> None:
    assert_problem(call("audit", "GET", f"{URL}?{query}", ADMIN), 422, "invalid_input", pointer)


def test_the_message_and_the_detail_of_an_invalid_value_agree(world: World) -> None:
    body = assert_problem(call("audit", "GET", f"{URL}?since=yesterday", ADMIN), 422, "invalid_input", "/since")
    (only,) = body["errors"]
    assert only["pointer"] == "/since"
    assert body["message"] == f"The query's `since` {only['message']}"


def test_sensitive_fields_are_left_out(world: World, crm: dict[str, Record]) -> None:
    world.use(settings=read_settings({"AISHA_SENSITIVE_FIELDS": "company, salary"}))
    say("Create a lead John Miller from Initrode, email john@initrode.example")
    answer = call("audit", "GET", f"{URL}?limit=50", ADMIN)
    assert "Miller" in answer.text
    assert "company" not in answer.text


# --- the log is unavailable (faults 25-27)


def test_while_the_log_is_unavailable_writes_are_refused_and_reads_answered(
    world: World, crm: dict[str, Record]
) -> None:
    world.audit.is_away = True
    read = say("Tell me about Jack Russel")
    assert "ABC Corp" in read["response"]
    before = len(world.records._records["demo"])
    turn = say("Create a lead John Miller from Initrode")
    refused = [entry for entry in turn["toolCalls"] if entry["name"] == "create_lead"]
    assert [entry["error"]["code"] for entry in refused] == ["unavailable"]
    assert len(world.records._records["demo"]) == before
    assert "recorded" in turn["response"] or "try again" in turn["response"].lower()


def test_while_the_log_is_unavailable_a_confirmed_call_is_refused(world: World, crm: dict[str, Record]) -> None:
    question = say("Delete the lead Jack Russel")
    world.audit.is_away = True
    path = f"/api/ai/confirmations/{question['confirmation']['id']}"
    answer = call("confirmations", "POST", path, ALICE, '{"decision": "approve"}')
    assert answer.json["toolCalls"][0]["error"]["code"] == "unavailable"
    assert world.has("demo", crm["jack"])


def test_lost_entries_are_logged_and_counted(
    world: World, crm: dict[str, Record], capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    world.audit.is_away = True
    say("Tell me about Jack Russel")
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert "audit entries lost" in caplog.messages
    (metric,) = [entry for entry in lines if "AuditEntriesLost" in entry]
    assert metric["AuditEntriesLost"][0] >= 1


def test_an_unavailable_log_is_a_problem(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.audit.is_away = True
    assert_problem(call("audit", "GET", URL, ADMIN), 503, UnavailableError.code)
