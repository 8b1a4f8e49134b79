from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from tests.support.tenants.desk import ANN, BOB, EVE, NOW, Desk

BEST: dict[str, Any] = {
    "first_name": "Jack",
    "status": "qualified",
    "source": "referral",
    "email": "jack@abc.example",
    "phone": "123",
    "job_title": "Operations Director",
    "estimated_value": 60_000,
    "last_contacted_at": NOW - timedelta(days=2),
    "score": 40,
}


def _points(desk: Desk, lead: str) -> dict[str, int]:
    result = desk.do("score_lead", lead_id=lead)
    return {item["reason"]: item["points"] for item in result["reasons"]}


def test_the_best_lead_has_a_hundred_points_and_each_is_accounted_for(desk: Desk) -> None:
    jack = desk.put("lead", **BEST)
    for day in (1, 2, 3):
        completed_at = NOW - timedelta(days=day)
        desk.put(
            "activity", title="Call", activity_type="call", about=jack, status="completed", completed_at=completed_at
        )
    desk.put("activity", title="Demo", activity_type="demo", about=jack, due_at=NOW + timedelta(days=1))
    desk.put("note", content="Wants a quote by Friday", about=jack)
    result = desk.do("score_lead", lead_id=jack)
    assert result["lead"] == {"type": "lead", "id": jack, "name": "Jack"}
    assert (result["score"], result["stored_score"]) == (100, 40)
    points = [item["points"] for item in result["reasons"]]
    assert sum(points) == 100
    assert points == sorted(points, reverse=True)
    assert {"Last contacted 2 days ago", "3 activities done in the last 30 days", "An activity is planned"} <= {
        item["reason"] for item in result["reasons"]
    }
    assert desk.do("get_lead", lead_id=jack)["score"] == 40


def test_a_lead_that_nothing_is_known_of_has_the_points_of_its_status(desk: Desk) -> None:
    result = desk.do("score_lead", lead_id=desk.put("lead", first_name="Jack"))
    assert (result["score"], result["reasons"]) == (5, [{"reason": "The lead is new", "points": 5}])
    assert "stored_score" not in result


@pytest.mark.parametrize(
    ("fields", "reason", "points"),
    [
        ({"last_contacted_at": NOW - timedelta(days=7)}, "Last contacted 7 days ago", 15),
        ({"last_contacted_at": NOW - timedelta(days=8)}, "Last contacted 8 days ago", 8),
        ({"last_contacted_at": NOW - timedelta(days=31)}, "Last contacted 31 days ago", -10),
        ({"status": "lost"}, "The lead is lost", -25),
        ({"estimated_value": 12_000}, "The business may be worth $12,000", 6),
        ({"source": "cold_call"}, "It came by cold call", 2),
        ({"job_title": "CEO"}, "CEO is somebody who decides", 10),
    ],
)
def test_a_reason_has_its_points(desk: Desk, fields: dict[str, Any], reason: str, points: int) -> None:
    assert _points(desk, desk.put("lead", first_name="Jack", **fields))[reason] == points


def test_who_must_not_be_called_is_not_reachable_by_phone(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", phone="123", email="j@abc.example", do_not_call=True)
    assert "There is a phone number" not in _points(desk, jack)
    assert _points(desk, jack)["There is an email address"] == 5


def test_a_lost_lead_has_no_less_than_nothing(desk: Desk) -> None:
    assert desk.do("score_lead", lead_id=desk.put("lead", first_name="Jack", status="lost"))["score"] == 0


def test_the_score_tells_nothing_that_the_user_may_not_see(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack")
    desk.put("note", content="Wants a quote", about=jack, is_private=True)
    desk.put("activity", title="Demo", activity_type="demo", about=jack, due_at=NOW + timedelta(days=1))
    assert "A note says that something is wanted" in _points(desk, jack)
    assert "A note says that something is wanted" not in _points(desk.at(BOB), jack)
    assert set(_points(desk.at(replace(ANN, modules=frozenset({"leads"}))), jack)) == {"The lead is new"}
    theirs = desk.at(EVE).put("lead", first_name="Zoe")
    assert desk.refuse("score_lead", lead_id=theirs)["code"] == "not_found"
