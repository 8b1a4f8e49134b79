"""Notifications, sticky notes and reminders: listing, execution and dismissal."""

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from aisha.adapters.auth.principal import principal_of_context
from aisha.application.notifications import due as due_notifications
from aisha.application.notifications.store import execute_notification
from aisha.application.tooling.context import make_context
from aisha.domain.crm.queries import Delete, RecordQuery
from aisha.domain.crm.records import Activity, Record
from aisha.domain.errors import GoneError
from tests.fakes.aws.api_gateway import Answer, answer_of, assert_problem, call, caller, event, function
from tests.fakes.world import ALICE, BOB, RIVAL, World

URL = "/api/ai/notifications"


def post(url: str, body: object = None, user: Mapping[str, str] | None = ALICE, key: str | None = None) -> Answer:
    sent = event("notifications", "POST", url, user, None if body is None else json.dumps(body))
    if key is not None:
        sent["headers"]["Idempotency-Key"] = key
    return answer_of(function("notifications"), sent)


def create(user: Mapping[str, str] = ALICE, key: str | None = None, **more: Any) -> str:
    answer = post(URL, {"title": "Look here"} | more, user, key)
    assert answer.status == 200, answer.text
    notification_id: str = answer.json["id"]
    return notification_id


def pending(user: Mapping[str, str] = ALICE, query: str = "") -> list[dict[str, Any]]:
    answer = call("notifications", "GET", f"{URL}{query}", user)
    assert answer.status == 200, answer.text
    notifications: list[dict[str, Any]] = answer.json["notifications"]
    return notifications


def note_on(lead: Record) -> dict[str, Any]:
    arguments = {"entity_type": "lead", "entity_id": lead.id, "content": "Call him back"}
    return {"tool": "create_note", "arguments": arguments}


def notes(world: World) -> int:
    return len(world.records.search("demo", RecordQuery("note")).items)


# --- listing


def test_a_notification_is_listed_when_it_is_due(world: World) -> None:
    later = create(title="Later", dueAt="2026-03-02T11:00:00+01:00")
    now = create(body="Now it is", channel="in_app")
    assert [(item["id"], item["title"], item["body"], item["source"]) for item in pending()] == [
        (now, "Look here", "Now it is", "notification")
    ]
    assert [item["id"] for item in pending(query="?includeComing=true")] == [now, later]
    world.clock.advance(timedelta(hours=1))
    assert [item["id"] for item in pending()] == [now, later]
    assert pending()[1]["dueAt"] == "2026-03-02T11:00:00+01:00"


def test_a_time_in_words_is_in_the_users_time_zone(world: World) -> None:
    create(when="tomorrow at 9am")
    (notification,) = pending(query="?includeComing=true")
    assert notification["dueAt"] == "2026-03-03T09:00:00+01:00"


def test_users_have_separate_notifications(world: World) -> None:
    notification_id = create()
    assert pending(BOB) == pending(RIVAL) == []
    for stranger in (BOB, RIVAL):
        for act in ("execute", "dismiss"):
            assert_problem(post(f"{URL}/{notification_id}/{act}", user=stranger), 404, "not_found")
    assert [item["id"] for item in pending()] == [notification_id]


_operations = count(1)


def sticky(world: World, **arguments: Any) -> str:
    """Call the tool of sticky notes, as a chat does, and return the note's id."""
    operation, now = f"op_{next(_operations)}", world.clock.now()
    context = make_context(principal_of_context(dict(ALICE), now), world.services.tool_ports, operation)
    done = world.services.tools.create_call("stickynotes", arguments, context).execute()
    assert done.ok, done
    note_id: str = done.value["items"][0]["id"]
    return note_id


