"""When: the times of `domain.dates`, and those that people say of calendar parts: "end of april", "in q2", "since january"."""

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta

from msgspec.structs import replace

from aisha.domain.dates.parsing import TimeSpan
from aisha.domain.dates.parsing import find_times as calendar_times

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_PART = re.compile(
    rf"\b(?:(?:the\s+)?(?P<part>end|late|middle|mid|beginning|start|early)(?:\s+of)?[\s-]+{_MONTH})\b", re.IGNORECASE
)
_SINCE = re.compile(rf"\bsince\s+{_MONTH}\b(?!\s+\d)", re.IGNORECASE)
_WEEK_AFTER_NEXT = re.compile(r"\b(?:the\s+)?week\s+after\s+next\b", re.IGNORECASE)
_FORTNIGHT = re.compile(r"\b(?:in|within)\s+a\s+fortnight\b|\ba\s+fortnight\s+from\s+(?:now|today)\b", re.IGNORECASE)
_QUARTER = re.compile(
    r"\b(?:in|during|by|within|closing|until|before|for)\s+q(?P<n>[1-4])\b(?:\s+(?P<year>20\d\d))?", re.IGNORECASE
)
_HALF = re.compile(
    r"\b(?:at\s+)?half\s+(?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.IGNORECASE
)
"""Half an hour after it, as the British say."""
_HOUR_OF_DAY = re.compile(
    r"(?:^|,)\s*(?P<hour>1[0-2]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+in\s+the\s+(?P<part>morning|afternoon|evening)\b",
    re.IGNORECASE,
)
"""An hour said by itself: "tomorrow, 2 in the afternoon"."""
_NOON = 12
_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()
_LAST_AFTERNOON_HOUR = 7
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "couple": 2, "few": 3, "ten": 10,
}  # fmt: skip
_LONG = re.compile(
    r"\b(?P<n>\d{1,3}|an?|one|two|three|four|five|six|ten|couple|few)\s+(?:of\s+)?(?P<unit>day|week|fortnight|month|quarter|year)s?\b",
    re.IGNORECASE,
)
_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "quarter": 91, "year": 365}


def find_times(text: str, now: datetime) -> list[TimeSpan]:
    """All times said, in their order; a span of this module takes the place of those that it overlaps."""
    own = list(_calendar_parts(text, now.date()))
    others = [
        _in_working_hours(one, text)
        for one in calendar_times(text, now)
        if not any(one.start < o.end and o.start < one.end for o in own)
    ]
    return sorted((_with_bare_hour(span, text) for span in [*own, *others]), key=lambda span: span.start)


def _in_working_hours(span: TimeSpan, text: str) -> TimeSpan:
    """ "Thursday 2:30" is in the afternoon, unless the morning, the night or a clock of 24 hours is said."""
    if span.clock is None or not 1 <= span.clock.hour < _LAST_AFTERNOON_HOUR:
        return span
    if _SAYS_WHICH_HALF.search(text[span.start : span.end]) or _SAYS_WHICH_HALF.match(text[span.end :].lstrip()):
        return span
    return replace(span, clock=span.clock.replace(hour=span.clock.hour + 12))


_SAYS_WHICH_HALF = re.compile(
    r"(?:\d|\b)\s*[ap]\.?\s?m\b|\b(?:in\s+the\s+)?(?:morning|night|midnight|early|tonight|dawn)\b|\b0\d|t0\d:",
    re.IGNORECASE,
)


def _with_bare_hour(span: TimeSpan, text: str) -> TimeSpan:
    """ "Monday 10" is ten o'clock, "tomorrow 2" in the afternoon: an hour right after a day that has none."""
    match = _BARE_HOUR.match(text, span.end)
    if match is None or span.clock is not None or span.exact is not None or span.is_range or span.first is None:
        return span
    if not _A_DAY.search(text[span.start : span.end]):
        return span
    hour = int(match["hour"])
    return replace(span, end=match.end(), clock=time(hour + 12 if hour < _LAST_AFTERNOON_HOUR else hour))


_BARE_HOUR = re.compile(
    r"\s+(?P<hour>[1-9]|1[0-9])(?=\s*(?:$|[,;!?]|\.(?!\d)|\b(?:with|for|and|about|please|sharp)\b))", re.IGNORECASE
)
_A_DAY = re.compile(r"(?:day|tomorrow|tmrw|mon|tues?|wed|thurs?|fri|sat|sun)$", re.IGNORECASE)


def days_long(text: str) -> int | None:
    """How many days a length of time has: "over a month" 30, "three weeks" 21."""
    match = _LONG.search(text)
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
        said = match["hour"].lower()
        hour = int(said) if said.isdigit() else _HOURS.index(said) + 1
        late = match["part"].lower() != "morning" and hour < _NOON
        yield TimeSpan(match.start(), match.end(), None, None, time(hour + _NOON if late else hour, 0))
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
    """The quarter that is running or comes next, when no year is said."""
    last_month = 3 * number
    year = year or today.year + (last_month < today.month)
    return date(year, last_month - 2, 1), date(year, last_month, monthrange(year, last_month)[1])


def _month(name: str) -> int:
    return next(place for place, month in enumerate(_MONTHS, 1) if month.startswith(name.lower()[:3]))


def _span(match: re.Match[str], first: date, last: date) -> TimeSpan:
    is_bound = re.search(r"\b(?:by|before|until|till)(?:\s+the)?\s*$", match.string[: match.start()], re.IGNORECASE)
    return TimeSpan(match.start(), match.end(), first, last, relation="before" if is_bound else None)
