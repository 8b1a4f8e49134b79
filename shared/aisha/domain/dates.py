"""Times in people's words: "tomorrow", "next Tuesday at 3pm", "in two weeks", "end of the month", "this week".

`find_times` finds them in a sentence, `parse_when` reads one that stands alone. Words are English; ISO 8601 always
works. Days without a clock time fall on 09:00, today on 17:00 (working hours), a week on its Monday.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Annotated, Any

from dateutil.relativedelta import relativedelta
from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

WORKDAY_START = time(9)
WORKDAY_END = time(17)

_WEEKDAYS = {
    name: index
    for index, names in enumerate(
        ("monday mon", "tuesday tue tues", "wednesday wed weds", "thursday thu thur thurs", "friday fri",
         "saturday sat", "sunday sun")
    )
    for name in names.split()
}  # fmt: skip
_MONTHS = {
    name: index
    for index, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sep sept", "october oct", "november nov", "december dec"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "a couple of": 2, "a couple": 2, "couple": 2, "a few": 3, "few": 3,
}  # fmt: skip
_N = (
    r"(?P<n>\d{1,3}|a couple of|a couple|couple of|couple|a few|few|an|a|"
    + "|".join(w for w in _NUMBERS if len(w) > 2 and " " not in w)
    + ")"
)
_UNIT = r"(?P<unit>minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|months?|quarters?|years?)"
_DAY_NAME = r"(?P<day>" + "|".join(sorted(_WEEKDAYS, key=len, reverse=True)) + r")(?!\w)"
_MONTH_NAME = r"(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?(?!\w)"
_PERIOD = r"(?P<period>week|month|quarter|year)"
_PARTS = {
    "morning": 9,
    "noon": 12,
    "midday": 12,
    "lunchtime": 12,
    "lunch": 12,
    "afternoon": 15,
    "evening": 18,
    "night": 19,
    "midnight": 0,
}


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time found at `text[start:end]`.

    `first` and `last` are the days it covers (one day, or a range such as this week), `clock` the time of day if one
    was said. `relation` is the word before it that makes it a bound: before (by, until) or after (since, from).
    """

    start: int
    end: int
    first: date | None
    last: date | None
    clock: time | None = None
    exact: datetime | None = None
    relation: str | None = None
    part: str | None = None
    """The part of the day that `clock` stands for when no hour was said."""

    @property
    def is_range(self) -> bool:
        return self.first != self.last

    def moment(self, now: datetime) -> datetime:
        """The instant meant when something is to happen then, in the zone of `now`."""
        if self.exact is not None:
            return self.exact
        day = self.first or now.date()
        if self.clock is not None:
            found = datetime.combine(day, self.clock, now.tzinfo)
            return found + timedelta(days=1) if self.first is None and found <= now else found
        if day == now.date():
            end = datetime.combine(day, WORKDAY_END, now.tzinfo)
            return end if end > now else now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        return datetime.combine(day, WORKDAY_START, now.tzinfo)


