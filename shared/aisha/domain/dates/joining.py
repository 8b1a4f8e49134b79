"""Join a day and a time of day that stand together: "Friday, at 3pm", "9am on the 3rd", "tomorrow morning at 10"."""

from msgspec import Struct

from aisha.domain.dates.meanings import Clock, Meaning
from aisha.domain.dates.resolve import range_of
from aisha.domain.dates.tokens import Tokens

_MAX_WORDS_BETWEEN = 4
_JOINING = frozenset(", - – @ at on in the around by of about for like sometime".split())
_BOUNDS = frozenset("before after from until till til".split())
"""Between a day and its time of day these are no bounds of days: "today before three"."""


class PlacedTime(Struct, frozen=True):
    """A time at `tokens[first:after]`. `start` is the place of the word that makes it a bound, else `first`."""

    first: int
    after: int
    start: int
    meaning: Meaning


def join(tokens: Tokens, one: PlacedTime, other: PlacedTime) -> PlacedTime | None:
    """Return two times that stand together as one, None if they are two times."""
    between = tokens[one.after : other.first]
    # An instant such as "in 2 hours" is complete: what stands beside it is another time.
    if len(between) > _MAX_WORDS_BETWEEN or one.meaning.exact or other.meaning.exact:
        return None
    words = frozenset(token.word for token in between)
    # "Friday before noon" is one time, "before noon until Friday" are two.
    if not words <= (_JOINING if other.meaning.first else _JOINING | _BOUNDS):
        return None
    if other.meaning.is_weak and not _takes(one.meaning, other.meaning, after_pause="," in words):
        return None
    meaning = _combined(one.meaning, other.meaning, is_apposed=words <= {","})
    return PlacedTime(one.first, other.after, one.start, meaning) if meaning else None


def _takes(one: Meaning, other: Meaning, *, after_pause: bool) -> bool:
    """Return whether a time takes what is a time only after it: an hour or a range of hours after a day."""
    if one.first is None:
        return other.part is not None
    return one.first == one.last and (other.until is not None or not after_pause)


def _combined(one: Meaning, other: Meaning, *, is_apposed: bool) -> Meaning | None:
    """Return two meanings as one: an hour beats a part of the day, which decides between am and pm."""
    # Two days are two times, but for the same day said twice: "Friday, March 6".
    if one.first and other.first and not (is_apposed and (one.first, one.last) == (other.first, other.last)):
        return None
    clock, until, part = one.clock or other.clock, one.until or other.until, one.part or other.part
    if one.clock and other.clock:
        # Two hours, or two parts of the day, are two times: "Friday at 3 or at 5".
        if bool(one.part) == bool(other.part):
            return None
        clock, until = _in_part(other if one.part else one, part)
        part = None
    return Meaning(one.first or other.first, one.last or other.last, clock, until, part, relation=one.relation)


def _in_part(hour: Meaning, part: str | None) -> tuple[Clock | None, Clock | None]:
    """Return the time of day, and the end of a range of it, in a part of the day."""
    if hour.clock is None or hour.until is None:
        return hour.clock and hour.clock.fixed(part), None
    start, length = range_of(hour.clock, hour.until, part)
    return start, start.later(length)
