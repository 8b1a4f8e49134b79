"""Find times: those of `domain.dates`, and parts of the calendar such as "end of april", "in q2", "since january"."""

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta

from msgspec.structs import replace

from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.domain.dates.parsing import TimeSpan
from aisha.domain.dates.parsing import find_times as calendar_times

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_PART = pattern(rf"\b(?:(?:the )?(?P<part>end|late|middle|mid|beginning|start|early)(?: of)?[\s-]+{_MONTH})\b")
_SINCE = pattern(rf"\bsince {_MONTH}\b(?! \d)")
_WEEK_AFTER_NEXT = pattern(r"\b(?:the )?week after next\b")
_FORTNIGHT = pattern(r"\b(?:in|within) a fortnight\b|\ba fortnight from (?:now|today)\b")
_QUARTER = pattern(r"\b(?:in|during|by|within|closing|until|before|for) q(?P<n>[1-4])\b(?: (?P<year>20\d\d))?")
_HALF = pattern(r"\b(?:at )?half (?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")
"""Recognises the British "half two", which means 2:30."""
_HOUR_OF_DAY = pattern(
    r"(?:^|,)\s*(?P<hour>1[0-2]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) in the"
    r" (?P<part>morning|afternoon|evening)\b"
)
"""Recognises an hour on its own: "tomorrow, 2 in the afternoon"."""
_NOON = 12
_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()
_LAST_AFTERNOON_HOUR = 7
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "couple": 2, "few": 3, "ten": 10,
}  # fmt: skip
_DURATION = pattern(
    r"\b(?P<n>\d{1,3}|an?|one|two|three|four|five|six|ten|couple|few) (?:of )?"
    r"(?P<unit>day|week|fortnight|month|quarter|year)s?\b"
)
_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "quarter": 91, "year": 365}
_NAMES_HALF_OF_DAY = pattern(
    r"(?:\d|\b)\s*[ap]\.?\s?m\b|\b(?:in the )?(?:morning|night|midnight|early|tonight|dawn)\b|\b0\d|t0\d:"
)
_BARE_HOUR = pattern(r" (?P<hour>[1-9]|1[0-9])(?=\s*(?:$|[,;!?]|\.(?!\d)|\b(?:with|for|and|about|please|sharp)\b))")
_A_DAY = pattern(r"(?:day|tomorrow|tmrw|mon|tues?|wed|thurs?|fri|sat|sun)$")


def find_times(text: str, now: datetime) -> list[TimeSpan]:
    """Return all times in order. A span of this module replaces those that it overlaps."""
    parts = list(_calendar_parts(text, now.date()))
    others = [
        _in_working_hours(one, text)
        for one in calendar_times(text, now)
        if not any(one.start < part.end and part.start < one.end for part in parts)
    ]
    return sorted((_with_bare_hour(span, text) for span in [*parts, *others]), key=lambda span: span.start)


def _in_working_hours(span: TimeSpan, text: str) -> TimeSpan:
    """Move "Thursday 2:30" to the afternoon unless the text names a half of the day or a 24-hour clock."""
    if span.clock is None or not 1 <= span.clock.hour < _LAST_AFTERNOON_HOUR:
        return span
    if _NAMES_HALF_OF_DAY.search(text[span.start : span.end]) or _NAMES_HALF_OF_DAY.match(text[span.end :].lstrip()):
        return span
    return replace(span, clock=span.clock.replace(hour=span.clock.hour + 12))


def _with_bare_hour(span: TimeSpan, text: str) -> TimeSpan:
    """Add the hour that follows a day: "Monday 10" is ten o'clock, "tomorrow 2" in the afternoon."""
    match = _BARE_HOUR.match(text, span.end)
    if match is None or span.clock is not None or span.exact is not None or span.is_range or span.first is None:
        return span
    if not _A_DAY.search(text[span.start : span.end]):
        return span
    hour = int(match["hour"])
    return replace(span, end=match.end(), clock=time(hour + 12 if hour < _LAST_AFTERNOON_HOUR else hour))


def length_in_days(text: str) -> int | None:
    """Return the number of days in a duration: "over a month" is 30, "three weeks" 21."""
    match = _DURATION.search(text)
    if match is None:
        return None
    number = match["n"].lower()
    return (int(number) if number.isdigit() else _NUMBERS[number]) * _DAYS[match["unit"].lower()]


def _calendar_parts(text: str, today: date) -> Iterator[TimeSpan]:
    for match in _PART.finditer(text):
        yield _span(match, *_part_of_month(match["part"].lower(), match["month"], today))
    for match in _SINCE.finditer(text):
        month = _month(match["month"])
        yield _span(match, date(today.year - (month > today.month), month, 1), today)
    for match in _HALF.finditer(text):
        hour = _HOURS.index(match["hour"].lower()) + 1
        clock = time(hour + 12 if hour <= _LAST_AFTERNOON_HOUR else hour, 30)
        yield TimeSpan(match.start(), match.end(), None, None, clock)
    for match in _HOUR_OF_DAY.finditer(text):
        hour_word = match["hour"].lower()
        hour = int(hour_word) if hour_word.isdigit() else _HOURS.index(hour_word) + 1
        is_afternoon = match["part"].lower() != "morning" and hour < _NOON
        yield TimeSpan(match.start(), match.end(), None, None, time(hour + _NOON if is_afternoon else hour, 0))
    for match in _WEEK_AFTER_NEXT.finditer(text):
        monday = today + timedelta(days=14 - today.weekday())
        yield _span(match, monday, monday + timedelta(days=6))
    for match in _FORTNIGHT.finditer(text):
        yield _span(match, *([today + timedelta(days=14)] * 2))
    for match in _QUARTER.finditer(text):
        yield _span(match, *_quarter(int(match["n"]), int(match["year"] or 0), today))


def _part_of_month(part: str, name: str, today: date) -> Sequence[date]:
    month = _month(name)
    year = today.year + (month < today.month)
    length = monthrange(year, month)[1]
    first, last = {"end": (length, length), "late": (21, length), "mid": (15, 15), "middle": (15, 15)}.get(part, (1, 7))
    return date(year, month, first), date(year, month, last)


def _quarter(number: int, year: int, today: date) -> Sequence[date]:
    """Return the first and last day of a quarter, the running or next one when no year is given."""
    last_month = 3 * number
    year = year or today.year + (last_month < today.month)
    return date(year, last_month - 2, 1), date(year, last_month, monthrange(year, last_month)[1])


def _month(name: str) -> int:
    return next(place for place, month in enumerate(_MONTHS, 1) if month.startswith(name.lower()[:3]))


def _span(match: re.Match[str], first: date, last: date) -> TimeSpan:
    is_bound = pattern(r"\b(?:by|before|until|till)(?: the)?\s*$").search(match.string[: match.start()])
    return TimeSpan(match.start(), match.end(), first, last, relation="before" if is_bound else None)
