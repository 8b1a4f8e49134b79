from datetime import timedelta

import pytest

from tests.fakes.stores.in_memory import FixedClock
from tests.support.tenants.desk import BOB, EVE, Desk


@pytest.fixture
def jack(desk: Desk) -> str:
    return desk.put("lead", first_name="Jack", last_name="Russel")


def test_a_note_is_written_and_read(desk: Desk, jack: str, clock: FixedClock) -> None:
    created = desk.do(
        "create_note", entity_type="lead", entity_id=jack, content="Awaiting callback", note_type="Call log"
    )
    assert created["record"]["related"]["name"] == "Jack Russel"
    assert (created["record"]["note_type"], created["record"]["owner"]) == ("call_log", "ann")
    clock.advance(timedelta(hours=1))
    desk.do("create_note", entity_type="lead", entity_id=jack, content="Called again")

    listed = desk.do("list_notes", entity_type="lead", entity_id=jack)
    assert [item["content"] for item in listed["items"]] == ["Called again", "Awaiting callback"]
    assert listed["total"] == 2


def test_an_empty_note_or_one_about_nobody_is_refused(desk: Desk, jack: str) -> None:
    theirs = desk.at(EVE).put("lead", first_name="Jack")
    assert desk.refuse("create_note", entity_type="lead", entity_id=jack, content=" ")["code"] == "invalid_input"
    assert desk.refuse("create_note", entity_type="lead", entity_id=theirs, content="Hi")["code"] == "not_found"
    assert desk.refuse("list_notes", entity_type="lead", entity_id=theirs)["code"] == "not_found"
    assert desk.total("note") == 0


def test_notes_are_found_by_their_words(desk: Desk, jack: str) -> None:
    desk.put("note", content="Wants the mobile app", about=jack)
    desk.put("note", content="Budget is tight", about=jack, note_type="important")
    notes = desk.do("search_notes", query="mobile APP")["items"]
    assert [item["content"] for item in notes] == ["Wants the mobile app"]
    assert desk.do("search_notes", query="budget", note_type="general")["items"] == []


def test_private_notes_are_their_owners_alone(desk: Desk, jack: str) -> None:
    bob = desk.at(BOB)
    private = bob.put("note", content="Secret budget", about=jack, is_private=True)
    desk.put("note", content="Open budget", about=jack)

    about = {"entity_type": "lead", "entity_id": jack}
    assert [item["content"] for item in desk.do("list_notes", **about)["items"]] == ["Open budget"]
    assert desk.do("list_notes", **about)["total"] == 1
    assert [item["content"] for item in desk.do("search_notes", query="budget")["items"]] == ["Open budget"]
    assert desk.refuse("delete_note", note_id=private)["code"] == "not_found"
    assert len(bob.do("list_notes", **about)["items"]) == 2
    assert bob.do("delete_note", note_id=private)["receipt"]["action"] == "deleted"


def test_private_notes_in_the_way_do_not_shorten_a_page(desk: Desk, jack: str, clock: FixedClock) -> None:
    bob = desk.at(BOB)
    for number in range(6):
        desk.put("note", content=f"Open {number}", about=jack)
        clock.advance(timedelta(minutes=1))
        bob.put("note", content=f"Secret {number}", about=jack, is_private=True)
        clock.advance(timedelta(minutes=1))
    about = {"entity_type": "lead", "entity_id": jack, "limit": 4}
    first = desk.do("list_notes", **about)
    second = desk.do("list_notes", **about, cursor=first["next_cursor"])
    assert [item["content"] for item in first["items"]] == ["Open 5", "Open 4", "Open 3", "Open 2"]
    assert [item["content"] for item in second["items"]] == ["Open 1", "Open 0"]
    assert "total" not in first


def test_a_closed_module_is_not_reached_through_a_note(desk: Desk) -> None:
    deal = desk.put("opportunity", name="License")
    note = desk.put("note", content="Their budget is 5000", about=deal)
    bob = desk.at(BOB)
    about = {"entity_type": "opportunity", "entity_id": deal}
    for tool, arguments in (
        ("list_notes", about),
        ("create_note", {**about, "content": "Hi"}),
        ("delete_note", {"note_id": note}),
    ):
        assert bob.refuse(tool, **arguments)["message"] == "User lacks module access: opportunities"
    assert bob.do("search_notes", query="budget")["items"] == []
    assert len(desk.do("search_notes", query="budget")["items"]) == 1
