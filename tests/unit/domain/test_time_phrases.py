"""Times in the words of salespeople. Now is Wednesday, 4 March 2026, 10:00."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.dates.phrases import load, synonyms

NOW = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)


def one_time(text: str) -> TimeSpan:
    (span,) = find_times(text, NOW)
    return span


def days(text: str) -> tuple[str, str]:
    span = one_time(text)
    return str(span.first), str(span.last)


def clock(text: str) -> str:
    return f"{one_time(text).clock:%H:%M}"


def words(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find_times(text, NOW)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("day after tomorrow", "2026-03-06"),
        ("this coming Friday", "2026-03-06"),
        ("next friday", "2026-03-13"),
        ("last friday", "2026-02-27"),
        ("Monday week", "2026-03-16"),
        ("a week from Tuesday", "2026-03-17"),
        ("a week on friday", "2026-03-13"),
        ("two weeks tomorrow", "2026-03-19"),
        ("friday after next", "2026-03-13"),
        ("monday of next week", "2026-03-09"),
        ("next week on monday", "2026-03-09"),
        ("three days after the 15th", "2026-03-18"),
        ("two weeks ago", "2026-02-18"),
        ("a couple of weeks ago", "2026-02-18"),
        ("in a year", "2027-03-04"),
        ("in six months", "2026-09-04"),
        ("in 3 business days", "2026-03-09"),
        ("last night", "2026-03-03"),
    ],
)
def test_a_day_is_counted_from_today(text: str, day: str) -> None:
    assert days(text) == (day, day)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("the 15th", "2026-03-15"),
        ("the 3rd", "2026-04-03"),
        ("on the 31st", "2026-03-31"),
        ("the nineteenth", "2026-03-19"),
        ("the twenty second", "2026-03-22"),
        ("the 5th of next month", "2026-04-05"),
        ("by 12th", "2026-03-12"),
        ("3rd of April", "2026-04-03"),
        ("june seventeenth", "2026-06-17"),
        ("Sept. 3, 2027", "2027-09-03"),
        ("Monday, March 9", "2026-03-09"),
        ("friday the 8th", "2026-05-08"),
        ("31/12/2026", "2026-12-31"),
        ("14.3.", "2026-03-14"),
        ("the last friday of the month", "2026-03-27"),
        ("the first monday in june", "2026-06-01"),
        ("the last day of february", "2027-02-28"),
        ("after easter", "2026-04-05"),
        ("on christmas eve", "2026-12-24"),
    ],
)
def test_a_date_without_a_year_is_the_next_one(text: str, day: str) -> None:
    assert days(text) == (day, day)


@pytest.mark.parametrize(
    ("text", "day"),
    [("since Monday", "2026-03-02"), ("since the 15th", "2026-02-15"), ("since june 3", "2025-06-03")],
)
def test_since_makes_a_day_the_last_one(text: str, day: str) -> None:
    assert (*days(text), one_time(text).relation) == (day, day, "after")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("late in may", "2026-05-21", "2026-05-31"),
        ("late may", "2026-05-21", "2026-05-31"),
        ("early in june", "2026-06-01", "2026-06-07"),
        ("mid-october", "2026-10-15", "2026-10-15"),
        ("end of week", "2026-03-06", "2026-03-06"),
        ("at the end of next month", "2026-04-30", "2026-04-30"),
        ("by year end", "2026-12-31", "2026-12-31"),
        ("early next week", "2026-03-09", "2026-03-10"),
        ("later this week", "2026-03-04", "2026-03-08"),
        ("rest of the month", "2026-03-04", "2026-03-31"),
        ("first week of april", "2026-04-01", "2026-04-07"),
        ("first half of next year", "2027-01-01", "2027-06-30"),
        ("end of Q3", "2026-09-30", "2026-09-30"),
    ],
)
def test_a_part_of_a_period_is_its_days(text: str, first: str, last: str) -> None:
    assert days(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("last 90 days", "2025-12-04", "2026-03-04"),
        ("past quarter", "2025-10-01", "2025-12-31"),
        ("YTD", "2026-01-01", "2026-03-04"),
        ("so far this year", "2026-01-01", "2026-03-04"),
        ("the week after next", "2026-03-16", "2026-03-22"),
        ("the week of june 10", "2026-06-08", "2026-06-14"),
        ("q4", "2026-10-01", "2026-12-31"),
        ("the second quarter of last year", "2025-04-01", "2025-06-30"),
        ("in may", "2026-05-01", "2026-05-31"),
        ("last march", "2025-03-01", "2025-03-31"),
        ("in 2025", "2025-01-01", "2025-12-31"),
        ("over the weekend", "2026-03-07", "2026-03-08"),
        ("in the summer", "2026-06-01", "2026-08-31"),
        ("in 2-3 days", "2026-03-06", "2026-03-07"),
        ("in a week or two", "2026-03-11", "2026-03-18"),
    ],
)
def test_a_period_is_its_days(text: str, first: str, last: str) -> None:
    assert days(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("between Monday and Wednesday", "2026-03-09", "2026-03-11"),
        ("from Thursday to Monday", "2026-03-05", "2026-03-09"),
        ("Mon-Fri", "2026-03-09", "2026-03-13"),
        ("between 3 and 7 june", "2026-06-03", "2026-06-07"),
        ("3rd to 5th of april", "2026-04-03", "2026-04-05"),
        ("july to september", "2026-07-01", "2026-09-30"),
        ("from january until now", "2026-01-01", "2026-03-04"),
    ],
)
def test_a_range_of_days_is_one_time(text: str, first: str, last: str) -> None:
    assert days(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("move the call from Monday to Wednesday", ["from Monday", "Wednesday"]),
        ("push tomorrow to friday", ["tomorrow", "friday"]),
        ("reschedule to Friday from 3 to 4", ["Friday from 3 to 4"]),
    ],
)
def test_what_is_moved_from_a_day_to_another_is_no_range(text: str, times: list[str]) -> None:
    assert words(text) == times


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at noon", "12:00"),
        ("half past four", "16:30"),
        ("quarter to nine", "08:45"),
        ("ten past nine", "09:10"),
        ("at ten to four", "15:50"),
        ("14:30", "14:30"),
        ("3.30pm", "15:30"),
        ("fri 11a", "11:00"),
        ("thurs 3/12 2:15p", "14:15"),
        ("noonish on friday", "12:00"),
        ("tomorrow threeish", "15:00"),
        ("tomorrow 1400 hrs", "14:00"),
        ("at 10 in the forenoon", "10:00"),
        ("friday 2.30", "14:30"),
        ("at 06:00", "06:00"),
        ("at 6:00", "18:00"),
        ("9ish", "09:00"),
        ("around 10", "10:00"),
        ("at three thirty", "15:30"),
        ("at like eleven a m", "11:00"),
        ("first thing tomorrow", "09:00"),
        ("tomorrow EOD", "17:00"),
        ("tomorrow COB", "17:00"),
        ("after lunch", "13:00"),
        ("today before three", "15:00"),
        ("wed 2", "14:00"),
        ("friday by 5", "17:00"),
        ("mon am", "09:00"),
        ("late tomorrow afternoon", "16:00"),
    ],
)
def test_a_time_of_day_is_read_in_words_and_digits(text: str, expected: str) -> None:
    assert clock(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tonight at 8", "20:00"),
        ("half past seven in the evening", "19:30"),
        ("six in the morning", "06:00"),
        ("3 in the morning", "03:00"),
        ("12 in the afternoon", "12:00"),
        ("12 noon", "12:00"),
        ("tomorrow morning at 7", "07:00"),
    ],
)
def test_the_part_of_the_day_decides_between_am_and_pm(text: str, expected: str) -> None:
    assert clock(text) == expected


@pytest.mark.parametrize("text", ["tomorrow 12 at night", "tomorrow at 12 in the evening", "tomorrow at midnight"])
def test_midnight_ends_its_day(text: str) -> None:
    assert one_time(text).moment(NOW) == datetime(2026, 3, 6, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "start", "minutes"),
    [
        ("from 3 to 4 pm", "15:00", 60),
        ("3-4pm", "15:00", 60),
        ("from 11 to 1 pm", "11:00", 120),
        ("from 9 to 5 on friday", "09:00", 480),
        ("tomorrow from nine to eleven", "09:00", 120),
        ("on the 17th between two and four", "14:00", 120),
        ("june seventeenth nine to noon", "09:00", 180),
        ("tomorrow evening from 6 to 8", "18:00", 120),
    ],
)
def test_a_range_of_the_day_has_a_start_and_a_length(text: str, start: str, minutes: int) -> None:
    assert (clock(text), one_time(text).minutes) == (start, minutes)


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("in an hour and a half", "11:30"),
        ("in twenty minutes", "10:20"),
        ("five minutes ago", "09:55"),
        ("in the next hour", "11:00"),
        ("1.5 hours from now", "11:30"),
    ],
)
def test_hours_and_minutes_from_now_are_an_instant(text: str, exact: str) -> None:
    assert f"{one_time(text).exact:%H:%M}" == exact


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("by EOD Friday", "before"),
        ("no later than the 3rd", "before"),
        ("until the end of march", "before"),
        ("as of 28 june", "after"),
        ("from next Monday", "after"),
        ("leads from last week", None),
        ("the mail from yesterday", None),
    ],
)
def test_a_word_before_a_time_makes_it_a_bound(text: str, relation: str | None) -> None:
    assert one_time(text).relation == relation


@pytest.mark.parametrize(
    "text",
    [
        "these 3 may be wrong",
        "mark it as won",
        "I sat with him",
        "call August Weaver",
        "at 3 companies",
        "at 5 percent",
        "score between 7 and 9",
        "between 50 and 100k",
        "show me the 3rd lead",
        "the second one",
        "3/4 of the leads",
        "24/7 support",
        "room 3a",
        "12-03-2026",
        "30 february",
        "every friday",
        "good morning",
        "what is her status now?",
        "ann@friday.example",
        "v2.10",
        "twenty minutes",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert find_times(text, NOW) == []


def test_different_days_side_by_side_are_two_times() -> None:
    assert words("monday, tuesday at 3") == ["monday", "tuesday at 3"]


def test_offsets_hold_in_a_text_that_grows_in_lower_case() -> None:
    assert words("İİ call tomorrow at 3!") == ["tomorrow at 3"]


@pytest.mark.parametrize(
    ("unit", "count"),
    [
        ("tomorrow at 3 ", 500),
        ("1", 8000),
        ("the lead ", 800),
        ("a", 8000),
        ("and ", 2000),
        ("from 3 to ", 800),
        ("1 ", 4000),
    ],
)
def test_a_long_message_of_one_phrase_is_read_to_its_end(unit: str, count: int) -> None:
    spans = find_times(unit * count + "see you on friday", NOW)
    assert (spans[-1].first, spans[-1].end) == (date(2026, 3, 6), len(unit) * count + 17)


_WORDS = sorted(
    {word.replace("_", " ") for table in load("time_words.toml")["words"].values() for word in synonyms(table)}
)
_LITTLE_WORDS = (
    "in on at by of the to from between and until since after before for half past a an first last 1st 31st 2 12 2026"
    " 3:30 3pm 31.12. 9999-12-31 midnight noon one thirty - , end week ago now"
).split()


@given(st.lists(st.sampled_from(_LITTLE_WORDS) | st.sampled_from(_WORDS), max_size=7).map(" ".join))
def test_words_of_time_in_any_order_are_times_one_after_another(text: str) -> None:
    spans = find_times(text, NOW)
    places = [place for span in spans for place in (span.start, span.end)]
    assert places == sorted(places)
    assert all(span.moment(NOW).tzinfo for span in spans)
    assert all(span.first <= span.last for span in spans if span.first and span.last)
    assert all(span.minutes is None or 0 < span.minutes <= 24 * 60 for span in spans)


@pytest.mark.parametrize(
    ("text", "clock"), [("call him thurs 930", (9, 30)), ("tomorrow 1400", (14, 0)), ("friday at 1115am", (11, 15))]
)
def test_digits_after_a_day_are_a_clock_time(text: str, clock: tuple[int, int]) -> None:
    (span,) = find_times(text, NOW)
    assert span.clock is not None
    assert (span.clock.hour, span.clock.minute) == clock


@pytest.mark.parametrize("text", ["monday 500 dollars", "tuesday 1000 euros", "put it at 1200"])
def test_sums_are_no_clock_times(text: str) -> None:
    assert all(span.clock is None for span in find_times(text, NOW))
