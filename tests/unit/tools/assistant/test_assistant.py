"""Tests of the tools for personality, standing instructions, memories, sticky notes and pages."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from aisha.application.notifications.reminders import due_reminders
from aisha.application.tooling.tenant_stores import OwnedEntries
from aisha.domain.tools import ToolSpec
from tests.fakes.stores.in_memory import FixedClock
from tests.support.tenants.desk import ANN, BOB, EVE, REGISTRY, Desk


def texts(desk: Desk, tool: str, **arguments: object) -> list[str]:
    return [item["text"] for item in desk.do(tool, **arguments)["items"]]


@pytest.mark.parametrize(
    ("tool", "reads"),
    [
        ("memory", {"search", "list", "get"}),
        ("manage_prompt", {"list"}),
        ("stickynotes", {"list"}),
        ("github_issue", {"view", "list", "list_comments"}),
    ],
)
def test_only_reading_actions_count_as_reads(tool: str, reads: set[str]) -> None:
    spec = REGISTRY.spec(tool)
    assert isinstance(spec, ToolSpec)
    actions = spec.properties["action"]["enum"]
    assert {action for action in actions if spec.for_call({"action": action}).access == "read"} == reads
    assert spec.for_call({}).access == spec.access != "read"


@pytest.mark.parametrize(
    ("tool", "arguments", "needed"),
    [
        ("memory", {"action": "search"}, "query"),
        ("memory", {"action": "create"}, "text"),
        ("memory", {"action": "update", "text": "x"}, "memory_id"),
        ("memory", {"action": "delete"}, "memory_id"),
        ("manage_prompt", {"action": "add"}, "text"),
        ("manage_prompt", {"action": "delete"}, "instruction_id"),
        ("stickynotes", {"action": "create"}, "text"),
        ("stickynotes", {"action": "resolve"}, "note_id"),
        ("navigate_to_page", {"page": "leads", "entity_type": "lead"}, "entity_id"),
    ],
)
def test_a_missing_argument_of_an_action_is_refused(
    desk: Desk, tool: str, arguments: dict[str, str], needed: str
) -> None:
    error = desk.refuse(tool, **arguments)
    assert (error["code"], error["detail"]) == ("missing_field", {"field": needed})


@pytest.mark.parametrize(
    ("tool", "arguments", "fits"),
    [
        ("memory", {"action": "list", "query": "Jack"}, "search"),
        ("memory", {"action": "get", "memory_id": "m", "text": "x"}, "create or update"),
        ("manage_prompt", {"action": "list", "text": "x"}, "add"),
        ("stickynotes", {"action": "resolve", "note_id": "n", "due_at": "2026-03-05T10:00:00Z"}, "create or snooze"),
    ],
)
def test_an_argument_that_an_action_does_not_use_is_refused(
    desk: Desk, tool: str, arguments: dict[str, str], fits: str
) -> None:
    assert f"use the action {fits}." in desk.refuse(tool, **arguments)["suggestion"]


def test_a_memory_is_created_found_changed_and_deleted(desk: Desk) -> None:
    created = desk.do("memory", action="create", text="Jack prefers mornings")
    memory = created["items"][0]["id"]
    assert created["receipt"]["action"] == "created"
    desk.do("memory", action="create", text="The Globex invoices go to Paula")
    assert texts(desk, "memory", action="list") == ["The Globex invoices go to Paula", "Jack prefers mornings"]
    desk.do("memory", action="update", memory_id=memory, text="Jack prefers afternoons")
    assert texts(desk, "memory", action="get", memory_id=memory) == ["Jack prefers afternoons"]
    deleted = desk.do("memory", action="delete", memory_id=memory)
    assert deleted["receipt"]["before"] == {"text": "Jack prefers afternoons"}
    assert texts(desk, "memory", action="search", query="Jack") == []
    assert desk.refuse("memory", action="get", memory_id=memory)["code"] == "not_found"


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("what about jack's preference?", ["Jack prefers mornings", "Ann preferred tea, not coffee"]),
        ("preferring", ["Jack prefers mornings", "Ann preferred tea, not coffee"]),
        ("invoice Globex", ["The Globex invoices go to Paula"]),
        ("sailing", []),
    ],
)
def test_memories_are_found_by_their_words_whatever_the_ending(desk: Desk, query: str, matches: list[str]) -> None:
    for text in ("Ann preferred tea, not coffee", "The Globex invoices go to Paula", "Jack prefers mornings"):
        desk.do("memory", action="create", text=text)
    answer = desk.do("memory", action="search", query=query)
    assert [item["text"] for item in answer["items"]] == matches
    assert answer["total"] == len(matches)


def test_the_same_memory_twice_is_one(desk: Desk) -> None:
    desk.do("memory", action="create", text="Jack prefers mornings")
    again = desk.do("memory", action="create", text="jack  prefers MORNINGS")
    assert "receipt" not in again
    assert texts(desk, "memory", action="list") == ["Jack prefers mornings"]


def test_memories_are_paged_to_their_end(desk: Desk) -> None:
    for number in range(7):
        desk.do("memory", action="create", text=f"Fact {number}")
    facts, cursor = [], None
    for _ in range(5):
        page = desk.do("memory", action="list", limit=3, cursor=cursor)
        facts += [item["text"] for item in page["items"]]
        cursor = page.get("next_cursor")
        if cursor is None:
            break
    assert facts == [f"Fact {number}" for number in reversed(range(7))]


@pytest.mark.parametrize("stranger", [BOB, EVE])
def test_entries_of_one_user_are_hidden_from_others(desk: Desk, stranger: object) -> None:
    memory = desk.do("memory", action="create", text="Jack prefers mornings")["items"][0]["id"]
    note = desk.do("stickynotes", action="create", text="Call my dentist")["items"][0]["id"]
    wish = desk.do("manage_prompt", action="add", text="No emojis")["items"][0]["id"]
    other = desk.at(stranger)  # type: ignore[arg-type]
    for tool in ("memory", "stickynotes", "manage_prompt"):
        assert texts(other, tool, action="list") == []
    assert other.refuse("memory", action="delete", memory_id=memory)["code"] == "not_found"
    assert other.refuse("stickynotes", action="resolve", note_id=note)["code"] == "not_found"
    assert other.refuse("manage_prompt", action="delete", instruction_id=wish)["code"] == "not_found"
    assert other.do("get_personality")["instructions"] == []


def test_sticky_notes_become_due_are_snoozed_and_resolved(desk: Desk, clock: FixedClock) -> None:
    desk.do("stickynotes", action="create", text="Buy flowers")
    late = desk.do("stickynotes", action="create", text="Call my dentist", due_at="tomorrow at 5pm")["items"][0]
    soon = desk.do("stickynotes", action="create", text="Water the plants", due_at="2026-03-02T12:00:00+01:00")
    assert late["due_at"] == "2026-03-03T17:00:00+01:00"
    assert texts(desk, "stickynotes", action="list") == ["Water the plants", "Call my dentist", "Buy flowers"]
    assert texts(desk, "stickynotes", action="list", status="due") == []

    clock.advance(timedelta(hours=3))
    assert texts(desk, "stickynotes", action="list", status="due") == ["Water the plants"]
    plants = soon["items"][0]["id"]
    snoozed = desk.do("stickynotes", action="snooze", note_id=plants)["items"][0]
    assert (snoozed["due_at"], snoozed["is_due"]) == ("2026-03-02T14:00:00+01:00", False)
    desk.do("stickynotes", action="snooze", note_id=plants, due_at="next Friday 9am")
    assert texts(desk, "stickynotes", action="list") == ["Call my dentist", "Water the plants", "Buy flowers"]

    desk.do("stickynotes", action="resolve", note_id=plants)
    assert texts(desk, "stickynotes", action="list", status="resolved") == ["Water the plants"]
    assert texts(desk, "stickynotes", action="list") == ["Call my dentist", "Buy flowers"]
    assert desk.refuse("stickynotes", action="snooze", note_id=plants)["code"] == "conflict"
    clock.advance(timedelta(days=31))
    assert texts(desk, "stickynotes", action="list", status="resolved") == []
    own = OwnedEntries(desk.ports.entries, ANN.tenant, ANN.user)
    assert [reminder.text for reminder in due_reminders(own, clock.now())] == ["Call my dentist"]


def test_a_sticky_note_is_not_due_in_the_past(desk: Desk) -> None:
    error = desk.refuse("stickynotes", action="create", text="Call", due_at="2026-03-01T10:00:00Z")
    assert error["pointer"] == "/due_at"
    note = desk.do("stickynotes", action="create", text="Call")["items"][0]["id"]
    assert desk.refuse("stickynotes", action="snooze", note_id=note, due_at="yesterday")["pointer"] == "/due_at"


def test_many_sticky_notes_are_counted_beyond_the_limit(desk: Desk) -> None:
    for number in range(60):
        desk.do("stickynotes", action="create", text=f"Note {number}")
    answer = desk.do("stickynotes", action="list", limit=2)
    assert ([item["text"] for item in answer["items"]], answer["total"]) == (["Note 59", "Note 58"], 60)


def test_standing_instructions_make_the_personality(desk: Desk) -> None:
    assert desk.do("get_personality")["mode"] == "default"
    desk.do("manage_prompt", action="add", text="Answer in short sentences")
    second = desk.do("manage_prompt", action="add", text="No emojis")
    assert second["receipt"]["entity"]["name"] == "No emojis"
    assert texts(desk, "manage_prompt", action="list") == ["Answer in short sentences", "No emojis"]
    desk.do("manage_prompt", action="delete", instruction_id=second["items"][1]["id"])
    assert desk.do("get_personality")["instructions"] == ["Answer in short sentences"]


def test_the_personality_is_the_tenants_and_the_users(desk: Desk) -> None:
    profile = {"assistant_name": "Nova", "persona": ["Calm."], "labels": {"lead": "prospect"}}
    desk.ports.entries.put("acme", None, "profile", "profile", profile)
    desk.ports.entries.put("acme", "ann", "preferences", "preferences", {"mode": "coach"})
    personality = desk.do("get_personality")
    assert (personality["name"], personality["persona"], personality["labels"]) == (
        "Nova",
        ["Calm."],
        {"lead": "prospect"},
    )
    assert personality["mode"] == "coach"
    assert "guiding question" in personality["mode_guidelines"]
    assert desk.at(EVE).do("get_personality")["persona"] == []


def test_a_page_opens_with_a_record_or_without(desk: Desk) -> None:
    assert desk.do("navigate_to_page", page="settings") == {"navigate_to": "settings"}
    lead = desk.put("lead", first_name="Jack", last_name="Russel")
    navigation = desk.do("navigate_to_page", page="leads", entity_type="lead", entity_id=lead)
    assert navigation == {"navigate_to": "leads", "record": {"type": "lead", "id": lead, "name": "Jack Russel"}}
    wrong = desk.refuse("navigate_to_page", page="pipeline", entity_type="lead", entity_id=lead)
    assert wrong["suggestion"] == "Use page leads."
    assert (
        desk.at(EVE).refuse("navigate_to_page", page="leads", entity_type="lead", entity_id=lead)["code"] == "not_found"
    )


def test_pages_of_closed_modules_stay_closed(desk: Desk) -> None:
    bob = desk.at(BOB)
    for page in ("opportunities", "pipeline"):
        assert bob.refuse("navigate_to_page", page=page)["code"] == "permission_denied"
    nobody = desk.at(replace(ANN, modules=frozenset()))
    for page in ("leads", "contacts", "accounts", "activities", "calendar", "notes", "goals"):
        assert nobody.refuse("navigate_to_page", page=page)["code"] == "permission_denied"
    for page in ("dashboard", "documents", "settings"):
        assert nobody.do("navigate_to_page", page=page) == {"navigate_to": page}