def test_sticky_notes_are_listed_when_they_are_due(world: World) -> None:
    plant = sticky(world, action="create", text="Water the plant", due_at="2026-03-02T10:30:00+01:00")
    dentist = sticky(world, action="create", text="Call the dentist", due_at="2026-03-02T10:45:00+01:00")
    done = sticky(world, action="create", text="Buy flowers", due_at="2026-03-02T10:15:00+01:00")
    sticky(world, action="create", text="Never due")
    assert pending() == []
    assert [item["id"] for item in pending(query="?includeComing=true")] == [done, plant, dentist]
    sticky(world, action="resolve", note_id=done)
    world.clock.advance(timedelta(minutes=35))
    assert [(item["id"], item["source"], item["body"]) for item in pending()] == [
        (plant, "sticky_note", "Water the plant")
    ]
    world.clock.advance(timedelta(minutes=15))
    assert [item["id"] for item in pending()] == [plant, dentist]
    assert pending(BOB) == []


def test_a_sticky_note_that_is_dismissed_is_resolved(world: World) -> None:
    plant = sticky(world, action="create", text="Water the plant", due_at="2026-03-02T10:30:00+01:00")
    world.clock.advance(timedelta(hours=1))
    assert_problem(post(f"{URL}/{plant}/execute"), 409, "conflict")
    assert_problem(post(f"{URL}/{plant}/dismiss", user=BOB), 404, "not_found")
    for _ in range(2):
        assert post(f"{URL}/{plant}/dismiss").json["status"] == "dismissed"
    assert pending() == []
    assert sticky(world, action="list", status="resolved") == plant


def test_activities_that_became_due_are_reminders(world: World, crm: dict[str, Record]) -> None:
    def activity(title: str, minutes: int, **more: Any) -> Record:
        fields = {
            "title": title,
            "activity_type": "call",
            "related": {"type": "lead", "id": crm["jack"].id, "name": "Jack Russel"},
            "due_at": world.clock.now() + timedelta(minutes=minutes),
            "owner": "alice",
        }
        return world.add("demo", Activity.model_validate(fields | more))[0]

    due = activity("Call Jack", -5)
    activity("Not yet", 5)
    activity("Long ago", -60 * 25)
    activity("Done", -5, status="completed")
    activity("Bob's", -5, owner="bob")
    activity("About a deal", -4, related={"type": "opportunity", "id": crm["deal"].id, "name": "ABC renewal"})
    assert [item["title"] for item in pending()] == ["Call Jack", "About a deal"]
    assert pending()[0]["entity"] == {"type": "lead", "id": crm["jack"].id, "name": "Jack Russel"}
    without = caller("demo", "alice", modules=("leads", "activities"))
    assert [item["title"] for item in pending(without)] == ["Call Jack"]
    assert pending(caller("demo", "alice", modules=("leads",))) == []
    assert post(f"{URL}/{due.id}/dismiss").status == 200
    assert [item["title"] for item in pending()] == ["About a deal"]
    assert_problem(post(f"{URL}/{due.id}/dismiss", user=RIVAL), 404, "not_found")
    assert world.has("demo", due)


def test_dismissed_reminders_do_not_hide_later_ones(world: World, crm: dict[str, Record]) -> None:
    fields = {"activity_type": "call", "owner": "alice", "related": {"type": "lead", "id": crm["jack"].id}}
    for number in range(23):
        due_at = world.clock.now() - timedelta(minutes=40 - number)
        world.add("demo", Activity.model_validate(fields | {"title": f"Call {number:02}", "due_at": due_at}))
    answer = call("notifications", "GET", URL, ALICE)
    assert [item["title"] for item in answer.json["notifications"]] == [f"Call {number:02}" for number in range(10)]
    assert answer.json["truncated"] is True
    for first in (10, 20):
        for item in pending():
            assert post(f"{URL}/{item['id']}/dismiss").status == 200
        assert [item["title"] for item in pending()] == [
            f"Call {number:02}" for number in range(first, min(first + 10, 23))
        ]
    assert call("notifications", "GET", URL, ALICE).json["truncated"] is False


def test_a_list_of_more_notifications_than_are_read_is_truncated(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due_notifications, "MAX_READ", 2)
    monkeypatch.setattr(due_notifications, "PAGE", 1)
    create()
    create()
    assert call("notifications", "GET", URL, ALICE).json["truncated"] is False
    create()
    assert call("notifications", "GET", URL, ALICE).json["truncated"] is True


# --- execution


