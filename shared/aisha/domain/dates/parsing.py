"""Parse times in words: "tomorrow", "next Tuesday at 3pm", "in two weeks", "end of the month", "from 3 to 4 pm".

`find_times` finds times in a sentence, `parse_when` parses a text that is one time. Words are English; they and the
forms of phrases are in `time_words.toml`. ISO 8601 always works. Days without a clock time mean 09:00, today 17:00
(working hours), a week its Monday.
"""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace
from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

from aisha.domain.dates.clock_words import WORKDAY_END, WORKDAY_START
from aisha.domain.dates.joining import PlacedTime, join
from aisha.domain.dates.kinds import kinds_of
from aisha.domain.dates.meanings import Context, Meaning
from aisha.domain.dates.phrases import Grammar, Phrase, Text, load
from aisha.domain.dates.resolve import range_of, resolve
from aisha.domain.dates.tokens import Tokens, is_glued, split, starts_freely, word_at

_GROUPS = ("day", "time", "compound", "range")
"""The groups of phrases that are times by themselves; of two as long the first wins."""
_LEADING = frozenset(("for", "in", "during", "over", "at", "on"))
_MAX_BOUND_WORDS = 3
_MAX_WORDS_BETWEEN = 2
_PAST = frozenset(("since", "ever since"))


@cache
def _grammar() -> Grammar:
    table = load("time_words.toml")
    groups = ("anchor", "day", "clock", "bare", "compound", "range", "time", "weak")
    return Grammar({group: table[group] for group in groups}, kinds_of(table))


@cache
def _relations() -> Mapping[tuple[str, ...], str]:
    table = load("time_words.toml")["relations"]
    return {tuple(words.split()): relation for relation in ("before", "after") for words in table[relation]}


@cache
def _between() -> frozenset[str]:
    """Return the words that may stand between a bound and its time: "by about 3pm"."""
    return frozenset(load("time_words.toml")["relations"]["between"])


@cache
def words_of_clocks() -> frozenset[str]:
    """Return the words of times of day, and of days of the week: "noon", "half", "pm", "Friday"."""
    table = load("time_words.toml")
    named = (words for name in ("weekday", "part", "half") for words in table["words"][name].values())
    return frozenset(table["follow"]["of_clocks"]).union(*(words.split() for words in named))


@cache
def time_zones() -> frozenset[str]:
    """Return the abbreviations of zones of time, which no time is read in."""
    return frozenset(load("time_words.toml")["follow"]["zones"])


class TimeSpan(Struct, frozen=True):
    """A time found at `text[start:end]`.

    `first` and `last` are the days it covers (one day, or a range such as this week), `clock` is the time of day if the
    text has one, `exact` the instant if the text names one; for a range in hours ("the last 2 hours") its far end.
    `relation` is before (by, until) or after (since, from) if a word makes the time a bound. `minutes` is the length of
    a range of the day: 60 in "from 3 to 4 pm".
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
    minutes: int | None = None

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
        # Today without an hour is the end of work, and after that the next full hour.
        if day == now.date():
            end = datetime.combine(day, WORKDAY_END, now.tzinfo)
            return end if end > now else now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        return datetime.combine(day, WORKDAY_START, now.tzinfo)


def find_times(text: str, now: datetime) -> list[TimeSpan]:
    """Return every time in `text`, in order. `now` is aware, in the user's zone."""
    tokens = split(text)
    parsed = Text(tokens)
    times: list[PlacedTime] = []
    place = 0
    while place < len(tokens):
        last = times[-1] if times else None
        placed = _time_at(parsed, place, last, now)
        if placed and tokens[place].word in _LEADING and (later := _time_at(parsed, place + 1, last, now)):
            # "for March 9" is the ninth, not the month.
            placed = later if later.after > placed.after else placed
        joined = join(tokens, last, placed) if last and placed else None
        if joined:
            times[-1] = joined
        elif placed and not placed.meaning.is_weak:
            times.append(placed)
        # A weak time that joined nothing is passed word by word: a real one may begin inside it.
        place = placed.after if placed and (joined or not placed.meaning.is_weak) else place + 1
    return [_span(tokens, one) for one in times]


def _time_at(text: Text, place: int, last: PlacedTime | None, now: datetime) -> PlacedTime | None:
    """Return the time that begins at a place. One that counts only after a day is weak, unless a day follows."""
    tokens = text.tokens
    if not starts_freely(tokens, place):
        return None
    grammar = _grammar()
    phrases = [phrase for group in _GROUPS if (phrase := grammar.longest(group, text, place))]
    if not phrases and (weak := grammar.longest("weak", text, place)):
        phrases.append(weak)
    if not phrases:
        return None
    # The words of a bound end where the time before ends: "until Friday" of "from Monday until Friday".
    words, start = _bound(tokens, place, last.after if last else 0)
    context = Context(now, is_past=" ".join(words) in _PAST)
    for phrase in sorted(phrases, key=lambda phrase: -phrase.after):
        try:
            meaning = resolve(phrase, context)
        except (ValueError, OverflowError):
            # No such day, such as February 30, or one beyond the calendar: a shorter phrase may fit.
            continue
        if _is_hyphenated(tokens, phrase):
            continue
        if phrase.means == "weak_range" and _day_follows(text, phrase.after):
            meaning = replace(meaning, is_weak=False)
        if words and not (words == ("from",) and _is_origin(meaning, now.date())):
            meaning = replace(meaning, relation=_relations()[words])
        return PlacedTime(place, phrase.after, start, meaning)
    return None


def _bound(tokens: Tokens, place: int, first: int) -> tuple[tuple[str, ...], int]:
    """Return the words, from the place `first` on, that make the time at a place a bound, and their place."""
    after = place
    while True:
        for size in range(min(_MAX_BOUND_WORDS, after - first), 0, -1):
            words = tuple(token.word for token in tokens[after - size : after])
            if words in _relations():
                return words, after - size
        if place - after >= _MAX_WORDS_BETWEEN or after == first or tokens[after - 1].word not in _between():
            return (), place
        after -= 1


def _is_origin(meaning: Meaning, today: date) -> bool:
    """Return whether "from" tells where something is from: "leads from last week", "the mail from yesterday"."""
    return meaning.first is not None and (meaning.first != meaning.last or meaning.first < today)


def _is_hyphenated(tokens: Tokens, phrase: Phrase) -> bool:
    """Return whether a day is the first part of a longer word: "Friday-meeting"."""
    after = phrase.after
    return word_at(tokens, after) == "-" and is_glued(tokens, after) and is_glued(tokens, after + 1)


def _day_follows(text: Text, place: int) -> bool:
    place += word_at(text.tokens, place) in ("on", ",")
    return place < len(text.tokens) and _grammar().longest("day", text, place) is not None


def _span(tokens: Tokens, placed: PlacedTime) -> TimeSpan:
    meaning, minutes = placed.meaning, None
    first, last, clock = meaning.first, meaning.last, meaning.clock
    # "From 3 to 4 pm": both ends are known only now that all that belongs to the time is joined.
    if clock and meaning.until:
        clock, minutes = range_of(clock, meaning.until)
    at, days = clock.at() if clock else (None, 0)
    # "Friday at midnight" is the beginning of Saturday.
    if days and first and last and first == last < date.max:
        first, last = first + timedelta(days=days), last + timedelta(days=days)
    start, end = tokens[placed.start].start, tokens[placed.after - 1].end
    return TimeSpan(start, end, first, last, at, meaning.exact, meaning.relation, meaning.part, minutes)


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
    # Two times, as in "Monday or Tuesday", are no one time: a guess would be wrong half of the time.
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
