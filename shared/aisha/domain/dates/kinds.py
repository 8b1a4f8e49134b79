"""All kinds of values in phrases of time: words of `time_words.toml`, some of them only in certain surroundings."""

from collections.abc import Mapping
from typing import Any

from aisha.domain.dates.clock_kinds import CLOCK_KINDS
from aisha.domain.dates.day_kinds import DAY_KINDS
from aisha.domain.dates.number_words import ordinal
from aisha.domain.dates.phrases import DIGITS, Kind, Read, synonyms
from aisha.domain.dates.tokens import MARKS_OF_PAUSE, Tokens, is_glued, word_at

_MAX_WORDS_BETWEEN = 12
"""Number of words before a range in which a verb of moving is looked for."""


def kinds_of(table: Mapping[str, Any]) -> dict[str, Kind]:
    """Return the kinds, by name, of the words in `table` (time_words.toml)."""
    kinds = {name: _vocabulary(synonyms(words)) for name, words in table["words"].items()}
    kinds.update({**DAY_KINDS, **CLOCK_KINDS})
    after = {name: frozenset(words) for name, words in table["after"].items()}
    names = {name: frozenset(words) for name, words in table["names"].items()}
    follow = {name: frozenset(words) for name, words in table["follow"].items()}
    kinds["month"] = _month(kinds["month"], names["after_may"])
    kinds["weekday"] = _weekday(kinds["weekday"], names, after["doubtful_day"])
    kinds["lone_month"] = _lone_month(kinds["month"], names["doubtful_months"], after["month"])
    kinds["season"] = _after(kinds["season"], after["season"])
    kinds["holiday"] = _after(kinds["holiday"], after["holiday"])
    kinds["lone_part"] = _after(kinds["part"], after["part"])
    kinds["counted"] = _words(follow["counted"])
    kinds["closing"] = Kind(_closing(follow["closing"]), None)
    kinds["unmeasured"] = Kind(_is_not_after(follow["counted"] | follow["measures"]), None)
    kinds["unmoved"] = Kind(_unmoved(follow["moving"]), None)
    kinds["lone_ordinal"] = Kind(_lone_ordinal(after["ordinal"], follow["closing"]), frozenset((DIGITS,)))
    kinds["lone_year"] = _after(DAY_KINDS["year"], after["year"])
    kinds["lone_now"] = Kind(_lone_now(after["now"]), frozenset(("now", "right")))
    kinds["period_end_follows"] = Kind(_is_after(after["period_end"]), None)
    kinds["hour_follows"] = Kind(_is_after(after["hour"]), None)
    return kinds


def _vocabulary(values: Mapping[str, Any]) -> Kind:
    def read(tokens: Tokens, place: int) -> tuple[Any, int] | None:
        word = word_at(tokens, place)
        second = place + 1 + (word_at(tokens, place + 1) == "-")
        pair = f"{word}_{word_at(tokens, second)}"
        if pair in values:
            return values[pair], second + 1
        return (values[word], place + 1) if word in values else None

    return Kind(read, frozenset(word.partition("_")[0] for word in values))


def _words(words: frozenset[str]) -> Kind:
    def read(tokens: Tokens, place: int) -> tuple[str, int] | None:
        word = word_at(tokens, place)
        return (word, place + 1) if word in words else None

    return Kind(read, words)


def _after(kind: Kind, words: frozenset[str]) -> Kind:
    """Return the kind of the same values that stand after one of some words, with or without "the"."""

    def read(tokens: Tokens, place: int) -> tuple[Any, int] | None:
        before = place - 1 - (word_at(tokens, place - 1) == "the")
        return kind.read(tokens, place) if word_at(tokens, before) in words else None

    return Kind(read, kind.first)


def _is_after(words: frozenset[str]) -> Read:
    return lambda tokens, place: (True, place) if word_at(tokens, place - 1) in words else None


def _is_not_after(words: frozenset[str]) -> Read:
    return lambda tokens, place: None if word_at(tokens, place - 1) in words else (True, place)


