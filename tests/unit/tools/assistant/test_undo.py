"""Tests of the tool that takes back the last change."""

from datetime import timedelta

import pytest

from aisha.application.tooling.context import make_context
from aisha.application.tooling.gate.receipts import KIND
from aisha.application.tooling.results import Receipt
from aisha.domain.crm.queries import Change, Create, Delete, Update
from aisha.domain.crm.records import Lead
from tests.fakes.stores.in_memory import FixedClock
from tests.support.tenants.desk import BOB, EVE, Desk


def test_a_created_record_is_removed(desk: Desk) -> None:
    created = desk.do("create_lead", first_name="Nora", last_name="Fink")["record"]["id"]
    undone = desk.do("undo_last")["receipts"]
    assert [(receipt["action"], receipt["entity"]["name"]) for receipt in undone] == [("deleted", "Nora Fink")]
    assert desk.refuse("get_lead", lead_id=created)["code"] == "not_found"


def test_a_changed_record_gets_its_old_values(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", last_name="Russel", status="new", company="ABC")
    desk.do("update_lead", lead_id=lead, status="warm", phone="+49 30 1")
    desk.do("undo_last")
    now = desk.do("get_lead", lead_id=lead)
    assert (now["status"], now.get("phone"), now["company"]) == ("new", None, "ABC")


def test_a_deleted_record_comes_back_under_its_id(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", last_name="Russel", email="jack@abc.example", tags=["vip"])
    before = desk.do("get_lead", lead_id=lead)
    desk.do("delete_lead", lead_id=lead)
    desk.do("undo_last")
    after = desk.do("get_lead", lead_id=lead)
    fields = ("id", "email", "tags", "owner", "display_name")
    assert [after[name] for name in fields] == [before[name] for name in fields]
    assert desk.names("search_leads", name_contains="Russel") == ["Jack Russel"]


def test_a_conversion_is_taken_back_as_a_whole(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", last_name="Russel", status="qualified", company="ABC Corp")
    desk.do("convert_lead", lead_id=lead, create_opportunity=True)
    desk.do("undo_last")
    assert desk.do("get_lead", lead_id=lead)["status"] == "qualified"
    assert "converted" not in desk.do("get_lead", lead_id=lead)
    assert [desk.total(kind) for kind in ("contact", "account", "opportunity")] == [0, 0, 0]


def test_a_bulk_of_more_than_one_transaction(desk: Desk) -> None:
    lead = desk.put("lead", last_name="Russel")
    items = [
        {"entity_type": "lead", "entity_id": lead, "title": f"Call {number}", "activity_type": "call"}
        for number in range(15)
    ]
    desk.do("bulk_create_activities", items=items)
    desk.do("undo_last")
    assert desk.total("activity") == 0


def test_a_write_that_changed_a_record_twice_is_taken_back_whole(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", last_name="Russel", status="new", company="ABC")
    other = desk.put("lead", last_name="Lee")
    changes: list[Change] = [
        Update("lead", lead, {"status": "warm", "phone": "+49 30 1"}),
        Update("lead", other, {"status": "warm"}),
        Update("lead", lead, {"status": "qualified", "company": "XYZ"}),
    ]
    keep_a_write(desk, changes)
    desk.do("undo_last")
    now = desk.do("get_lead", lead_id=lead)
    assert (now["status"], now.get("phone"), now["company"]) == ("new", None, "ABC")
    assert desk.do("get_lead", lead_id=other)["status"] == "new"


def test_what_a_write_created_and_changed_is_removed(desk: Desk) -> None:
    created = Lead(id="lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N", last_name="Fink")
    keep_a_write(desk, [Create(created), Update("lead", created.id, {"status": "warm"})])
    desk.do("undo_last")
    assert desk.total("lead") == 0


def test_what_a_write_changed_and_deleted_comes_back_as_it_was(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", last_name="Russel", status="new")
    keep_a_write(desk, [Update("lead", lead, {"status": "warm"}), Delete("lead", lead)])
    desk.do("undo_last")
    assert desk.do("get_lead", lead_id=lead)["status"] == "new"


def keep_a_write(desk: Desk, changes: list[Change]) -> None:
    """Write the changes as one tool does, with the receipts that an undo reads."""
    context = make_context(desk.principal, desk.ports, "a_write.1")
    receipts = [Receipt.of(written).model_dump(mode="json") for written in context.records.write(*changes)]
    body = {"tool": "some_tool", "is_outside": False, "receipts": receipts, "operation": "a_write.1"}
    context.own.add(KIND, body)


def test_again_takes_back_the_change_before(desk: Desk) -> None:
    desk.do("create_lead", last_name="First")
    desk.do("create_lead", last_name="Second")
    desk.do("undo_last")
    assert desk.names("search_leads") == ["First"]
    desk.do("undo_last")
    assert desk.total("lead") == 0
    assert desk.refuse("undo_last")["code"] == "not_found"


def test_what_has_changed_since_stays(desk: Desk) -> None:
    lead = desk.do("create_lead", last_name="Russel")["record"]["id"]
    desk.at(BOB).do("update_lead", lead_id=lead, status="warm")
    error = desk.refuse("undo_last")
    assert error["code"] == "conflict"
    assert "Russel has changed since" in error["message"]
    assert desk.do("get_lead", lead_id=lead)["status"] == "warm"


@pytest.mark.parametrize("somebody", [BOB, EVE])
def test_nobody_takes_back_what_others_did(desk: Desk, somebody: object) -> None:
    desk.do("create_lead", last_name="Russel")
    assert desk.at(somebody).refuse("undo_last")["code"] == "not_found"  # type: ignore[arg-type]
    assert desk.total("lead") == 1


def test_after_a_day_it_stays(desk: Desk, clock: FixedClock) -> None:
    desk.do("create_lead", last_name="Russel")
    clock.advance(timedelta(hours=24, seconds=1))
    assert desk.refuse("undo_last")["code"] == "not_found"


def test_a_sticky_note_and_a_memory_are_removed(desk: Desk) -> None:
    desk.do("create_lead", last_name="Russel")
    desk.do("stickynotes", action="create", text="Buy milk")
    desk.do("memory", action="create", text="Maria likes short emails")
    assert [receipt["entity"]["name"] for receipt in desk.do("undo_last")["receipts"]] == ["Maria likes short emails"]
    assert desk.do("memory", action="list")["items"] == []
    desk.do("undo_last")
    assert desk.do("stickynotes", action="list")["items"] == []
    assert desk.total("lead") == 1


def test_what_can_not_be_taken_back_is_no_reason_to_take_back_an_earlier_change(desk: Desk) -> None:
    desk.do("create_lead", last_name="Russel")
    note = desk.do("stickynotes", action="create", text="Buy milk")["items"][0]["id"]
    desk.do("stickynotes", action="resolve", note_id=note)
    assert desk.refuse("undo_last")["code"] == "conflict"
    assert desk.total("lead") == 1
