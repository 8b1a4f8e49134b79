"""The meaning of a phrase of time relative to now."""

from collections.abc import Callable
from datetime import date, datetime, time

from msgspec import Struct

from aisha.domain.dates.phrases import Values

Days = tuple[date, date]
Resolver = Callable[[Values, "Context"], "Meaning"]
"""Returns the meaning of a phrase by its values. Raises ValueError or OverflowError for a day that does not exist."""


class Context(Struct, frozen=True):
    """Now, aware and in the user's zone. `is_past`: a day that recurs is the last one, not the next: "since Monday"."""

    now: datetime
    is_past: bool = False

    @property
    def today(self) -> date:
        return self.now.date()


class Clock(Struct, frozen=True):
    """A time of day. `half` is am, pm, exact, or None if the text leaves it open: "at 3". Midnight is 24."""

    hour: int
    minute: int = 0
    half: str | None = None

    def at(self, part: str | None = None) -> tuple[time, int]:
        """Return the time, and 1 if it is on the next day, else 0. `part` is the part of the day in the text.

        An hour without am or pm is in working hours (7 to 18) unless the part of the day says otherwise.
        """
        hour, later = self.hour, 0
        if self.half == "am":
            hour %= 12
        elif self.half == "pm":
            hour = hour % 12 + 12
        elif self.half is None and hour <= 12:
            hour, later = _hour_in(part, hour) if part else (hour + 12 if hour < 7 else hour, 0)
        return time(hour % 24, self.minute), later + hour // 24

    def fixed(self, part: str | None = None) -> "Clock":
        """Return the same time, of 24 hours or more if it is on the next day."""
        at, days = self.at(part)
        return Clock(at.hour + 24 * days, at.minute, "exact")

    def later(self, minutes: int) -> "Clock":
        """Return the time `minutes` after this one, which must be exact."""
        hours, minute = divmod(self.hour * 60 + self.minute + minutes, 60)
        return Clock(hours, minute, "exact")


def _hour_in(part: str, hour: int) -> tuple[int, int]:
    """Return the hour of 24 for an hour of 12 in a part of the day, and 1 if it is on the next day, else 0."""
    if part == "morning":
        return hour % 12, 0
    # "Tonight at 2" is after midnight, on the next day.
    if part == "night" and hour < 5:
        return hour, 1
    if hour == 12:
        # In the evening and at night the day ends at 12; by day it is noon.
        return (0, 1) if part in ("evening", "night") else (12, 0)
    return hour + 12, 0


class Meaning(Struct, frozen=True):
    """The days, time of day or instant of a phrase.

    `first` and `last` are the days, `clock` and `until` the time of day and the end of a range of them, `part` the part
    of the day that `clock` stands for when there is no hour, `exact` the instant. `relation` is before or after if the
    phrase is a bound by itself. `is_weak`: a time only directly after a day.
    """

    first: date | None = None
    last: date | None = None
    clock: Clock | None = None
    until: Clock | None = None
    part: str | None = None
    exact: datetime | None = None
    relation: str | None = None
    is_weak: bool = False


def on(days: Days) -> Meaning:
    """Return the meaning of days. Raises ValueError if the last is before the first."""
    first, last = days
    if last < first:
        raise ValueError("the last day is before the first")
    return Meaning(first, last)


def on_day(day: date) -> Meaning:
    return Meaning(day, day)
