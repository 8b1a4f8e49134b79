"""Times of calendar parts, and clock times that sales people leave incomplete. Today is Wednesday, 4 March 2026."""

from datetime import datetime

import pytest

from aisha.adapters.llm.offline.reading.times import find_times, length_in_days


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("end of april", "2026-04-30", "2026-04-30"),
        ("mid march", "2026-03-15", "2026-03-15"),
        ("early february", "2027-02-01", "2027-02-07"),
        ("since january", "2026-01-01", "2026-03-04"),
        ("since june", "2025-06-01", "2026-03-04"),
        ("in q1", "2026-01-01", "2026-03-31"),
        ("by q3 2027", "2027-07-01", "2027-09-30"),
        ("week after next", "2026-03-16", "2026-03-22"),
        ("in a fortnight", "2026-03-18", "2026-03-18"),
    ],
)
def test_a_part_of_the_calendar_is_a_span_of_days(text: str, first: str, last: str, now: datetime) -> None:
    (span,) = find_times(text, now)
    assert (str(span.first), str(span.last)) == (first, last)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("Thursday 2:30", "14:30:00"),
        ("tomorrow 2", "14:00:00"),
        ("Monday 10", "10:00:00"),
        ("half two", "14:30:00"),
        ("at half eight", "08:30:00"),
        ("2 in the afternoon", "14:00:00"),
        ("9 in the morning", "09:00:00"),
        ("at 2am", "02:00:00"),
    ],
)
def test_a_clock_time_falls_in_working_hours_unless_it_says_otherwise(text: str, clock: str, now: datetime) -> None:
    (span,) = find_times(text, now)
    assert str(span.clock) == clock


def test_a_bound_before_a_part_of_the_calendar_is_kept(now: datetime) -> None:
    (span,) = find_times("before end of april", now)
    assert span.relation == "before"


def test_times_come_in_the_order_of_the_text(now: datetime) -> None:
    text = "since january, and again in q2"
    assert [text[span.start : span.end] for span in find_times(text, now)] == ["since january", "in q2"]


@pytest.mark.parametrize(
    ("text", "days"),
    [("over a month", 30), ("three weeks", 21), ("10 days", 10), ("a couple of weeks", 14), ("a fortnight", 14)],
)
def test_a_duration_is_a_number_of_days(text: str, days: int) -> None:
    assert length_in_days(text) == days


def test_a_text_without_a_duration_has_no_length() -> None:
    assert length_in_days("some time") is None