def _whole(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS.get(text.strip(), 2 if text.startswith("couple") else 1)


def _shift(count: int, unit: str) -> relativedelta:
    unit = unit.rstrip("s")
    unit = {"min": "minute", "hr": "hour", "wk": "week"}.get(unit, unit)
    if unit == "quarter":
        return relativedelta(months=3 * count)
    return relativedelta(**{f"{unit}s": count})  # type: ignore[arg-type]


def period_days(period: str, today: date, offset: int = 0) -> tuple[date, date]:
    """First and last day of the week (from Monday), month, quarter or year that holds `today`, moved by `offset`."""
    if period == "week":
        first = today - timedelta(days=today.weekday()) + timedelta(weeks=offset)
        return first, first + timedelta(days=6)
    if period == "month":
        first = today.replace(day=1) + relativedelta(months=offset)
        return first, first + relativedelta(months=1, days=-1)
    if period == "quarter":
        first = date(today.year, 3 * ((today.month - 1) // 3) + 1, 1) + relativedelta(months=3 * offset)
        return first, first + relativedelta(months=3, days=-1)
    first = date(today.year + offset, 1, 1)
    return first, date(first.year, 12, 31)


Days = tuple[date, date]


def _fixed(match: re.Match[str], today: date) -> Days:
    word = re.sub(r"\s+", " ", match.group(0))
    days = (
        2
        if "after" in word
        else 0
        if word.startswith(("today", "tonight", "this", "now"))
        else -1
        if word == "yesterday"
        else 1
    )
    return (day := today + timedelta(days=days)), day


def _weekday(match: re.Match[str], today: date) -> Days:
    index, which = _WEEKDAYS[match["day"]], match["which"] or ""
    ahead = (index - today.weekday()) % 7
    if which == "next":
        day = period_days("week", today, 1)[0] + timedelta(days=index)
    elif which in ("last", "past"):
        day = today - timedelta(days=(today.weekday() - index) % 7 or 7)
    else:
        day = today + timedelta(days=ahead or 7)
    return day, day


def _week_from(match: re.Match[str], today: date) -> Days:
    anchor = match["anchor"]
    base = today + timedelta(days=1 if anchor.startswith("tom") else 0)
    if anchor in _WEEKDAYS:
        base = today + timedelta(days=(_WEEKDAYS[anchor] - today.weekday()) % 7 or 7)
    return (day := base + timedelta(weeks=_whole(match["n"]))), day


def _in_period(match: re.Match[str], today: date) -> Days:
    offset = {"next": 1, "coming": 1, "last": -1, "past": -1, "previous": -1}.get(match["which"], 0)
    return period_days(match["period"], today, offset)


def _end_of(match: re.Match[str], today: date) -> Days:
    short = {"eow": "week", "eom": "month", "eoq": "quarter", "eoy": "year"}.get(match.group(0))
    offset = 1 if short is None and "next" in match.group(0) else 0
    period = short or match["period"]
    day = period_days(period, today, offset)[1]
    day -= timedelta(days=2 if period == "week" else 0)  # the working week ends on Friday
    return (day := max(day, today)), day


def _rolling(match: re.Match[str], today: date) -> Days:
    back = match["which"] in ("last", "past", "previous")
    shift = _shift(_whole(match["n"]), match["unit"])
    return (today - shift, today) if back else (today, today + shift)


def _ahead(match: re.Match[str], today: date) -> Days:
    return (day := today + _shift(_whole(match["n"]), match["unit"])), day


def _ago(match: re.Match[str], today: date) -> Days:
    return (day := today - _shift(_whole(match["n"]), match["unit"])), day


def _calendar(match: re.Match[str], today: date) -> Days:
    parts = match.groupdict()
    month = _MONTHS[parts["month"]] if parts.get("month") else int(parts["m"])
    year = int(parts["y"]) if parts.get("y") else today.year
    day = date(year + 2000 if year < 100 else year, month, int(parts["d"]))
    if not parts.get("y") and day < today:
        day = day.replace(year=day.year + 1)
    return day, day


def _month_alone(match: re.Match[str], today: date) -> Days:
    month = _MONTHS[match["month"]]
    return period_days("month", date(today.year + (month < today.month), month, 1))


def _day_of_month(match: re.Match[str], today: date) -> Days:
    day = today.replace(day=1) + timedelta(days=0)
    for _ in range(13):
        try:
            found = day.replace(day=int(match["d"]))
        except ValueError:
            found = date.min
        if found >= today:
            return found, found
        day += relativedelta(months=1)
    raise ValueError("no such day")


def _weekend(match: re.Match[str], today: date) -> Days:
    saturday = period_days("week", today, 1 if "next" in match.group(0) else 0)[0] + timedelta(days=5)
    return saturday, saturday + timedelta(days=1)


_ORDINAL = r"(?P<d>[0-3]?\d)(?:st|nd|rd|th)"


@cache
def _day_rules() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Days]], ...]:
    """Patterns of days and what they mean; compiled when the first date is read, not when the module is imported."""
    return tuple(
        (re.compile(rf"(?<![\w@.-])(?:{pattern})(?![\w@-])", re.IGNORECASE), resolve)
        for pattern, resolve in (
            (r"(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})", _calendar),
            (rf"{_MONTH_NAME}\s+(?:the\s+)?(?P<d>[0-3]?\d)(?:st|nd|rd|th)?(?:,?\s+(?P<y>20\d\d))?", _calendar),
            (
                rf"(?:the\s+)?(?P<d>[0-3]?\d)(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH_NAME}(?:,?\s+(?P<y>20\d\d))?",
                _calendar,
            ),
            (r"(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])(?:/(?P<y>(?:20)?\d\d))?", _calendar),
            (r"(?P<d>3[01]|[12]\d|0?[1-9])\.(?P<m>1[0-2]|0?[1-9])\.(?P<y>20\d\d)?", _calendar),
            (r"(?:the\s+)?day\s+after\s+(?:tomorrow|tmrw|tmr)", _fixed),
            (
                rf"(?P<n>a|one|two|1|2)\s+weeks?\s+(?:from|after)\s+(?P<anchor>today|tomorrow|{'|'.join(_WEEKDAYS)})",
                _week_from,
            ),
            (rf"(?:by\s+|at\s+)?(?:the\s+)?end\s+of\s+(?:the\s+|this\s+|next\s+)?{_PERIOD}|eow|eom|eoq|eoy", _end_of),
            (
                rf"(?:in\s+|within\s+|over\s+|during\s+)?(?:the\s+)?(?P<which>next|coming|last|past|previous)\s+{_N}\s+{_UNIT}",
                _rolling,
            ),
            (rf"(?P<which>within)\s+(?:the\s+)?(?:next\s+)?{_N}\s+{_UNIT}", _rolling),
            (rf"(?P<which>this|next|last|past|previous|coming|the coming)\s+{_PERIOD}", _in_period),
            (r"(?:this|next|the)\s+weekend", _weekend),
            (rf"(?:in|after)\s+{_N}\s+{_UNIT}(?:'?s?\s+time)?", _ahead),
            (rf"{_N}\s+{_UNIT}\s+(?:from\s+now|later)", _ahead),
            (rf"{_N}\s+{_UNIT}\s+ago", _ago),
            (rf"(?:on\s+)?(?:(?P<which>this|next|coming|last|past)\s+)?{_DAY_NAME}", _weekday),
            (
                r"today|tonight|now|this\s+(?=morning|afternoon|evening)|tomorrow|tommorow|tomorow|tommorrow|tmrw|tmr|yesterday",
                _fixed,
            ),
            (rf"(?:on\s+)?the\s+{_ORDINAL}", _day_of_month),
            (rf"(?:in|during|for)\s+{_MONTH_NAME}", _month_alone),
        )
    )


