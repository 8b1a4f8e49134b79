"""Periods by their names, for tools that count."""

from datetime import date, timedelta
from typing import Literal

from aisha.domain.dates.day_words import period_days
from aisha.domain.errors import InvalidInputError
from aisha.domain.queries import Period

PeriodWord = Literal[
    "today",
    "yesterday",
    "this_week",
    "last_week",
    "this_month",
    "last_month",
    "this_quarter",
    "last_quarter",
    "this_year",
    "last_year",
]
"""Weeks begin on Monday; a period runs to its end, also when that is still to come."""
ComingPeriodWord = Literal[
    "this_week",
    "next_week",
    "this_month",
    "next_month",
    "this_quarter",
    "next_quarter",
    "this_year",
    "next_year",
]
"""As `PeriodWord`, for what is still to happen."""


def period_of(
    today: date, word: PeriodWord | None, first: date | None = None, last: date | None = None
) -> Period | None:
    """The days meant, both included; None when no period was given.

    `first` alone runs to today, `last` alone from the beginning. Raises `InvalidInputError` for a period given twice or
    backwards.
    """
    if first is None and last is None:
        return Period(*_days(today, word)) if word else None
    if word is not None:
        raise InvalidInputError("Give a period or its first and last day, not both", pointer="/period")
    begin, end = first or date(1970, 1, 1), last or max(today, first or today)
    if end < begin:
        raise InvalidInputError("The period ends before it begins", pointer="/last")
    return Period(begin, end)


def coming_period(today: date, word: ComingPeriodWord) -> Period:
    """The days meant, both included."""
    which, _, unit = word.partition("_")
    return Period(*period_days(unit, today, 1 if which == "next" else 0))


def _days(today: date, word: PeriodWord) -> tuple[date, date]:
    if word in ("today", "yesterday"):
        day = today - timedelta(days=word == "yesterday")
        return day, day
    which, _, unit = word.partition("_")
    return period_days(unit, today, -1 if which == "last" else 0)