def test_the_call_runs_once(world: World, crm: dict[str, Record]) -> None:
    notification_id = create(callback=note_on(crm["jack"]))
    assert pending()[0]["callback"] == note_on(crm["jack"])
    assert notes(world) == 0
    answer = post(f"{URL}/{notification_id}/execute")
    assert (answer.status, answer.json["success"], answer.json["status"]) == (200, True, "executed")
    ran = answer.json["toolCall"]
    assert (ran["name"], ran["status"], notes(world)) == ("create_note", "executed", 1)
    assert ran["description"] == "created note Call him back"
    assert pending() == []
    assert_problem(post(f"{URL}/{notification_id}/execute"), 410, "gone")
    assert post(f"{URL}/{notification_id}/dismiss").json["status"] == "executed"
    assert notes(world) == 1


def test_of_concurrent_requests_one_runs_the_call(world: World, crm: dict[str, Record]) -> None:
    notification_id = create(callback=note_on(crm["jack"]))
    principal = principal_of_context(dict(ALICE), world.clock.now())
    registry = world.services.tools

    def execute(_: int) -> bool:
        context = make_context(principal, world.services.tool_ports, f"op_{_}")
        try:
            return execute_notification(notification_id, context, registry, 10).result.ok
        except GoneError:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(execute, range(24))) == 1
    assert notes(world) == 1


def test_with_the_same_key_the_answer_is_replayed(world: World, crm: dict[str, Record]) -> None:
    notification_id = create(callback=note_on(crm["jack"]))
    first, second = (post(f"{URL}/{notification_id}/execute", key="k1") for _ in range(2))
    assert first.status == second.status == 200
    assert first.json == second.json
    assert notes(world) == 1
    assert create(key="k2") == create(key="k2")


def test_a_failed_call_has_an_error(world: World, crm: dict[str, Record]) -> None:
    notification_id = create(callback=note_on(crm["jack"]))
    world.records.write("demo", [Delete("lead", crm["jack"].id)])
    answer = post(f"{URL}/{notification_id}/execute")
    assert (answer.status, answer.json["success"]) == (200, False)
    assert answer.json["toolCall"]["status"] == "failed"
    assert answer.json["toolCall"]["error"]["code"] == "not_found"


def test_a_call_that_would_need_a_confirmation_is_refused_when_it_is_stored(crm: dict[str, Record]) -> None:
    callback = {"tool": "delete_lead", "arguments": {"lead_id": crm["jack"].id}}
    body = assert_problem(post(URL, {"title": "x", "callback": callback}), 422, "invalid_input", "/callback/tool")
    assert "chat" in body["suggestion"]
    assert pending() == []


def test_a_call_on_a_record_that_does_not_exist_is_refused_when_it_is_stored(crm: dict[str, Record]) -> None:
    callback = note_on(crm["jack"])
    callback["arguments"]["entity_id"] = "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
    assert_problem(post(URL, {"title": "x", "callback": callback}), 422, "invalid_input", "/callback/arguments")


def test_a_call_that_needs_confirmation_by_now_does_not_run(world: World, crm: dict[str, Record]) -> None:
    notification_id = create(callback=note_on(crm["jack"]))
    world.entries.put("demo", None, "profile", "profile", {"rules": {"create_note": "ask"}})
    world.services.tenant_profiles.forget("demo")
    body = assert_problem(post(f"{URL}/{notification_id}/execute"), 409, "needs_confirmation")
    assert "chat" in body["suggestion"]
    assert (body["tool"], body["retryable"]) == ("create_note", False)
    assert notes(world) == 0
    assert [item["id"] for item in pending()] == [notification_id]


def test_a_callback_without_provenance_does_not_write(world: World, crm: dict[str, Record]) -> None:
    notification_id = create(callback=note_on(crm["jack"]))
    stored = world.entries.find("demo", "alice", "notification", notification_id)
    assert stored is not None
    body = {key: value for key, value in stored.body.items() if key != "asked_by"}
    world.entries.put("demo", "alice", "notification", notification_id, body)
    assert_problem(post(f"{URL}/{notification_id}/execute"), 409, "needs_confirmation")
    assert notes(world) == 0