@cache
def _clock_pattern() -> re.Pattern[str]:
    return re.compile(
        r"(?<![\w:$€£.,-])(?:(?:at|@|around|about|for|by)\s+)?(?:"
        r"(?P<past>half|quarter)\s+(?P<side>past|to)\s+(?P<word>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
        r"|(?P<h>[01]?\d|2[0-3]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:[:.h](?P<m>[0-5]\d))?\s*(?P<half>[ap]\.?m\b\.?)"
        r"|(?P<h2>[01]?\d|2[0-3])[:h](?P<m2>[0-5]\d)"
        r"|(?P<h3>[01]?\d|2[0-3]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s*o'?\s?clock"
        r"|(?:(?:in\s+the|the|at)\s+)?(?P<part>morning|noon|midday|lunchtime|lunch|afternoon|evening|night|midnight)"
        r"|(?P<eod>(?:the\s+)?end\s+of\s+(?:the\s+)?(?:business\s+)?day|eod|cob|close\s+of\s+business)|(?P<first>first\s+thing))(?!\w)",
        re.IGNORECASE,
    )


_AT_HOUR = re.compile(
    r"(?<!\w)(?:at|@|around)\s+(?P<h>[01]?\d|2[0-3]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?![\w:/%]|\s*(?:percent|am|pm))",
    re.IGNORECASE,
)
_EXACT = re.compile(rf"(?<!\w)in\s+{_N}\s+(?P<unit>minutes?|mins?|hours?|hrs?)(?!\w)", re.IGNORECASE)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?")
_RELATION = re.compile(
    r"(?:^|\W)(?P<word>before|by|until|till|no later than|after|since|from)\s+(?:the\s+)?$", re.IGNORECASE
)
_JOIN = re.compile(r"^[\s,]*(?:(?:at|on|in|the|around|by|of|-)\s+)*$", re.IGNORECASE)


def _clock_of(match: re.Match[str]) -> time:
    parts = match.groupdict()
    if parts.get("past"):
        hour, minutes = _whole(parts["word"].lower()), 30 if parts["past"].lower() == "half" else 15
        if parts["side"].lower() == "to":
            hour, minutes = hour - 1, 60 - minutes
        return time(_office_hour(hour), minutes)
    if parts.get("part"):
        return time(_PARTS[parts["part"].lower()])
    if parts.get("eod"):
        return WORKDAY_END
    if parts.get("first"):
        return WORKDAY_START
    if parts.get("half"):
        hour = _whole(parts["h"].lower()) % 12 + (12 if parts["half"].lower().startswith("p") else 0)
        return time(hour, int(parts["m"] or 0))
    if parts.get("h2"):
        return time(int(parts["h2"]), int(parts["m2"]))
    return time(_office_hour(_whole((parts.get("h3") or parts["h"]).lower())))


