from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.fakes.stores.in_memory import FixedClock
from tests.support.tenants.desk import BOB, EVE, NOW, Desk


def _call(lead: str, **fields: Any) -> dict[str, Any]:
    return {"entity_type": "lead", "entity_id": lead, "title": "Call Jack", "activity_type": "call", **fields}


@pytest.fixture
def jack(desk: Desk) -> str:
    return desk.put("lead", first_name="Jack", last_name="Russel")


@pytest.mark.parametrize("kind", ["call", "email", "task", "demo"])
def test_without_a_date_it_is_due_the_next_working_day_at_nine_where_the_user_is(
    desk: Desk, jack: str, kind: str
) -> None:
    result = desk.do("create_activity", **_call(jack, activity_type=kind))
    assert result["record"]["due_at"] == "2026-03-03T09:00:00+01:00"
    assert result["record"]["status"] == "scheduled"
    assert result["record"]["owner"] == "ann"
    assert result["record"]["related"] == {"type": "lead", "id": jack, "name": "Jack Russel"}


def test_after_friday_comes_monday(desk: Desk, jack: str, clock: FixedClock) -> None:
    clock.advance(timedelta(days=4))
    assert desk.do("create_activity", **_call(jack))["record"]["due_at"].startswith("2026-03-09T09:00")


@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("today", "2026-03-02T17:00:00+01:00"),
        ("tomorrow", "2026-03-03T09:00:00+01:00"),
        ("next Tuesday at 3pm", "2026-03-10T15:00:00+01:00"),
        ("2026-03-05T08:30:00-05:00", "2026-03-05T08:30:00-05:00"),
    ],
)
def test_a_date_is_understood_in_words_and_keeps_its_offset(desk: Desk, jack: str, words: str, due: str) -> None:
    assert desk.do("create_activity", **_call(jack, due_date=words))["record"]["due_at"] == due


def test_a_meeting_needs_its_time(desk: Desk, jack: str) -> None:
    error = desk.refuse("create_activity", **_call(jack, activity_type="meeting"))
    assert (error["code"], error["message"]) == ("missing_field", "Missing required field: due_date")
    assert desk.do("create_activity", **_call(jack, activity_type="meeting", due_date="tomorrow at 10"))
    assert desk.total("activity") == 1


@pytest.mark.parametrize("kind", ["call", "meeting"])
def test_what_has_taken_place_is_logged_as_completed_now(desk: Desk, jack: str, kind: str) -> None:
    logged = desk.do("create_activity", **_call(jack, activity_type=kind, status="completed", body="Wants pricing"))
    record = logged["record"]
    assert (record["status"], record["body"]) == ("completed", "Wants pricing")
    assert datetime.fromisoformat(record["due_at"]) == datetime.fromisoformat(record["completed_at"]) == NOW


def test_what_has_taken_place_is_logged_with_its_time(desk: Desk, jack: str) -> None:
    record = desk.do("create_activity", **_call(jack, status="completed", due_date="last Friday at 3pm"))["record"]
    assert record["due_at"] == record["completed_at"] == "2026-02-27T15:00:00+01:00"


def test_nothing_to_come_is_logged_as_completed(desk: Desk, jack: str) -> None:
    error = desk.refuse("create_activity", **_call(jack, status="completed", due_date="tomorrow at 3pm"))
    assert (error["code"], error["pointer"]) == ("invalid_input", "/due_date")
    assert desk.total("activity") == 0


def test_nothing_is_scheduled_in_the_past(desk: Desk, jack: str) -> None:
    error = desk.refuse("create_activity", **_call(jack, due_date="yesterday"))
    assert (error["code"], error["pointer"]) == ("invalid_input", "/due_date")
    activity = desk.do("create_activity", **_call(jack))["record"]["id"]
    assert desk.refuse("update_activity", activity_id=activity, due_date="last Monday")["code"] == "invalid_input"
    assert desk.total("activity") == 1