def _lone_now(before: frozenset[str]) -> Read:
    """Return a reader of "now" as a time: "until now", or nothing else. Elsewhere it mostly tells how things are."""

    def read(tokens: Tokens, place: int) -> tuple[bool, int] | None:
        at = place + (word_at(tokens, place) == "right")
        is_all = not place and not word_at(tokens, at + 1)
        ends_range = word_at(tokens, place - 1) == "and" and any(
            word_at(tokens, back) == "between" for back in range(place - 6, place)
        )
        is_now = word_at(tokens, at) == "now" and (is_all or ends_range or word_at(tokens, place - 1) in before)
        return (True, at + 1) if is_now else None

    return read


def _month(kind: Kind, after_may: frozenset[str]) -> Kind:
    def read(tokens: Tokens, place: int) -> tuple[Any, int] | None:
        word, after = word_at(tokens, place), place + 1
        parsed = kind.read(tokens, place)
        # "May" before a verb or a pronoun is no month: "may I", "may be".
        if parsed is None or (word == "may" and word_at(tokens, after) in after_may):
            return None
        # "Sept. 3"
        is_abbreviated = len(word) <= 4 and word_at(tokens, after) == "." and is_glued(tokens, after)
        followed = is_abbreviated and after + 1 < len(tokens) and tokens[after + 1].is_number
        return (parsed[0], after + 1) if followed else parsed

    return Kind(read, kind.first)


def _weekday(kind: Kind, names: Mapping[str, frozenset[str]], before: frozenset[str]) -> Kind:
    """Return the kind without words that mean no single day: "I sat", "every Friday"."""

    def read(tokens: Tokens, place: int) -> tuple[Any, int] | None:
        word, previous, following = (word_at(tokens, place + step) for step in (0, -1, 1))
        # A meeting every Friday has no date.
        if previous in names["repeating"]:
            return None
        if word in names["doubtful_days"]:
            is_alone = not following[:1].isalpha() or following in names["after_day"]
            is_verb = previous in names["subjects"] and not following.isdecimal()
            if is_verb or not (previous in before or is_alone):
                return None
        return kind.read(tokens, place)

    return Kind(read, kind.first)


def _lone_month(kind: Kind, doubtful: frozenset[str], before: frozenset[str]) -> Kind:
    def read(tokens: Tokens, place: int) -> tuple[Any, int] | None:
        word, previous = word_at(tokens, place), word_at(tokens, place - 1)
        is_all = not place and not word_at(tokens, 1).isalnum()
        is_asked = previous == "about" and word_at(tokens, place - 2) in ("what", "how")
        is_no_month = word in doubtful and not (previous in before or is_all or is_asked)
        # After a number it is a date that does not exist: "30 February".
        return None if is_no_month or previous.isdecimal() else kind.read(tokens, place)

    return Kind(read, kind.first)


def _closing(words: frozenset[str]) -> Read:
    """Return a check that the phrase may end here: at the end of the text, a mark or a function word."""

    def read(tokens: Tokens, place: int) -> tuple[bool, int] | None:
        word = word_at(tokens, place)
        return (True, place) if not word or word in MARKS_OF_PAUSE or word in words else None

    return read


def _unmoved(moving: frozenset[str]) -> Read:
    """Return a check that no verb of moving comes before: "move it from Monday to Tuesday" has no range."""

    def read(tokens: Tokens, place: int) -> tuple[bool, int] | None:
        for back in range(place - 1, max(-1, place - 1 - _MAX_WORDS_BETWEEN), -1):
            word = tokens[back].word
            # The verb of another sentence, or one whose goal is named before: "move it to May from 3 to 4".
            if word in (".", "?", "!", ";", "to"):
                break
            if word in moving:
                return None
        return True, place

    return read


def _lone_ordinal(before: frozenset[str], closing: frozenset[str]) -> Read:
    """Return a reader of an ordinal in digits that is a day by what stands around it: "on 15th", "15th"."""

    def read(tokens: Tokens, place: int) -> tuple[int, int] | None:
        parsed = ordinal(tokens, place) if word_at(tokens, place)[:1].isdecimal() else None
        if parsed is None or (place and word_at(tokens, place - 1) not in before):
            return None
        following = word_at(tokens, parsed[1])
        is_closed = not following or not following[0].isalpha() or following in closing
        return parsed if is_closed else None

    return read
