"""Suggestions are listed, accepted, dismissed and put off in words, each by its place or its record."""

import pytest
from msgspec.structs import replace

from tests.support.tenants.desk import ANN, BOB, Desk


@pytest.fixture
def leads(desk: Desk) -> list[str]:
    """Three warm leads with nothing planned, the best first, and a scan that has found them."""
    ids = [desk.put("lead", first_name=name, status="warm", score=score) for name, score in (("Ann", 90), ("Bo", 80))]
    desk.do("run_scan", scan_type="stale_leads")
    return ids


def _texts(desk: Desk, status: str = "pending") -> list[str]:
    return [item["entity"]["name"] for item in desk.do("list_suggestions", status=status)["items"]]


def test_what_a_scan_on_demand_finds_waits_as_suggestions(desk: Desk, leads: list[str]) -> None:
    assert sorted(_texts(desk)) == ["Ann", "Bo"]
    assert _texts(desk.at(BOB)) == []


def test_a_finding_of_two_scans_is_one_suggestion_and_new_once(desk: Desk, leads: list[str]) -> None:
    desk.do("run_scan", scan_type="next_steps")
    assert sorted(_texts(desk)) == ["Ann", "Bo"]
    text = desk.do("get_scan_briefing")["text"]
    assert "There are 2 new findings." in text


def test_findings_about_others_records_are_left_to_the_sweep(desk: Desk) -> None:
    desk.put("lead", first_name="Bobs", status="warm", owner="bob")
    desk.put("lead", first_name="Nobodys", status="warm", owner=None)
    assert desk.do("run_scan", scan_type="stale_leads")["findings_total"] == 2
    assert _texts(desk) == ["Nobodys"]
    assert _texts(desk.at(replace(ANN, user="cleo"))) == ["Nobodys"]


def test_an_accepted_suggestion_is_carried_out_once(desk: Desk, leads: list[str]) -> None:
    first = _texts(desk)[0]
    result = desk.do("accept_suggestion", place=1)
    assert (result["status"], result["done"]) == ("accepted", f"created activity Call with {first}")
    assert [item["title"] for item in desk.do("list_activities")["items"]] == [f"Call with {first}"]
    assert desk.refuse("accept_suggestion", place=1)["code"] == "not_found"
    assert desk.total("activity") == 1


def test_what_needs_a_value_of_the_user_is_said_so_and_keeps_waiting(desk: Desk) -> None:
    desk.put("account", name="Nordlys")
    desk.do("run_scan", scan_type="data_quality")
    refused = desk.refuse("accept_suggestion", place=1)
    assert "only you know: Complete the contact details of Nordlys" in refused["message"]
    assert _texts(desk) == ["Nordlys"]


def test_places_are_those_of_the_list_that_was_shown(desk: Desk, leads: list[str]) -> None:
    first, second = _texts(desk)
    desk.do("accept_suggestion", place=1)
    assert second in desk.do("dismiss_suggestion", place=2)["suggestion"]
    assert (_texts(desk, "accepted"), _texts(desk, "dismissed"), _texts(desk)) == ([first], [second], [])


def test_one_is_dismissed_by_its_record(desk: Desk, leads: list[str]) -> None:
    desk.do("dismiss_suggestion", entity_type="lead", entity_id=leads[1])
    assert _texts(desk, "dismissed") == ["Bo"]
    assert _texts(desk) == ["Ann"]


def test_one_is_put_off_until_its_time(desk: Desk, leads: list[str]) -> None:
    snoozed = desk.do("snooze_suggestion", place=1, until="tomorrow at 9am")
    assert snoozed["snoozed_until"].startswith("2026-03-03T09:00")
    assert len(_texts(desk)) == 1


def test_without_a_place_one_of_several_is_not_guessed(desk: Desk, leads: list[str]) -> None:
    refused = desk.refuse("accept_suggestion")
    assert refused["code"] == "invalid_input"
    assert "Ann" in refused["message"]
    assert "Bo" in refused["message"]
    assert desk.total("activity") == 0


def test_what_a_suggestion_would_do_passes_the_gate(desk: Desk) -> None:
    desk.put("lead", first_name="Ann", status="warm")
    desk.do("run_scan", scan_type="stale_leads")
    without = desk.at(replace(ANN, modules=ANN.modules - {"activities"}))
    assert without.do("list_suggestions")["items"] == []
    assert without.refuse("accept_suggestion", place=1)["code"] == "not_found"
