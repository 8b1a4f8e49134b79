"""The kinds of values in phrases of the time of day: hours, minutes, am and pm, digital clocks."""

from collections.abc import Mapping

from msgspec import Struct

from aisha.domain.dates.number_words import NUMBER_WORDS, below_hundred, digits
from aisha.domain.dates.phrases import DIGITS, Kind, load
from aisha.domain.dates.tokens import Token, Tokens, ends_freely, is_glued, word_at

_HOUR_WORDS = frozenset("one two three four five six seven eight nine ten eleven twelve".split())
_VAGUE_HOURS = frozenset(f"{word}ish" for word in _HOUR_WORDS)
_ROUND_MINUTES = (15, 30, 45)
_DAYS = frozenset("mon tue tues wed thu thur thurs fri sat sun today tonight tomorrow tmrw".split())
"""Words after which digits like "930" are a clock time, beside the weekdays in full."""
_MONTHS = frozenset(word for names in load("time_words.toml")["words"]["month"].values() for word in names.split())
_LABELLED = frozenset(
    "room suite flat unit apartment apt gate floor building block option plan phase section exhibit appendix series "
    "schedule annex hall bay zone class grade type level version page no number".split()
)
"""Words after which a number with a letter is a label: "room 3a"."""
_CURRENCIES = frozenset("dollars dollar bucks euros euro pounds usd eur gbp k".split())


class Hour(Struct, frozen=True):
    """An hour as written. `is_exact` says that it is one of 24: "15", "09"."""

    hour: int
    minute: int = 0
    is_exact: bool = False


def _hour(tokens: Tokens, place: int) -> tuple[Hour, int] | None:
    """Return an hour from 1 to 23 in digits, or from one to twelve in words."""
    parsed = digits(tokens, place)
    if parsed is None:
        return _hour_word(tokens, place)
    word = tokens[place].word
    if len(word) > 2 or not 1 <= parsed[0] <= 23:
        return None
    # "09" is nine in the morning; "9" may be in the evening.
    return Hour(parsed[0], 0, parsed[0] > 12 or word[0] == "0"), parsed[1]


def _hour_word(tokens: Tokens, place: int) -> tuple[Hour, int] | None:
    if word_at(tokens, place) not in _HOUR_WORDS:
        return None
    parsed = below_hundred(tokens, place)
    return (Hour(parsed[0]), parsed[1]) if parsed else None


def _vague_hour(tokens: Tokens, place: int) -> tuple[Hour, int] | None:
    """Return the hour of "elevenish"."""
    word = word_at(tokens, place)
    parsed = below_hundred([Token(word[:-3], 0, 0, is_glued=False)], 0) if word in _VAGUE_HOURS else None
    return (Hour(parsed[0]), place + 1) if parsed else None


def _clock_hour(tokens: Tokens, place: int) -> tuple[Hour, int] | None:
    parsed = _hour(tokens, place)
    return parsed if parsed and parsed[0].hour <= 12 else None


def _minute(tokens: Tokens, place: int) -> tuple[int, int] | None:
    """Return the minutes from 1 to 59: "15", "thirty", "oh five"."""
    if word_at(tokens, place) in ("oh", "o", "zero"):
        parsed = below_hundred(tokens, place + 1)
        return parsed if parsed and 1 <= parsed[0] <= 9 else None
    if place < len(tokens) and tokens[place].is_number:
        # The 30 of "at 3-30" may be the end of a range.
        is_apart = word_at(tokens, place - 1) != "-"
        parsed = digits(tokens, place) if len(tokens[place].word) == 2 and is_apart else None
    else:
        parsed = below_hundred(tokens, place)
    return parsed if parsed and 1 <= parsed[0] <= 59 and ends_freely(tokens, parsed[1]) else None


def _minute_count(tokens: Tokens, place: int) -> tuple[int, int] | None:
    parsed = digits(tokens, place) or below_hundred(tokens, place)
    return parsed if parsed and 1 <= parsed[0] <= 59 else None


def _round_minute(tokens: Tokens, place: int) -> tuple[int, int] | None:
    parsed = below_hundred(tokens, place)
    return parsed if parsed and parsed[0] in _ROUND_MINUTES else None


def _half_of_day(tokens: Tokens, place: int) -> tuple[str, int] | None:
    """Return am or pm: "pm", "p.m.", "p m", the "p" of "3p"."""
    word = word_at(tokens, place)
    if word in ("am", "pm"):
        return word, place + 1
    if word not in ("a", "p"):
        return None
    after = place + 1 + (word_at(tokens, place + 1) == ".")
    if word_at(tokens, after) != "m":
        is_short = is_glued(tokens, place) and tokens[place - 1].is_number and ends_freely(tokens, place + 1)
        return (f"{word}m", place + 1) if is_short else None
    after += 1
    return f"{word}m", after + (word_at(tokens, after) == "." and is_glued(tokens, after) and after - place > 2)


