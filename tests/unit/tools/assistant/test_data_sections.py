"""Tests of the data sections that a model can request."""

from datetime import timedelta
from typing import Any

from aisha.application.knowledge.data_sections import data_sections
from aisha.application.tooling.context import make_context
from tests.support.tenants.desk import BOB, NOW, Desk


def read(desk: Desk, section: str) -> Any:
    return data_sections()[section].read(make_context(desk.principal, desk.ports, "op"))


def test_deals_are_counted_even_those_that_are_not_listed(desk: Desk) -> None:
    for number in range(30):
        desk.put("opportunity", name=f"Deal {number}", stage="proposal", close_date=NOW.date() + timedelta(days=number))
    desk.put("opportunity", name="Of Bob", stage="negotiation", owner="bob", close_date=NOW.date())
    desk.put("opportunity", name="Over", stage="closed_won", close_date=NOW.date())
    mine, team = read(desk, "MY_PIPELINE"), read(desk, "TEAM_PIPELINE")
    assert (mine["open_deals"], mine["by_stage"], mine["is_cut"]) == (30, {"proposal": 30}, True)
    assert (team["open_deals"], team["by_stage"]) == (31, {"proposal": 30, "negotiation": 1})
    assert [deal["name"] for deal in mine["deals"]] == [f"Deal {number}" for number in range(25)]


def test_a_list_of_exactly_25_deals_is_complete(desk: Desk) -> None:
    for number in range(25):
        desk.put("opportunity", name=f"Deal {number}", stage="proposal", close_date=NOW.date())
    pipeline = read(desk, "MY_PIPELINE")
    assert (len(pipeline["deals"]), pipeline["open_deals"], pipeline["is_cut"]) == (25, 25, False)


def test_a_closed_module_has_no_deals(desk: Desk) -> None:
    desk.put("opportunity", name="Of Bob", stage="proposal", owner="bob")
    assert read(desk.at(BOB), "MY_PIPELINE") == {"open_deals": 0, "by_stage": {}, "deals": []}


def test_overdue_activities_do_not_displace_coming_ones(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack")
    for number in range(30):
        due = NOW - timedelta(days=number + 1)
        desk.put("activity", title=f"Old {number}", activity_type="call", about=lead, due_at=due)
    desk.put("activity", title="Demo", activity_type="meeting", about=lead, due_at=NOW + timedelta(hours=2))
    desk.put("activity", title="Next month", activity_type="meeting", about=lead, due_at=NOW + timedelta(days=15))
    calendar = read(desk, "MY_CALENDAR")
    assert [(item["title"], item["due"], item["with"]) for item in calendar["coming"]["activities"]] == [
        ("Demo", "2026-03-02T12:00+01:00", "Jack")
    ]
    assert (len(calendar["overdue"]["activities"]), calendar["overdue"]["is_cut"]) == (10, True)


def test_goals_are_those_of_the_user_or_of_everybody(desk: Desk) -> None:
    desk.put("goal", title="Mine", scope="mine")
    desk.put("goal", title="Ours", scope="shared")
    desk.put("goal", title="Bob's", scope="mine", owner="bob")
    assert [goal["title"] for goal in read(desk, "MY_OKRS")["goals"]] == ["Mine"]
    assert [goal["title"] for goal in read(desk, "SHARED_OKRS")["goals"]] == ["Ours"]