def test_an_activity_needs_an_existing_record(desk: Desk, jack: str) -> None:
    theirs = desk.at(EVE).put("lead", first_name="Jack")
    error = desk.refuse("create_activity", **_call(theirs))
    assert (error["code"], error["entity_type"], error["entity_id"]) == ("not_found", "lead", theirs)
    assert desk.refuse("create_activity", **_call(jack, entity_type="contact"))["code"] == "not_found"
    assert desk.total("activity") == 0


def test_a_closed_module_is_not_reached_through_an_activity(desk: Desk) -> None:
    deal = desk.put("opportunity", name="License")
    secret = desk.put("activity", title="Price talk", activity_type="call", about=deal, due_at=NOW)
    lead = desk.put("lead", first_name="Jack")
    desk.put("activity", title="Call Jack", activity_type="call", about=lead, due_at=NOW)
    bob = desk.at(BOB)

    about_deal = {"entity_type": "opportunity", "entity_id": deal}
    draft = {**about_deal, "title": "Call", "activity_type": "call"}
    for tool, arguments in (
        ("create_activity", draft),
        ("bulk_create_activities", {"items": [draft]}),
        ("list_activities", about_deal),
        ("get_activity", {"activity_id": secret}),
        ("update_activity", {"activity_id": secret, "title": "Mine"}),
        ("complete_activity", {"activity_id": secret}),
        ("delete_activity", {"activity_id": secret}),
    ):
        error = bob.refuse(tool, **arguments)
        assert (error["code"], error["message"]) == ("permission_denied", "User lacks module access: opportunities")
    assert bob.names("list_activities") == ["Call Jack"]
    assert sorted(desk.names("list_activities")) == ["Call Jack", "Price talk"]
    assert desk.do("get_activity", activity_id=secret)["title"] == "Price talk"


@pytest.fixture
def calendar(desk: Desk, jack: str) -> Desk:
    """Return a desk with activities of Jack from three days ago to nine days ahead."""
    for title, days, fields in (
        ("Late call", -3, {}),
        ("Done mail", -2, {"activity_type": "email", "status": "completed"}),
        ("Late task", -1, {"activity_type": "task", "owner": "bob"}),
        ("Next call", 1, {"priority": "high"}),
        ("Called off", 2, {"status": "cancelled"}),
        ("Far demo", 9, {"activity_type": "demo"}),
    ):
        due = NOW + timedelta(days=days)
        desk.put("activity", **{"title": title, "activity_type": "call", "about": jack, "due_at": due, **fields})
    return desk


@pytest.mark.parametrize(
    ("filters", "titles"),
    [
        ({}, ["Late call", "Late task", "Next call", "Far demo"]),
        ({"status": "overdue"}, ["Late call", "Late task"]),
        ({"status": "Overdue", "owner": "me"}, ["Late call"]),
        ({"status": "completed"}, ["Done mail"]),
        ({"status": "cancelled"}, ["Called off"]),
        ({"activity_type": "Call", "status": "scheduled"}, ["Late call", "Next call"]),
        ({"priority": "high"}, ["Next call"]),
        ({"due_after": "today", "due_before": "in 3 days"}, ["Next call", "Called off"]),
        ({"name_contains": "demo"}, ["Far demo"]),
    ],
)
def test_activities_are_listed_by_what_was_asked(calendar: Desk, filters: dict[str, str], titles: list[str]) -> None:
    assert calendar.names("list_activities", **filters) == titles


def test_a_record_shows_its_whole_history_page_by_page(calendar: Desk, jack: str) -> None:
    about = {"entity_type": "lead", "entity_id": jack}
    first = calendar.do("list_activities", **about, limit=4)
    rest = calendar.do("list_activities", **about, limit=4, cursor=first["next_cursor"])
    titles = [item["title"] for item in (*first["items"], *rest["items"])]
    assert titles == ["Late call", "Done mail", "Late task", "Next call", "Called off", "Far demo"]
    assert first["total"] == 6
    assert "next_cursor" not in rest


