"""The marks of a token that the tagger is given: times, sums, words of salespeople, names that were spoken of."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.tokens import Token

LEXICON_TABLES = ("fields", "values", "jobs", "industries", "activities")
"""The tables of the lexicon whose words are marked."""
_ANY_DAY = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
"""Any day: the place of a time in a sentence does not depend on it."""


def plain_text(tokens: Sequence[Token]) -> tuple[str, list[int]]:
    """Return the normal forms joined by blanks, and where each token begins in it.

    Addresses and numbers keep their spelling. Marks join the word before, so that "3:30" and "Friday," read as usual.
    """
    text, starts = "", []
    for place, token in enumerate(tokens):
        is_joined = place > 0 and token.start == tokens[place - 1].end
        text += "" if is_joined or not text else " "
        starts.append(len(text))
        text += token.word
    return text, starts


def time_tokens(tokens: Sequence[Token], now: datetime = _ANY_DAY) -> list[bool]:
    """Return for each token whether it is a part of a time."""
    text, starts = plain_text(tokens)
    spans = find_times(text, now)
    return [any(span.start <= start < span.end for span in spans) for start in starts]


def has_clock(text: str) -> bool:
    """Return whether a time in words has a clock time, or may be one: "at 3", "eleven"."""
    times = find_times(text.lower(), _ANY_DAY)
    return not times or any(one.clock is not None for one in times)


def marks_of(tokens: Sequence[Token], known_words: Iterable[str] = ()) -> list[list[str]]:
    """Return the marks of each token: `time`, `money`, the tables of the lexicon that it is found in, and `known` for a
    word of a name that was spoken of.
    """
    name_words = {word.lower() for word in known_words}
    text, starts = plain_text(tokens)
    spans = [("time", one.start, one.end) for one in find_times(text, _ANY_DAY)]
    spans += [("money", one.start, one.end) for one in find_amounts(text) if one.is_money]
    marks = [[name for name, first, last in spans if first <= start < last] for start in starts]
    for table in LEXICON_TABLES:
        for _, first, last in lexicon.placed_in(tokens, table):
            for place in range(first, last):
                marks[place].append(table)
    for token, token_marks in zip(tokens, marks, strict=True):
        token_marks += ["kind"] * (lexicon.kind_named(token) is not None) + ["known"] * (token.word in name_words)
    return marks
