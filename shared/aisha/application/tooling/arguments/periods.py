"""Named periods for tools that count."""

from datetime import date, timedelta
from typing import Literal

from aisha.domain.crm.queries import Period
from aisha.domain.dates.day_words import period_days
from aisha.domain.errors import InvalidInputError

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
"""Names of periods. Weeks begin on Monday; a period has all its days, also those in the future."""
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
"""Names of present and future periods, see `PeriodWord`."""


def period_of(
    today: date, word: PeriodWord | None, first: date | None = None, last: date | None = None
) -> Period | None:
    """Return the first and last day of a period, by name or by days; None without any.

    `first` alone means until today, `last` alone from 1970. Raises `InvalidInputError` for both a name and days, or for
    a last day before the first.
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
    """Return the first and last day of a present or future period."""
    which, _, unit = word.partition("_")
    return Period(*period_days(unit, today, 1 if which == "next" else 0))


def _days(today: date, word: PeriodWord) -> tuple[date, date]:
    if word in ("today", "yesterday"):
        day = today - timedelta(days=word == "yesterday")
        return day, day
    which, _, unit = word.partition("_")
    return period_days(unit, today, -1 if which == "last" else 0)
