"""Lengths of time."""

import pytest

from aisha.domain.dates.durations import find_durations


@pytest.mark.parametrize(
    ("text", "words", "minutes"),
    [
        ("for 45 minutes", "45 minutes", 45),
        ("a 30-minute call tomorrow", "30-minute", 30),
        ("half an hour", "half an hour", 30),
        ("three quarters of an hour", "three quarters of an hour", 45),
        ("an hour and a half", "an hour and a half", 90),
        ("an hour and 15 minutes", "an hour and 15 minutes", 75),
        ("for 1h30", "1h30", 90),
        ("2 hrs 15 mins", "2 hrs 15 mins", 135),
        ("two and a half hours", "two and a half hours", 150),
        ("ninety minutes", "ninety minutes", 90),
        ("tomorrow at 2 for 1.5 hours", "1.5 hours", 90),
        ("call in 3 days for 2 hours", "2 hours", 120),
        ("for 90 days", "90 days", 129_600),
    ],
)
def test_a_length_is_found_in_minutes(text: str, words: str, minutes: int) -> None:
    ((start, end, length),) = find_durations(text)
    assert (text[start:end], length) == (words, minutes)


@pytest.mark.parametrize(
    "text",
    [
        "in 20 minutes",
        "3 days ago",
        "the last 90 days",
        "twice a week",
        "two hours before the meeting",
        "at 3",
        "$3 days",
    ],
)
def test_a_time_is_no_length(text: str) -> None:
    assert find_durations(text) == []