def _office_hour(hour: int) -> int:
    """ "at 3" is 15:00, "at 8" is 08:00: an hour said without am or pm lies between 7 and 18."""
    return hour + 12 if hour < 7 else hour


def _days(text: str, now: datetime) -> Iterator[TimeSpan]:
    taken: list[tuple[int, int]] = []
    for pattern, resolve in _day_rules():
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
    for pattern in (_clock_pattern(), _AT_HOUR):
        for match in pattern.finditer(text):
            if not any(match.start() < span.end and span.start < match.end() for span in taken):
                part = match.groupdict().get("part")
                span = TimeSpan(match.start(), match.end(), None, None, _clock_of(match), part=part)
                taken.append(span)
                yield span


def _exacts(text: str, now: datetime) -> Iterator[TimeSpan]:
    for match in _ISO.finditer(text):
        try:
            found = datetime.fromisoformat(match.group(0))
        except ValueError:
            continue
        found = found if found.tzinfo else found.replace(tzinfo=now.tzinfo)
        yield TimeSpan(match.start(), match.end(), found.date(), found.date(), found.timetz(), found)
    for match in _EXACT.finditer(text):
        found = now + _shift(_whole(match["n"].lower()), match["unit"].lower())
        yield TimeSpan(match.start(), match.end(), found.date(), found.date(), None, found)


def _joined(text: str, spans: list[TimeSpan]) -> list[TimeSpan]:
    """A day and a clock time that stand together are one time."""
    merged: list[TimeSpan] = []
    for span in sorted(spans, key=lambda span: span.start):
        last = merged[-1] if merged else None
        if last is not None and last.exact is None and span.exact is None and _JOIN.match(text[last.end : span.start]):
            clock, part = _closer_clock(last, span)
            first, end = last.first or span.first, last.last or span.last
            merged[-1] = replace(last, end=span.end, first=first, last=end, clock=clock, part=part)
        else:
            merged.append(span)
    return merged


def _closer_clock(one: TimeSpan, other: TimeSpan) -> tuple[time | None, str | None]:
    """ "tomorrow morning at 10", "at 8 in the evening": an hour beats a part of the day, which tells its half."""
    if one.clock is None or other.clock is None:
        return other.clock or one.clock, other.part or one.part
    hour, part = (one.clock, other.part) if other.part else (other.clock, one.part)
    if part == "morning" and hour.hour >= 12:
        hour = hour.replace(hour=hour.hour - 12)
    elif part in ("afternoon", "evening", "night") and hour.hour < 12:
        hour = hour.replace(hour=hour.hour + 12)
    return hour, None


def find_times(text: str, now: datetime) -> list[TimeSpan]:
    """Every time said in `text`, in order. `now` is aware, in the user's zone."""
    lowered = text.lower()
    spans = list(_exacts(lowered.upper() if "T" in text and _ISO.search(text) else lowered, now))
    spans += [span for span in _days(lowered, now) if not _overlaps(span, spans)]
    spans += list(_clocks(lowered, list(spans)))
    return [_related(lowered, span, now.date()) for span in _joined(lowered, spans)]


def _overlaps(span: TimeSpan, others: list[TimeSpan]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def _related(text: str, span: TimeSpan, today: date) -> TimeSpan:
    match = _RELATION.search(text[: span.start])
    if match is None:
        inside = text[span.start : span.end]
        return replace(span, relation="before") if inside.startswith("by ") else span
    relation = "after" if match["word"] in ("after", "since", "from") else "before"
    if match["word"] == "since" and span.first and span.last and span.first > today:
        # "since Monday" looks back
        span = replace(span, first=span.first - timedelta(weeks=1), last=span.last - timedelta(weeks=1))
    return replace(span, start=match.start("word"), relation=relation)


def next_working_day(now: datetime) -> datetime:
    """09:00 of the next working day (Monday to Friday), in the zone of `now`."""
    day = now.date() + timedelta(days=1)
    while day.weekday() >= 5:
        day += timedelta(days=1)
    return datetime.combine(day, WORKDAY_START, now.tzinfo)


def parse_when(text: str, now: datetime) -> datetime:
    """One instant, aware. Raises ValueError, saying what would be understood."""
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
"""A tool parameter that takes ISO 8601 or a time in words, in the user's zone. An aware datetime reaches the tool."""
