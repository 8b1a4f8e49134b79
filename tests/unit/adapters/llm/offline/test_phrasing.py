"""Tool results in words."""

from datetime import datetime
from typing import Any

import pytest

from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.state import Ref


@pytest.mark.parametrize(
    ("instant", "text"),
    [
        ("2026-03-05T14:30:00-05:00", "tomorrow at 2:30 PM"),
        ("2026-03-03T00:00:00-05:00", "yesterday at 12:00 AM"),
        ("2026-03-20T01:05:00+00:00", "Thu, Mar 19 at 9:05 PM"),
        ("some day", "some day"),
    ],
)
def test_an_instant_is_told_in_the_users_zone(instant: str, text: str, now: datetime) -> None:
    assert phrasing.format_instant(instant, now) == text


@pytest.mark.parametrize(
    ("instant", "text"),
    [
        ("2026-03-04T09:00:00-05:00", "today"),
        ("2026-03-03T23:00:00-05:00", "yesterday"),
        ("2026-02-02T12:00:00-05:00", "30 days ago"),
    ],
)
def test_an_age_counts_calendar_days(instant: str, text: str, now: datetime) -> None:
    assert phrasing.format_age(instant, now) == text


@pytest.mark.parametrize(
    ("value", "currency", "text"),
    [(12500, "USD", "$12,500"), ("9.5", "USD", "$9.50"), (7, "EUR", "7 EUR"), ("n/a", "USD", "n/a")],
)
def test_money_has_cents_only_where_there_are_some(value: Any, currency: str, text: str) -> None:
    assert phrasing.format_money(value, currency) == text


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("owner", "me", "you"),
        ("do_not_call", True, "yes"),
        ("due_at", "2026-03-05T14:30:00-05:00", "tomorrow at 2:30 PM"),
        ("amount", 5000, "$5,000"),
        ("close_date", "2026-03-27", "Fri, Mar 27"),
        ("probability", 40, "40%"),
        ("stage", "closed_won", "closed won"),
        ("job_title", "Head_of", "Head_of"),
    ],
)
def test_a_field_is_formatted_by_its_meaning(field: str, value: Any, text: str, now: datetime) -> None:
    assert phrasing.format_field(field, value, now) == text


@pytest.mark.parametrize(
    ("names", "text"), [([], ""), (["A"], "A"), (["A", "B"], "A and B"), (["A", "B", "C"], "A, B and C")]
)
def test_names_are_joined_as_in_a_sentence(names: list[str], text: str) -> None:
    assert phrasing.join_names(names) == text


def test_a_count_has_the_noun_in_its_number() -> None:
    assert phrasing.format_count(1, "lead", "warm") == "1 warm lead"
    assert phrasing.format_count(12, "opportunity") == "12 deals"


LEAD = {"entity_type": "lead", "display_name": "Ann Lee", "company": "Acme", "status": "warm", "score": 80}
LATE = {
    "entity_type": "activity", "display_name": "Call", "activity_type": "call", "status": "scheduled",
    "due_at": "2026-03-03T09:00:00-05:00", "related": {"name": "Ann Lee"},
}  # fmt: skip
DEAL = {"entity_type": "opportunity", "display_name": "Big", "stage": "closed_won", "close_date": "2026-03-27"}


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (LEAD, "**Ann Lee** (Acme), warm, score 80"),
        (LATE, "**Call** (Ann Lee), call, overdue, was due yesterday at 9:00 AM"),
        (DEAL, "**Big**, closed won, closes Fri, Mar 27"),
    ],
)
def test_a_record_in_a_list_is_one_line_of_what_matters(record: dict[str, Any], line: str, now: datetime) -> None:
    assert phrasing.format_line(record, now) == line


@pytest.mark.parametrize(
    ("record", "profile"),
    [
        (LEAD, "**Ann Lee** is a warm lead at Acme, not contacted yet.\n\n- Score: 80"),
        (DEAL, "**Big** is a deal in the closed won stage.\n\n- Closes: Fri, Mar 27"),
    ],
)
def test_a_profile_is_a_sentence_and_the_facts_on_record(record: dict[str, Any], profile: str, now: datetime) -> None:
    assert phrasing.format_profile(record, now) == profile


def test_a_question_names_at_most_five_candidates() -> None:
    question = phrasing.ask_which("Ann", [Ref("lead", str(place), f"Ann {place}", "Acme") for place in range(7)])
    assert "5. Ann 4 (Acme)" in question and "6." not in question and "There are 2 more" in question


def test_candidates_of_several_kinds_are_told_apart_by_kind() -> None:
    question = phrasing.ask_which("Ann", [Ref("lead", "1", "Ann A"), Ref("contact", "2", "Ann B")])
    assert "1. Ann A, lead" in question and "2. Ann B, contact" in question
