"""Read lengths of time: "45 minutes", "an hour and a half", "three weeks", "1h 30m"."""

from datetime import UTC, date, datetime, timedelta
from functools import cache

from dateutil.relativedelta import relativedelta
from msgspec import Struct

from aisha.domain.dates.number_words import NUMBER_WORDS, below_thousand, digits
from aisha.domain.dates.phrases import DIGITS, load, synonyms
from aisha.domain.dates.tokens import Tokens, is_glued, word_at

_MINUTES = {
    "minute": 1,
    "hour": 60,
    "day": 1_440,
    "week": 10_080,
    "fortnight": 20_160,
    "month": 43_200,
    "quarter": 131_040,
    "year": 525_600,
}
"""The minutes of a unit: months have 30 days and years 365."""
_SHORT_UNITS = ("minute", "hour")
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_WORKING = frozenset(("working", "business", "work"))
_FILLERS = frozenset(("full", "whole", "more", "solid", "other", "good"))
FIRST_WORDS = frozenset((*NUMBER_WORDS, DIGITS, "a", "an", "couple", "few", "several", "half", "quarter", "three"))
"""The words with which a length may begin."""


class Length(Struct, frozen=True):
    """A length of time. `unit` is one of minute, hour, day, working_day, week, fortnight, month, quarter, year."""

    amount: float
    unit: str

    @property
    def is_short(self) -> bool:
        return self.unit in _SHORT_UNITS

    @property
    def minutes(self) -> int:
        return round(self.amount * _MINUTES["day" if self.unit == "working_day" else self.unit])

    def shift(self, day: date, sign: int = 1) -> date:
        """Return the day this length after `day`, before it if `sign` is -1. Raises ValueError beyond the calendar."""
        try:
            if self.unit in _MONTHS:
                months = self.amount * _MONTHS[self.unit]
                whole = day + sign * relativedelta(months=int(months))
                return whole + sign * timedelta(days=round((months - int(months)) * 30))
            if self.unit == "working_day":
                return _working_days_from(day, round(self.amount), sign)
            return day + sign * timedelta(days=self.minutes // _MINUTES["day"])
        except OverflowError as error:
            raise ValueError("beyond the calendar") from error

    def shift_instant(self, now: datetime, sign: int = 1) -> datetime:
        """Return the instant this length after or before `now`: an hour lasts an hour, also when the clocks change."""
        return (now.astimezone(UTC) + sign * timedelta(minutes=self.minutes)).astimezone(now.tzinfo)


def _working_days_from(day: date, count: int, sign: int) -> date:
    for _ in range(min(count, 999)):
        day += timedelta(days=sign)
        while day.weekday() >= 5:
            day += timedelta(days=sign)
    return day


@cache
def units() -> dict[str, str]:
    return synonyms(load("time_words.toml")["words"]["unit"])


def read_number(tokens: Tokens, place: int) -> tuple[float, int] | None:
    """Return a number of units: "3", "1.5", "two and a half", "a couple of", "an"."""
    word = word_at(tokens, place)
    number: tuple[float, int] | None = digits(tokens, place)
    if number is not None:
        after = number[1]
        if word_at(tokens, after) == "." and is_glued(tokens, after) and is_glued(tokens, after + 1):
            fraction = digits(tokens, after + 1)
            if fraction is not None:
                return float(f"{word}.{tokens[after + 1].word}"), fraction[1]
    elif word in ("a", "an") and word_at(tokens, place + 1) in ("couple", "few"):
        return read_number(tokens, place + 1)
    elif word in ("couple", "few", "several"):
        after = place + 1 + (word_at(tokens, place + 1) == "of")
        return (2 if word == "couple" else 3), after
    else:
        number = below_thousand(tokens, place) or ((1, place + 1) if word in ("a", "an") else None)
    if number is None:
        return None
    value, after = number
    if [word_at(tokens, after + step) for step in range(3)] == ["and", "a", "half"]:
        return value + 0.5, after + 3
    return value, after


def read_length(tokens: Tokens, place: int) -> tuple[Length, int] | None:
    """Return a length and the place after it, None if there is none at the place."""
    part = _read_part(tokens, place)
    if part is not None:
        return part
    number = read_number(tokens, place)
    if number is None:
        return None
    value, after = number
    after += word_at(tokens, after) == "-" and is_glued(tokens, after)
    after += word_at(tokens, after) in _FILLERS
    is_working = word_at(tokens, after) in _WORKING
    unit = units().get(word_at(tokens, after + is_working))
    if unit is None or (is_working and unit != "day"):
        return None
    after += 1 + is_working
    if [word_at(tokens, after + step) for step in range(3)] == ["and", "a", "half"]:
        return Length(value + 0.5, unit), after + 3
    if unit == "hour" and (minutes := _read_minutes(tokens, after)) is not None:
        return Length(value * 60 + minutes[0], "minute"), minutes[1]
    return Length(value, "working_day" if is_working else unit), after


def _read_part(tokens: Tokens, place: int) -> tuple[Length, int] | None:
    """Return a part of a unit: "half an hour", "a quarter of an hour", "three quarters of an hour"."""
    after = place + (word_at(tokens, place) in ("a", "an"))
    share = {"half": 0.5, "quarter": 0.25}.get(word_at(tokens, after))
    if word_at(tokens, place) == "three" and word_at(tokens, place + 1) == "quarters":
        share, after = 0.75, place + 1
    if share is None:
        return None
    after += 1 + (word_at(tokens, after + 1) == "of")
    after += word_at(tokens, after) in ("a", "an", "-")
    unit = units().get(word_at(tokens, after))
    if unit is None or unit == "minute" or (share != 0.5 and unit != "hour"):
        return None
    return Length(share, unit), after + 1


def _read_minutes(tokens: Tokens, place: int) -> tuple[float, int] | None:
    """Return the minutes after hours: "1h30", "1 hour 30 minutes", "an hour and fifteen minutes"."""
    place += word_at(tokens, place) == "and"
    number = digits(tokens, place) or below_thousand(tokens, place)
    if number is None:
        return None
    word = word_at(tokens, number[1])
    if units().get(word) == "minute" or (word == "m" and is_glued(tokens, number[1])):
        return number[0], number[1] + 1
    is_whole = is_glued(tokens, place) and not is_glued(tokens, number[1])
    return number if is_whole else None