def test_an_activity_is_completed_once(desk: Desk, jack: str) -> None:
    activity = desk.do("create_activity", **_call(jack))["record"]["id"]
    result = desk.do("complete_activity", activity_id=activity, outcome="Wants a demo")["record"]
    assert (result["status"], result["outcome"]) == ("completed", "Wants a demo")
    assert datetime.fromisoformat(result["completed_at"]) == NOW
    again = desk.refuse("complete_activity", activity_id=activity, outcome="Other")
    assert again["code"] == "conflict"
    assert desk.do("get_activity", activity_id=activity)["outcome"] == "Wants a demo"


def test_an_activity_is_moved_cancelled_completed_and_reopened(desk: Desk, jack: str) -> None:
    activity = desk.do("create_activity", **_call(jack))["record"]["id"]
    moved = desk.do("update_activity", activity_id=activity, due_date="Friday at 2pm")
    assert moved["record"]["due_at"] == "2026-03-06T14:00:00+01:00"
    assert moved["receipt"]["before"] == {"due_at": "2026-03-03T09:00:00+01:00"}
    assert desk.do("update_activity", activity_id=activity, status="cancelled")["record"]["status"] == "cancelled"
    completed = desk.do("update_activity", activity_id=activity, status="completed")["record"]
    assert datetime.fromisoformat(completed["completed_at"]) == NOW
    assert "completed_at" not in desk.do("update_activity", activity_id=activity, status="scheduled")["record"]
    assert desk.refuse("update_activity", activity_id=activity)["code"] == "invalid_input"


def test_a_deleted_activity_is_gone(desk: Desk, jack: str) -> None:
    activity = desk.do("create_activity", **_call(jack))["record"]["id"]
    desk.do("delete_activity", activity_id=activity)
    assert desk.refuse("get_activity", activity_id=activity)["code"] == "not_found"


def test_many_are_created_in_the_order_given(desk: Desk) -> None:
    leads = [desk.put("lead", first_name=f"Lead {number}") for number in range(25)]
    drafts = [_call(lead, title=f"Call {number}") for number, lead in enumerate(leads)]
    results = desk.do("bulk_create_activities", items=drafts)["items"]
    assert [item["record"]["title"] for item in results] == [f"Call {number}" for number in range(25)]
    assert [item["record"]["related"]["name"] for item in results][:2] == ["Lead 0", "Lead 1"]
    assert {item["receipt"]["action"] for item in results} == {"created"}
    assert desk.total("activity") == 25


@pytest.mark.parametrize(
    ("wrong", "code", "hint"),
    [
        ({"entity_id": "lead_01ARZ3NDEKTSV4RRFFQ69G5FAV"}, "not_found", "item 12"),
        ({"due_date": "yesterday"}, "invalid_input", "past"),
        ({"activity_type": "meeting"}, "missing_field", "due_date"),
        ({"title": ""}, "invalid_input", "title"),
        ({"owner_of": "me"}, "invalid_input", "owner_of"),
    ],
)
def test_if_one_of_many_can_not_be_scheduled_none_is(
    desk: Desk, jack: str, wrong: dict[str, str], code: str, hint: str
) -> None:
    drafts = [_call(jack, title=f"Call {place}") for place in range(12)]
    drafts[11] |= wrong
    error = desk.refuse("bulk_create_activities", items=drafts)
    assert error["code"] == code
    assert hint in error["message"]
    assert desk.total("activity") == 0


@pytest.mark.parametrize("number", [0, 51])
def test_too_few_or_too_many_are_refused(desk: Desk, jack: str, number: int) -> None:
    assert desk.refuse("bulk_create_activities", items=[_call(jack)] * number)["code"] == "invalid_input"
    assert desk.total("activity") == 0
