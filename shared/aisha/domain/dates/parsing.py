"""Parse times in words: "tomorrow", "next Tuesday at 3pm", "in two weeks", "end of the month", "this week".

`find_times` finds times in a sentence, `parse_when` parses a text that is one time. Words are English; ISO 8601 always
works. Days without a clock time mean 09:00, today 17:00 (working hours), a week its Monday.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace
from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

from aisha.domain.dates.clock_words import AT_HOUR, WORKDAY_END, WORKDAY_START, clock_of, clock_pattern
from aisha.domain.dates.day_words import NUMBER, day_rules, whole

_LENGTH = rf"(?:{NUMBER}\s+(?P<unit>minutes?|mins?|hours?|hrs?)|half\s+an\s+hour)"
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?", re.IGNORECASE)
# A word directly in front of a time: "no later than Friday", "since the 3rd".
_RELATION = re.compile(
    r"(?:^|\W)(?P<word>before|by|until|till|no later than|after|since|from)\s+(?:the\s+)?$", re.IGNORECASE
)
# The text between a day and its clock time: "Friday, at 3pm", "9am on the 3rd".
_JOIN = re.compile(r"^[\s,]*(?:(?:at|on|in|the|around|by|of|-)\s+)*$", re.IGNORECASE)


@cache
def _short_rules() -> tuple[tuple[re.Pattern[str], bool, bool], ...]:
    """Return patterns of hours and minutes from now, each with whether it looks back, and whether it is a range."""
    return tuple(
        (re.compile(rf"(?<![\w@.-])(?:{pattern})(?!\w)", re.IGNORECASE), is_back, is_range)
        for pattern, is_back, is_range in (
            (rf"(?:in\s+|within\s+|over\s+|during\s+)?(?:the\s+)?(?:last|past|previous)\s+{_LENGTH}", True, True),
            (rf"(?:in\s+|within\s+|over\s+|during\s+)?(?:the\s+)?(?:next|coming)\s+{_LENGTH}", False, True),
            (rf"within\s+(?:the\s+)?{_LENGTH}", False, True),
            (rf"{_LENGTH}\s+ago", True, False),
            (rf"(?:in|after)\s+{_LENGTH}(?:'?s?\s+time)?", False, False),
            (rf"{_LENGTH}\s+(?:from\s+now|later)", False, False),
        )
    )


class TimeSpan(Struct, frozen=True):
    """A time found at `text[start:end]`.

    `first` and `last` are the days it covers (one day, or a range such as this week), `clock` is the time of day if the
    text has one, `exact` the instant if the text names one; for a range in hours ("the last 2 hours") its far end.
    `relation` is before (by, until) or after (since, from) if a word makes the time a bound.
    """

    start: int
    end: int
    first: date | None
    last: date | None
    clock: time | None = None
    exact: datetime | None = None
    relation: str | None = None
    part: str | None = None
    """The part of the day that `clock` stands for when the text has no hour."""

    @property
    def is_range(self) -> bool:
        return self.first != self.last

    def moment(self, now: datetime) -> datetime:
        """Return the instant of something planned for this time, in the zone of `now`."""
        if self.exact is not None:
            return self.exact
        day = self.first or now.date()
        if self.clock is not None:
            instant = datetime.combine(day, self.clock, now.tzinfo)
            # A clock time without a day that is over today means tomorrow.
            return instant + timedelta(days=1) if self.first is None and instant <= now else instant
        if day == now.date():
            end = datetime.combine(day, WORKDAY_END, now.tzinfo)
            return end if end > now else now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        return datetime.combine(day, WORKDAY_START, now.tzinfo)


def _days(text: str, now: datetime) -> Iterator[TimeSpan]:
    taken: list[tuple[int, int]] = []
    for pattern, resolve in day_rules():
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            try:
                first, last = resolve(match, now.date())
            except (ValueError, OverflowError):
                continue
            taken.append(match.span())
            clock = time(19) if match.group(0).lower() == "tonight" else None
            yield TimeSpan(match.start(), match.end(), first, last, clock)


def _clocks(text: str, taken: list[TimeSpan]) -> Iterator[TimeSpan]:
    for pattern in (clock_pattern(), AT_HOUR):
        for match in pattern.finditer(text):
            if not any(match.start() < span.end and span.start < match.end() for span in taken):
                part = match.groupdict().get("part")
                span = TimeSpan(match.start(), match.end(), None, None, clock_of(match), part=part)
                taken.append(span)
                yield span


def _exacts(text: str, now: datetime) -> Iterator[TimeSpan]:
    for match in _ISO.finditer(text):
        try:
            # The text is in lower case, and `fromisoformat` takes only a capital Z.
            instant = datetime.fromisoformat(match.group(0).upper())
        except ValueError:
            continue
        instant = instant if instant.tzinfo else instant.replace(tzinfo=now.tzinfo)
        yield TimeSpan(match.start(), match.end(), instant.date(), instant.date(), instant.timetz(), instant)
    taken: list[TimeSpan] = []
    for pattern, is_back, is_range in _short_rules():
        for match in pattern.finditer(text):
            # Counted in UTC: an hour is an hour on the day that the clocks change.
            instant = (now.astimezone(UTC) + _duration(match) * (-1 if is_back else 1)).astimezone(now.tzinfo)
            first, last = sorted((instant.date(), now.date() if is_range else instant.date()))
            span = TimeSpan(match.start(), match.end(), first, last, None, instant)
            if not _overlaps(span, taken):
                taken.append(span)
                yield span


def _duration(match: re.Match[str]) -> timedelta:
    if match["n"] is None:
        return timedelta(minutes=30)
    count = whole(match["n"].lower())
    return timedelta(hours=count) if match["unit"].lower().startswith("h") else timedelta(minutes=count)


def _join_spans(text: str, spans: list[TimeSpan]) -> list[TimeSpan]:
    """Join a day and a clock time that stand together to one time."""
    merged: list[TimeSpan] = []
    for span in sorted(spans, key=lambda span: span.start):
        last = merged[-1] if merged else None
        if last is not None and last.exact is None and span.exact is None and _JOIN.match(text[last.end : span.start]):
            clock, part = _combine_clocks(last, span)
            first, end = last.first or span.first, last.last or span.last
            merged[-1] = replace(last, end=span.end, first=first, last=end, clock=clock, part=part)
        else:
            merged.append(span)
    return merged


def _combine_clocks(one: TimeSpan, other: TimeSpan) -> tuple[time | None, str | None]:
    """Return the clock of two: an hour beats a part of the day, which decides between am and pm.

    Examples: "tomorrow morning at 10", "at 8 in the evening".
    """
    if one.clock is None or other.clock is None:
        return other.clock or one.clock, other.part or one.part
    hour, part = (one.clock, other.part) if other.part else (other.clock, one.part)
    if part == "morning" and hour.hour >= 12:
        hour = hour.replace(hour=hour.hour - 12)
    elif part in ("afternoon", "evening", "night") and hour.hour < 12:
        hour = hour.replace(hour=hour.hour + 12)
    return hour, None


def find_times(text: str, now: datetime) -> list[TimeSpan]:
    """Return every time in `text`, in order. `now` is aware, in the user's zone."""
    lowered = text.lower()
    spans = list(_exacts(lowered, now))
    spans += [span for span in _days(lowered, now) if not _overlaps(span, spans)]
    spans += list(_clocks(lowered, list(spans)))
    return [_with_relation(lowered, span, now.date()) for span in _join_spans(lowered, spans)]


