"""Words of time, as instants and as days of a sentence."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aisha.domain.dates.day_words import period_days
from aisha.domain.dates.parsing import find_times, next_working_day, parse_when

ZONE = ZoneInfo("America/New_York")
SATURDAY = datetime(2026, 11, 21, 10, 0, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("today", "2026-11-21T17:00"),
        ("tomorrow", "2026-11-22T09:00"),
        ("the day after tomorrow", "2026-11-23T09:00"),
        ("next Tuesday at 3pm", "2026-11-24T15:00"),
        ("3pm next tuesday", "2026-11-24T15:00"),
        ("friday", "2026-11-27T09:00"),
        ("monday morning", "2026-11-23T09:00"),
        ("wed at 11", "2026-11-25T11:00"),
        ("tomorrow at 3", "2026-11-22T15:00"),
        ("tomorrow morning at 10", "2026-11-22T10:00"),
        ("half past two tomorrow", "2026-11-22T14:30"),
        ("in 2 weeks", "2026-12-05T09:00"),
        ("in a couple of days", "2026-11-23T09:00"),
        ("in 30 minutes", "2026-11-21T10:30"),
        ("in half an hour", "2026-11-21T10:30"),
        ("in 2 hours' time", "2026-11-21T12:00"),
        ("two hours from now", "2026-11-21T12:00"),
        ("45 minutes later", "2026-11-21T10:45"),
        ("2 hours ago", "2026-11-21T08:00"),
        ("half an hour ago", "2026-11-21T09:30"),
        ("since 2 hours ago", "2026-11-21T08:00"),
        ("in the last 24 hours", "2026-11-20T10:00"),
        ("within 2 hours", "2026-11-21T12:00"),
        ("quarter to 1 tomorrow", "2026-11-22T12:45"),
        ("a week from monday", "2026-11-30T09:00"),
        ("end of the month", "2026-11-30T09:00"),
        ("december 3rd at 10:30", "2026-12-03T10:30"),
        ("the 5th", "2026-12-05T09:00"),
        ("12/05", "2026-12-05T09:00"),
        ("2026-12-01", "2026-12-01T09:00"),
        ("2026-12-01T10:00", "2026-12-01T10:00"),
        ("2026-12-01t10:00", "2026-12-01T10:00"),
        ("tonight", "2026-11-21T19:00"),
        ("tomorrow eod", "2026-11-22T17:00"),
        ("next week", "2026-11-23T09:00"),
    ],
)
def test_words_mean_an_instant_in_the_users_zone(words: str, expected: str) -> None:
    instant = parse_when(words, SATURDAY)
    assert instant.strftime("%Y-%m-%dT%H:%M") == expected
    assert instant.utcoffset() == ZONE.utcoffset(instant.replace(tzinfo=None))


def test_an_offset_that_is_written_is_kept() -> None:
    assert parse_when("2026-12-01T10:00:00Z", SATURDAY) == datetime(2026, 12, 1, 10, tzinfo=UTC)


def test_an_hour_is_an_hour_on_the_day_that_the_clocks_change() -> None:
    before = datetime(2026, 11, 1, 0, 30, tzinfo=ZONE)
    assert parse_when("in 2 hours", before).astimezone(UTC) - before.astimezone(UTC) == timedelta(hours=2)
    after = datetime(2026, 11, 1, 3, 0, tzinfo=ZONE)
    assert after.astimezone(UTC) - parse_when("3 hours ago", after).astimezone(UTC) == timedelta(hours=3)


@pytest.mark.parametrize(
    "words", ["", "soon", "whenever it suits", "tomorrow or next friday", "half past 25", "quarter to 0"]
)
def test_what_is_no_single_time_is_refused_with_an_example(words: str) -> None:
    with pytest.raises(ValueError, match="next Tuesday at 3pm"):
        parse_when(words, SATURDAY)


@pytest.mark.parametrize(
    ("sentence", "first", "last", "relation"),
    [
        ("which deals close this week?", date(2026, 11, 16), date(2026, 11, 22), None),
        ("leads created last month", date(2026, 10, 1), date(2026, 10, 31), None),
        ("deals closing before next friday", date(2026, 11, 27), date(2026, 11, 27), "before"),
        ("new leads since monday", date(2026, 11, 16), date(2026, 11, 16), "after"),
        ("closing within 7 days", date(2026, 11, 21), date(2026, 11, 28), None),
        ("what changed since 2 hours ago?", date(2026, 11, 21), date(2026, 11, 21), "after"),
        ("what changed in the last 2 hours?", date(2026, 11, 21), date(2026, 11, 21), None),
        ("which scans ran in the last 24 hours?", date(2026, 11, 20), date(2026, 11, 21), None),
        ("calls in the next 15 hours", date(2026, 11, 21), date(2026, 11, 22), None),
        ("leads created 11 hours ago", date(2026, 11, 20), date(2026, 11, 20), None),
    ],
)
def test_a_time_in_a_sentence_is_found_with_its_bounds(
    sentence: str, first: date, last: date, relation: str | None
) -> None:
    (span,) = find_times(sentence, SATURDAY)
    assert (span.first, span.last, span.relation) == (first, last, relation)


@pytest.mark.parametrize(
    "sentence",
    ["show me the top 3", "deals over 50k", "call Jack at ABC Corp", "leads with score above 80", "May I see it?"],
)
def test_ordinary_numbers_and_words_are_no_times(sentence: str) -> None:
    assert find_times(sentence, SATURDAY) == []


def test_the_next_working_day_skips_the_weekend() -> None:
    assert next_working_day(SATURDAY) == datetime(2026, 11, 23, 9, tzinfo=ZONE)


@given(
    st.dates(date(2000, 1, 1), date(2100, 1, 1)),
    st.sampled_from(["week", "month", "quarter", "year"]),
    st.integers(-4, 4),
)
def test_periods_follow_one_another_without_a_gap(day: date, period: str, offset: int) -> None:
    _, last = period_days(period, day, offset)
    first, _ = period_days(period, day, offset + 1)
    assert first == last + timedelta(days=1)


_WORDS = (
    "in since by after before until the next last within past half quarter to at ago later from now on of this "
    "0 1 2 13 25 70 999 a two hour hours minutes days weeks months quarters years today tomorrow monday may 31 31st "
    "12/05 2026-12-01 end month 2026-12-01T10:00Z 9999-12-31 3pm noon ß İ , ? -"
).split()


@given(st.lists(st.sampled_from(_WORDS), max_size=7).map(" ".join))
def test_words_of_time_in_any_order_are_days_or_refused(text: str) -> None:
    spans = find_times(text, SATURDAY)
    assert not [day for span in spans for day in (span.first, span.last) if isinstance(day, datetime)]
    assert all(span.first <= span.last for span in spans if span.first and span.last)
    try:
        assert parse_when(text, SATURDAY).tzinfo is not None
    except ValueError as error:
        assert "next Tuesday at 3pm" in str(error)


@given(st.text(max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    for span in find_times(text, SATURDAY):
        assert 0 <= span.start < span.end <= len(text.lower())