def _digital(tokens: Tokens, place: int) -> tuple[tuple[Hour, str | None], int] | None:
    """Return a clock time in digits with am, pm or neither: "3pm", "14:30", "15h30", "3.30 pm"."""
    parsed = digits(tokens, place)
    word = word_at(tokens, place)
    if parsed is not None and len(word) in (3, 4):
        return _compact(tokens, place, parsed)
    if parsed is None or len(word) > 2 or parsed[0] > 23:
        return None
    hour, after, minute, separator = parsed[0], parsed[1], 0, ""
    if word_at(tokens, after) in (":", ".", "h") and is_glued(tokens, after) and is_glued(tokens, after + 1):
        minutes = digits(tokens, after + 1)
        if minutes and len(tokens[after + 1].word) == 2 and minutes[0] <= 59:
            separator, minute, after = tokens[after].word, minutes[0], minutes[1]
    half = _half_of_day(tokens, after)
    # "Room 3a" is no 3 am, but "room 3 at 3a" has one.
    is_label = word_at(tokens, place - 1) in _LABELLED and word_at(tokens, after) in ("a", "p")
    if half is not None and 1 <= hour <= 12 and ends_freely(tokens, half[1]) and not is_label:
        return (Hour(hour, minute), half[0]), half[1]
    if separator == "h" and word_at(tokens, place - 1) in ("for", "of", "lasting"):
        return None  # "for 1h30"
    at = word_at(tokens, place - 1) in ("at", "@", "around", "about") or _is_after_day(tokens, place)
    at = at or _is_after_date(tokens, place)
    # "3.30" alone may be a number or an amount: a point needs "at" or a day before it.
    if separator in (":", "h") or (separator == "." and at):
        return (Hour(hour, minute, hour > 12 or word[0] == "0"), None), after
    return None


def _compact(tokens: Tokens, place: int, number: tuple[int, int]) -> tuple[tuple[Hour, str | None], int] | None:
    """Return a clock time without a separator, where a day, am or pm show that it is one: "Thursday 930", "945pm"."""
    (hour, minute), after = divmod(number[0], 100), number[1]
    if hour > 23 or minute > 59:
        return None
    half = _half_of_day(tokens, after)
    if half is not None and 1 <= hour <= 12 and ends_freely(tokens, half[1]):
        return (Hour(hour, minute), half[0]), half[1]
    is_day = _is_after_day(tokens, place) or word_at(tokens, after) in ("hrs", "hours")
    # "Friday 930" is a time, "Friday 917" more likely a number of something.
    is_usual = minute in _ROUND_MINUTES or (minute == 0 and len(tokens[place].word) == 4)
    if not is_day or not is_usual or not ends_freely(tokens, after) or word_at(tokens, after) in _CURRENCIES:
        return None
    return (Hour(hour, minute, hour > 12 or tokens[place].word[0] == "0"), None), after


def _is_after_day(tokens: Tokens, place: int) -> bool:
    before = word_at(tokens, place - 1 - (word_at(tokens, place - 1) in ("at", "@", ",")))
    return before in _DAYS or before.endswith("day")


def _is_after_date(tokens: Tokens, place: int) -> bool:
    """Return whether a day of a month stands before a place: "12 March", "March 12th"."""
    before = [
        word_at(tokens, at) for at in range(max(0, place - 4), place) if word_at(tokens, at) not in ("at", "@", ",")
    ]
    before = [word for word in before if word not in ("st", "nd", "rd", "th")][-2:]
    return len(before) > 1 and any(word in _MONTHS for word in before) and any(word.isdecimal() for word in before)


def _clock_follows(tokens: Tokens, place: int) -> tuple[bool, int] | None:
    if word_at(tokens, place) not in ("at", "@"):
        return None
    place += 1 + (word_at(tokens, place + 1) in ("about", "around", "like"))
    return (True, place - 1) if _hour(tokens, place) or word_at(tokens, place) in ("noon", "half", "quarter") else None


_NUMBERS = NUMBER_WORDS | {DIGITS}
_HOURS = _HOUR_WORDS | {DIGITS}
CLOCK_KINDS: Mapping[str, Kind] = {
    "hour": Kind(_hour, _HOURS),
    "hour_word": Kind(_hour_word, _HOUR_WORDS),
    "vague_hour": Kind(_vague_hour, _VAGUE_HOURS),
    "clock_hour": Kind(_clock_hour, _HOURS),
    "minute": Kind(_minute, _NUMBERS | {"oh", "o"}),
    "minute_count": Kind(_minute_count, _NUMBERS),
    "round_minute": Kind(_round_minute, _NUMBERS),
    "half_of_day": Kind(_half_of_day, frozenset(("am", "pm", "a", "p"))),
    "digital": Kind(_digital, frozenset((DIGITS,))),
    "clock_follows": Kind(_clock_follows, None),
}