def _overlaps(span: TimeSpan, others: list[TimeSpan]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def _with_relation(text: str, span: TimeSpan, today: date) -> TimeSpan:
    match = _RELATION.search(text[: span.start])
    if match is None:
        inside = text[span.start : span.end]
        return replace(span, relation="before") if inside.startswith("by ") else span
    relation = "after" if match["word"] in ("after", "since", "from") else "before"
    if match["word"] == "since" and span.first and span.last and span.first > today:
        # "since Monday" means the last Monday, not the next.
        span = replace(span, first=span.first - timedelta(weeks=1), last=span.last - timedelta(weeks=1))
    return replace(span, start=match.start("word"), relation=relation)


def next_working_day(now: datetime) -> datetime:
    """Return 09:00 of the next working day (Monday to Friday), in the zone of `now`."""
    day = now.date() + timedelta(days=1)
    while day.weekday() >= 5:
        day += timedelta(days=1)
    return datetime.combine(day, WORKDAY_START, now.tzinfo)


def parse_when(text: str, now: datetime) -> datetime:
    """Return the one instant of the text, aware. Raises `ValueError` with examples of valid texts."""
    stripped = text.strip()
    spans = find_times(stripped, now)
    if len(spans) == 1:
        return spans[0].moment(now)
    raise ValueError(
        f"{stripped!r} is no time I understand: write ISO 8601 or words such as 'tomorrow' or 'next Tuesday at 3pm'"
    )


def _to_instant(value: Any, info: ValidationInfo) -> Any:
    now = (info.context or {}).get("now")
    if isinstance(value, str) and isinstance(now, datetime):
        return parse_when(value, now)
    if isinstance(value, datetime) and value.tzinfo is None and isinstance(now, datetime):
        return value.replace(tzinfo=now.tzinfo)
    return value


When = Annotated[
    datetime,
    BeforeValidator(_to_instant),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A tool parameter for ISO 8601 or a time in words, in the user's zone. The tool gets an aware datetime."""
