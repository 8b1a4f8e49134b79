from datetime import timedelta
from typing import Any

import pytest

from tests.fakes.stores.in_memory import FixedClock
from tests.support.tenants.desk import BOB, EVE, NOW, Desk


def _section(desk: Desk, kind: str, **arguments: Any) -> dict[str, Any]:
    [section] = desk.do("get_pipeline_summary", entity_type=kind, **arguments)["sections"]
    assert section["entity_type"] == kind
    return dict(section)


def _by_status(section: dict[str, Any]) -> dict[str, int]:
    return {row["status"]: row["count"] for row in section["by_status"]}


def test_counts_are_exact_beyond_any_page(desk: Desk) -> None:
    for number in range(63):
        desk.put("lead", first_name=f"L{number}", status="warm" if number % 3 == 0 else "new", estimated_value=10)
    desk.at(EVE).put("lead", first_name="Theirs")
    section = _section(desk, "lead")
    assert section["count"] == 63
    assert _by_status(section) == {"new": 42, "warm": 21}
    assert float(section["amount"]) == 630
    assert _by_status(_section(desk, "lead", status="Warm")) == {"warm": 21}
    assert _by_status(_section(desk, "lead", status="lost")) == {"lost": 0}


def test_counts_follow_writes(desk: Desk) -> None:
    deal = desk.put("opportunity", name="License", amount=500)
    desk.do("advance_opportunity_stage", opportunity_id=deal, stage="proposal")
    assert _by_status(_section(desk, "opportunity")) == {"proposal": 1}
    desk.do("delete_opportunity", opportunity_id=deal)
    assert _section(desk, "opportunity")["count"] == 0


def test_one_owners_records_are_counted(desk: Desk) -> None:
    desk.put("lead", first_name="Jack")
    desk.put("lead", first_name="Jill", owner="bob")
    desk.put("lead", first_name="Joe", owner=None)
    assert _section(desk, "lead", owner="me")["count"] == 1
    assert _section(desk, "lead", owner="Bob")["count"] == 1
    assert _section(desk, "lead")["count"] == 3


def test_a_period_counts_by_the_day_of_creation(desk: Desk, clock: FixedClock) -> None:
    desk.put("lead", first_name="Old")
    clock.advance(timedelta(days=31))
    desk.put("lead", first_name="New")
    assert _section(desk, "lead", period="this_month")["count"] == 1
    assert _section(desk, "lead", period="last_month")["count"] == 1
    assert _section(desk, "lead", period="yesterday")["count"] == 0
    assert _section(desk, "lead", first="2026-03-02", last="2026-03-02")["count"] == 1
    assert _section(desk, "lead", first="2026-03-01")["count"] == 2


@pytest.mark.parametrize(
    "filters",
    [
        {"first": "2026-03-02", "last": "2026-03-01"},
        {"first": "2026-03-02", "period": "today"},
        {"status": "purple"},
        {"entity_type": "lead", "status": "negotiation"},
        {"entity_type": "note"},
    ],
)
def test_filters_that_make_no_sense_are_refused(desk: Desk, filters: dict[str, str]) -> None:
    assert desk.refuse("get_pipeline_summary", **filters)["code"] == "invalid_input"


def test_currencies_are_kept_apart(desk: Desk) -> None:
    desk.put("opportunity", name="A", amount=100)
    desk.put("opportunity", name="B", amount=70, currency="EUR", stage="proposal")
    section = _section(desk, "opportunity")
    assert "amount" not in section
    assert {row["currency"]: float(row["amount"]) for row in section["by_currency"]} == {"USD": 100, "EUR": 70}
    assert [(row["status"], float(row["amount"]), row["currency"]) for row in section["by_status"]] == [
        ("prospecting", 100, "USD"),
        ("proposal", 70, "EUR"),
    ]


def test_accounts_are_counted_by_health_or_type(desk: Desk) -> None:
    for number in range(60):
        kind = "customer" if number < 55 else "partner"
        desk.put("account", name=f"A{number}", type=kind, health="healthy" if number < 2 else "unknown")
    assert _by_status(_section(desk, "account")) == {"unknown": 58, "healthy": 2}
    assert _by_status(_section(desk, "account", status="customer")) == {"customer": 55}
    assert _section(desk, "account", status="partner", owner="bob")["count"] == 0


def test_closed_modules_have_no_section(desk: Desk) -> None:
    desk.put("opportunity", name="License", amount=100)
    bob = desk.at(BOB)
    kinds = [section["entity_type"] for section in bob.do("get_pipeline_summary")["sections"]]
    assert kinds == ["lead", "contact", "account", "activity"]
    refused = bob.refuse("get_pipeline_summary", entity_type="opportunity")
    assert refused["message"] == "User lacks module access: opportunities"


def test_a_day_shows_what_is_late_due_hot_and_closing(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", status="warm", score=50)
    desk.put("lead", first_name="Jill", status="qualified", score=80)
    desk.put("lead", first_name="Joe", status="lost", score=99)
    desk.put("lead", first_name="Bobs", status="warm", owner="bob")
    for title, hours, fields in (
        ("Late", -30, {}),
        ("Soon", 2, {}),
        ("Tomorrow", 20, {}),
        ("Done", -1, {"status": "completed"}),
        ("Bobs call", 1, {"owner": "bob"}),
    ):
        due = NOW + timedelta(hours=hours)
        desk.put("activity", **{"title": title, "activity_type": "call", "about": jack, "due_at": due, **fields})
    for name, days, stage in (("Closing", 7, "proposal"), ("Later", 8, "proposal"), ("Won", 1, "closed_won")):
        desk.put("opportunity", name=name, stage=stage, close_date=NOW.date() + timedelta(days=days))

    day = desk.do("get_my_day")
    assert {name: [item["display_name"] for item in items] for name, items in day.items()} == {
        "overdue": ["Late"],
        "due_today": ["Soon"],
        "hot_leads": ["Jill", "Jack"],
        "closing_soon": ["Closing"],
    }
    bobs = desk.at(BOB).do("get_my_day")
    assert [item["display_name"] for item in bobs["due_today"]] == ["Bobs call"]
    assert "closing_soon" not in bobs


def test_a_status_report_has_the_teams_pipeline_open_goals_and_what_is_most_urgent(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", owner="bob")
    desk.put("opportunity", name="Rollout", amount=500, stage="proposal", owner="bob")
    for number in range(3):
        due = NOW - timedelta(days=number + 1)
        desk.put("activity", title=f"Late {number}", activity_type="call", about=jack, due_at=due)
    desk.put("goal", title="Win ten", key_results=[{"title": "won", "target": 10, "current": 4}])
    desk.put("goal", title="Old one", status="done")
    report = desk.do("get_status_report")
    assert [(one["entity_type"], one["count"]) for one in report["pipeline"]] == [("opportunity", 1), ("lead", 1)]
    assert [(one["title"], one["progress"]) for one in report["goals"]] == [("Win ten", 40)]
    named = [one["entity"]["name"] for one in report["attention"]]
    assert [name for name in named if name.startswith("Late")] == ["Late 2", "Late 1"]
    assert "Rollout" in named
    priorities = [one["priority"] for one in report["attention"]]
    assert priorities == sorted(priorities, reverse=True)


def test_a_status_report_leaves_out_what_the_user_may_not_see(desk: Desk) -> None:
    desk.put("opportunity", name="Rollout", stage="proposal")
    desk.put("lead", first_name="Jack")
    report = desk.at(BOB).do("get_status_report")
    assert [one["entity_type"] for one in report["pipeline"]] == ["lead"]
    assert "Rollout" not in str(report)
