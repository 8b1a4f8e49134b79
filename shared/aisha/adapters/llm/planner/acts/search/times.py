"""Read the times of a search, of what the words beside them say happened then."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.filters import Condition, Filters
from aisha.adapters.llm.planner.acts.search.words import CLOSING, CONTACTED, LATE, LENGTHS, SOLD, WHO, is_late
from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.slots import KNOWN
from aisha.domain.dates.day_words import period_days
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS
from aisha.domain.language.ask import Ask, bounds
from aisha.domain.language.lexicon import word_set
from aisha.domain.language.marks import plain_text
from aisha.domain.language.tokens import Token
from aisha.domain.wording import format_moment

_A_WHILE = "30 days"
"""The time that "lately" and "in a while" mean. The answer names its first day."""
MAX_GAP = 7
"""Days ahead up to which a day that must be past was last week, not last year."""
_VAGUE = word_set("condition_words", "vague_times")
_CREATED, _CHANGED = (word_set("time_words", key) for key in ("created", "changed"))
_DONE_WORDS, _AFTER_DID, _UNDONE = (word_set("time_words", key) for key in ("done", "did", "undone"))
_HAPPENED, _DESCRIBED = (word_set("time_words", key) for key in ("happened", "described"))
_PAST, _INTENDED, _SAME, _PERIODS = (word_set("time_words", key) for key in ("past", "intended", "same", "periods"))
_DONE = ("completed", "converted", "lost")
"""Values of a status that a record has only after what it is for has happened."""
_SHORT = 4
"""Letters of "need" and of other words that only end like a verb in the past."""
_SPEAKING = frozenset(("talk", "speak"))
_YEAR = re.compile(r"\b\d{4}\b")
_AS_OF = re.compile(r"\bas (?:of|on|at|per)\b")
"""Matches the words before the day of a figure, which is no condition: "the open deals as of today"."""
_BOUNDS = {"before": "before", "by": "before", "until": "before", "till": "before", "after": "after", "from": "after"}
_AFTER = frozenset(("after", "past", "beyond"))
_PARTS = {"morning": (time(), time(11, 59)), "afternoon": (time(12), time(17)), "evening": (time(17), time.max)}
_FIELDS: Mapping[str, str] = {
    "created": "created_at",
    "contacted": "last_contacted_at",
    "closing": "close_date",
    "due": "due_at",
    "changed": "updated_at",
    "done": "completed_at",
}
Period = tuple[datetime | None, datetime | None]
"""The first and last instant of a time, None for an open end."""


def read_times(ask: Ask, filters: Filters, last: Mapping[str, Any]) -> None:
    """Add the times, of what the words beside them say happened then. `last` are the arguments of the list before."""
    today, is_deal = ask.now.date(), "closing_before" in filters.properties
    is_ahead = any(span.first and span.first > today for span in ask.times)
    # "Not called in two weeks" is about those that are over.
    times = () if filters.is_silent and is_ahead else ask.times
    times = times or (lasting(ask) if filters.is_silent else ()) or ask.times
    times = times or (tuple(find_times(f"in the last {_A_WHILE}", ask.now)) if filters.is_silent else ())
    # "Est" is a part of the field "est value".
    unread = [text for text in ask.texts("when") if not times and not find_times(text, ask.now)]
    fields = [
        ask.outside[place].text
        for _, first, last in lexicon.placed_in(ask.outside, "fields")
        for place in range(first, last)
    ]
    filters.unknown += [text for text in unread if text not in fields]
    if is_deal and is_late(ask) and not ask.times:
        filters.arguments |= {"closing_before": (today - timedelta(days=1)).isoformat(), "open_only": True}
    if is_late(ask) and not (ask.times or is_deal) and ask.lengths:
        day = ask.lengths[0][2].shift(today, -1)  # "Overdue by more than a week"
        filters.arguments["due_before"] = datetime.combine(day, time(), ask.now.tzinfo).isoformat()
    moment = _moment(ask, filters)
    if moment in ("due", "done") and ask.act in READS:
        filters.conditions += [_at_clock(_bounded(ask, one), ask.now) for one in times if one.clock and not one.exact]
        days = [str(last.get(name) or "")[:10] for name in ("due_after", "due_before")]
        if filters.conditions and not any(one.first or one.exact for one in times) and days[0] == days[1] != "":
            filters.arguments |= {name: last[name] for name in ("due_after", "due_before")}  # "Free at 3?", that day.
        times = tuple(one for one in times if one.first or one.exact or not one.clock)
        # "After 3 pm this week" is no time after this week.
        times = tuple(replace(one, relation=None) if one.clock else one for one in times)
    if not times and (said := _same_period(ask)):
        _repeat_period(filters, moment, last, said)
    if moment == "changed" and not times:
        filters.unknown += [one.text for one in ask.outside if one.word in _CHANGED][:1]
    if times and (verb := _unread_verb(ask, is_deal=is_deal)) is not None:
        filters.unknown = [one for one in filters.unknown if one != verb.text]
        filters.unknown.append(" ".join([verb.text, *ask.texts("when")[:1]]))
        return
    if not times or (moment == "created" and is_ahead and _is_before_noun(ask)):
        return  # No condition: "I'm in Denver tomorrow, which leads are there?"
    if moment in ("changed", "done"):
        periods = [_period(ask, span, filters, moment) for span in times]
        filters.conditions += [_happened(moment, first, last) for first, last in periods]
        return
    if moment == "contacted" and "contacted_after" not in filters.properties and len(times) == 1:
        filters.contact = _period(ask, times[0], filters, moment)
        return
    if f"{moment}_after" not in filters.properties:
        filters.unknown += ask.texts("when") or [formats.format_period(one.first, one.last) for one in times]
        return
    periods = [_period(ask, span, filters, moment) for span in times]
    _add_periods(filters, moment, [one for one in periods if one != (None, None)])


def _moment(ask: Ask, filters: Filters) -> str:
    """Return what happened at the times of an ask: "created", "contacted", "changed", "closing", "due" or "done"."""
    if "due_after" in filters.properties:
        return "done" if is_done(ask) else "due"
    if filters.is_silent or ask.words & CONTACTED or _tells_of_contact(ask):
        return "contacted"
    if ask.act in READS and ask.words & _CHANGED and not ask.words & (CLOSING | _CREATED):
        return "changed"
    is_closing = ask.act == "forecast" or ask.words & CLOSING or not ask.words & _CREATED
    # "Which of those won came in last month?"
    is_closed = str(filters.arguments.get("stage", "")).startswith("closed")
    return "closing" if "closing_before" in filters.properties and (is_closing or is_closed) else "created"


def is_done(ask: Ask) -> bool:
    """Return whether an ask is about activities that are over: "how many emails did I send last week"."""
    is_past = bool(ask.words & _DONE_WORDS) or ("did" in ask.words and bool(ask.words & _AFTER_DID))
    return ask.act in READS and is_past and not ask.words & _UNDONE


def _unread_verb(ask: Ask, *, is_deal: bool) -> Token | None:
    """Return the verb that tells what happened at a time, where nothing on record tells it: "who renewed in May"."""
    known = (KNOWN - (frozenset() if is_deal else SOLD)) | _CHANGED | _DONE_WORDS | _DESCRIBED | _INTENDED | LATE
    if ask.act not in ("search", "count") or ask.words & (CLOSING | _CREATED | CONTACTED | _CHANGED):
        return None
    nouns = [one.end for one in ask.outside if lexicon.kind_named(one) or one.word in WHO]
    verbs = [one for one in ask.loose if nouns and one.start > nouns[0] and one.word not in known]
    verbs = [one for one in verbs if one.word in _HAPPENED or (one.word.endswith("ed") and len(one.word) > _SHORT)]
    return next((one for one in verbs if not (lexicon.values_in(one.word) or lexicon.fields_in(one.word))), None)


def _bounded(ask: Ask, span: TimeSpan) -> TimeSpan:
    """Return a time of day as a bound where a word in it says so: "Friday before 3"."""
    words = plain_text(ask.outside)[0][span.start : span.end].split()
    relation = next((_BOUNDS[one] for one in words if one in _BOUNDS), None)
    return span if span.relation or span.minutes else replace(span, relation=relation)


def _at_clock(span: TimeSpan, now: datetime) -> Condition:
    """Return the condition that an activity is at a time of day, or in a part of the day: "in the morning"."""
    first, last = _PARTS.get(span.part or "", (span.clock or time(), span.clock or time()))
    first, last = (time() if span.relation == "before" else first, time.max if span.relation == "after" else last)

    def holds(record: Mapping[str, Any]) -> bool:
        due = record.get("due_at")
        return bool(due) and first <= datetime.fromisoformat(str(due)).astimezone(now.tzinfo).time() <= last

    clock_text = format_moment(datetime.combine(now.date(), span.clock or time()), now).partition(" at ")[2]
    said = f"in the {span.part}" if span.part in _PARTS else f"{span.relation or 'at'} {clock_text}"
    return Condition(said, holds)


def _happened(verb: str, first: datetime | None, last: datetime | None) -> Condition:
    """Return the condition that a moment of a record, which no parameter limits, lies in a period."""

    def holds(record: Mapping[str, Any]) -> bool:
        value = record.get(_FIELDS[verb])
        moment = datetime.fromisoformat(str(value)) if value else None
        return moment is not None and (not first or first <= moment) and (not last or moment <= last)

    period_text = formats.format_period(first and first.date(), last and last.date(), is_past=True)
    return Condition(f"last changed {period_text}" if verb == "changed" else period_text, holds)


def _period(ask: Ask, span: TimeSpan, filters: Filters, moment: str) -> Period:
    """Return the first and last instant of a time, of one that must be over the last such time."""
    today = ask.now.date()
    text = plain_text(ask.outside)[0][span.start : span.end]
    if span.relation == "before" and span.first and ask.words & {"before", "prior"}:
        span = replace(span, first=span.first - timedelta(days=1), last=span.first - timedelta(days=1))
    if span.relation == "after" and span.last and not span.clock and {*text.split()} & _AFTER:
        span = replace(span, first=span.last + timedelta(days=1))  # "After April" is from May on, unlike "since April".
    if span.first and span.last and span.first > today and _is_over(ask, filters, moment) and not _YEAR.search(text):
        is_weekday = (span.first - today).days <= MAX_GAP and not any(letter.isdecimal() for letter in text)
        before = replace(span, first=_before(span.first, is_weekday), last=_before(span.last, is_weekday))
        # "Were supposed to close in April" may be still to come.
        is_far = before.last is not None and today - before.last > span.first - today
        span = span if is_far and ask.words & _INTENDED else before
    first, last = bounds(span, ask.now)
    first, last = (None, _until(ask) or first or last) if filters.is_silent else (first, last)
    is_now = span.first == today and ("now" in ask.words or bool(_AS_OF.search(plain_text(ask.outside)[0][: span.end])))
    return (None, None) if is_now else (first, last)


def _is_over(ask: Ask, filters: Filters, moment: str) -> bool:
    """Return whether what an ask is about has happened: by its status, or the tense of its verbs."""
    arguments = filters.arguments
    is_closed = str(arguments.get("stage", "")).startswith("closed") or arguments.get("status") in _DONE
    return moment in ("created", "contacted", "changed", "done") or is_closed or bool(ask.words & _PAST)


def _before(day: date, is_weekday: bool) -> date:
    """Return the day a week or a year before."""
    if is_weekday:
        return day - timedelta(days=7)
    return day.replace(year=day.year - 1, day=min(day.day, 28) if day.month == 2 else day.day)


def _same_period(ask: Ask) -> str:
    """Return the words that mean the time of the answer before: "in the same period"; empty for none."""
    pairs = [(one, two) for one, two in pairwise(ask.outside) if one.word in _SAME and two.word in _PERIODS]
    return next((ask.text[one.start : two.end] for one, two in pairs), "")


def _repeat_period(filters: Filters, moment: str, last: Mapping[str, Any], said: str) -> None:
    """Add the period of the list before, or that it is unknown."""
    ends = {name.rpartition("_")[2]: value for name, value in last.items() if name.endswith(("_after", "_before"))}
    if not ends or f"{moment}_after" not in filters.properties:
        filters.unknown.append(said)
    for end, value in ends.items() if f"{moment}_after" in filters.properties else ():
        is_day = filters.properties[f"{moment}_{end}"].get("format") == "date"
        filters.arguments[f"{moment}_{end}"] = value[:10] if is_day else value


def _add_periods(filters: Filters, moment: str, periods: Sequence[Period]) -> None:
    """Add periods: what all of them share, else from the first to the last of them, and that it is in one of them."""
    if not periods:
        return
    firsts, lasts = [first for first, _ in periods if first], [last for _, last in periods if last]
    ends = max(firsts, default=None), min(lasts, default=None)
    if ends[0] and ends[1] and ends[0] > ends[1]:
        ends = min(firsts), max(lasts)
        ordered = sorted((first, last) for first, last in periods if first and last)
        if any(two[0] - one[1] > timedelta(days=1) for one, two in pairwise(ordered)):
            filters.conditions.append(_within_one(_FIELDS[moment], ordered))
    for name, end in zip((f"{moment}_after", f"{moment}_before"), ends, strict=True):
        if end is not None:
            is_day = filters.properties[name].get("format") == "date"
            filters.arguments[name] = end.date().isoformat() if is_day else end.isoformat()
    first, last = (str(filters.arguments.get(f"{moment}_{end}") or "") for end in ("after", "before"))
    if first and last and first > last:  # One of them is of the list before: "and after March?"
        del filters.arguments[f"{moment}_{'before' if ends[0] else 'after'}"]


def _within_one(field: str, periods: Sequence[tuple[datetime, datetime]]) -> Condition:
    """Return the condition that a moment is in one of several periods."""
    days = [(first.date(), last.date()) for first, last in periods]

    def holds(record: Mapping[str, Any]) -> bool:
        moment = datetime.fromisoformat(str(record[field])) if record.get(field) else None
        day = moment.astimezone(periods[0][0].tzinfo).date() if moment and moment.tzinfo else moment and moment.date()
        return day is not None and any(first <= day <= last for first, last in days)

    said = " or ".join(formats.format_period(first, last) for first, last in days)
    return Condition(f"and {said} only", holds)


def _until(ask: Ask) -> datetime | None:
    """Return the end of the period since which there was no contact: "since January" is since it was over."""
    plain, _ = plain_text(ask.outside)
    for span in ask.times:
        text = plain[span.start : span.end]
        is_begun = "start" in text or "beginning" in text
        if span.first is None or not text.startswith("since ") or is_begun or any(map(str.isdecimal, text)):
            continue
        is_month = span.last == ask.now.date() and span.first.day == 1
        last = period_days("month", span.first)[1] if is_month else span.last
        return bounds(replace(span, last=last, relation=None), ask.now)[1]
    return None


def _tells_of_contact(ask: Ask) -> bool:
    """Return whether a verb tells of contact: "which leads did we contact in May", not "talk me through them"."""
    before = lexicon.SELF_WORDS | {"last"}
    is_named = any(one.word in before and two.word == "contact" for one, two in pairwise(ask.outside))
    is_to_user = any(one.stem in _SPEAKING and two.word in ("me", "us") for one, two in pairwise(ask.outside))
    return is_named or (bool(ask.stems & _SPEAKING) and not is_to_user)


def lasting(ask: Ask) -> tuple[TimeSpan, ...]:
    """Return the time up to now that a length says: "not contacted for three weeks"."""
    lengths = [text.lower().removeprefix("for ").removeprefix("in ") for text in ask.texts("when")]
    for number, unit in pairwise(token.word for token in ask.outside):
        if unit in LENGTHS:
            lengths.append(unit if number in ("a", "an") else f"{number} {unit}")
    lengths += [_A_WHILE] if ask.words & _VAGUE else []
    return tuple(span for text in lengths for span in find_times(f"in the last {text}", ask.now))[:1]


def _is_before_noun(ask: Ask) -> bool:
    """Return whether the times come before what is looked for."""
    nouns = [token.start for token in ask.outside if lexicon.kind_named(token) or token.word in WHO]
    times = [span.start for span in ask.segment.spans if span.tag == "when"]
    return bool(nouns and times) and max(times) < nouns[0]