def test_permissions_are_checked_when_the_call_runs(world: World, crm: dict[str, Record]) -> None:
    notification_id = create(callback=note_on(crm["jack"]))
    without = caller("demo", "alice", modules=("leads",))
    assert_problem(post(f"{URL}/{notification_id}/execute", user=without), 403, "permission_denied")
    assert notes(world) == 0
    assert post(f"{URL}/{notification_id}/execute").status == 200


def test_without_a_call_there_is_nothing_to_run(world: World) -> None:
    assert_problem(post(f"{URL}/{create()}/execute"), 409, "conflict")


def test_a_dismissed_notification_does_not_come_back(world: World, crm: dict[str, Record]) -> None:
    notification_id = create(callback=note_on(crm["jack"]))
    for _ in range(2):
        assert post(f"{URL}/{notification_id}/dismiss").json == {
            "success": True,
            "id": notification_id,
            "status": "dismissed",
        }
    assert pending() == []
    assert_problem(post(f"{URL}/{notification_id}/execute"), 410, "gone")
    assert notes(world) == 0


@pytest.mark.parametrize("unknown", ["notification_01JD3Q9A7C5E3G1J9K7M5N3P1Q", "reminder_1", "x"])
def test_an_unknown_notification_is_not_found(world: World, unknown: str) -> None:
    assert_problem(post(f"{URL}/{unknown}/dismiss"), 404, "not_found")
    assert post(f"{URL}/{unknown}/execute").status in (404, 409)


# --- invalid notifications


@pytest.mark.parametrize(
    ("callback", "pointer", "word"),
    [
        ({"tool": "make_coffee"}, "/callback/tool", "make_coffee"),
        ({"tool": "search_leads", "arguments": {"status": "lukewarm"}}, "/callback/arguments/status", "status"),
        ({"tool": "search_leads", "arguments": {"colour": "red"}}, "/callback/arguments", "colour"),
        ({"tool": "create_note", "arguments": {"content": "x"}}, "/callback/arguments/entity_type", "entity_type"),
        ({"tool": "create_note", "arguments": "{}"}, "/callback/arguments", "JSON object"),
        ({"arguments": {}}, "/callback/tool", "is missing"),
        ("create_note", "/callback", "callback"),
    ],
)
def test_an_invalid_callback_is_refused(world: World, callback: object, pointer: str, word: str) -> None:
    body = assert_problem(post(URL, {"title": "x", "callback": callback}), 422, "invalid_input", pointer)
    assert word in body["message"]
    assert pending() == []


def test_a_callback_without_permission_is_refused(world: World) -> None:
    answer = post(URL, {"title": "x", "callback": {"tool": "search_opportunities"}}, BOB)
    assert_problem(answer, 403, "permission_denied")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/title"),
        ({"title": ""}, "/title"),
        ({"title": 5}, "/title"),
        ({"title": "x" * 201}, "/title"),
        ({"title": "x", "body": None}, "/body"),
        ({"title": "x", "dueAt": "some day"}, "/dueAt"),
        ({"title": "x", "dueAt": "9999-12-31"}, "/dueAt"),
        ({"title": "x", "dueAt": 5}, "/dueAt"),
        ({"title": "x", "channel": "pigeon"}, "/channel"),
        ([], ""),
    ],
)
def test_wrong_types_are_refused_with_a_pointer(world: World, body: object, pointer: str) -> None:
    problem = assert_problem(post(URL, body), 422, "invalid_input", pointer)
    assert {item["pointer"] for item in problem.get("errors", ())} <= {pointer}


def test_an_unknown_field_is_ignored(world: World) -> None:
    create(colour="red")
    assert len(pending()) == 1


def test_a_request_without_a_principal_is_unauthenticated(world: World) -> None:
    assert_problem(call("notifications", "GET", URL, None), 401, "unauthenticated")
    for url in (URL, f"{URL}/x/execute", f"{URL}/x/dismiss"):
        assert_problem(post(url, {"title": "x"}, None), 401, "unauthenticated")
