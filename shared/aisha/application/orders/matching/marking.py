"""Mark in a message the words of a call: those of its records and values, and the names and values of others."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from aisha.application.orders.matching.moments import is_at, moment_in
from aisha.application.orders.reading.literals import flat
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.ids import KNOWN_ID
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS
from aisha.domain.language.amounts import Amount, find_amounts
from aisha.domain.language.models.order_form import FIELD, OTHER_NAME, OTHER_VALUE, TARGET, TIME, VALUE
from aisha.domain.language.tokens import Token, tokenize

_MAX_PHRASE = 3
"""Words of the longest name of a field or value that is looked for."""
_MIN_FREE_TEXT = 12
"""Characters from which on a text may stand in the message in other words, each of which is marked."""
_NUMBER_TOLERANCE = 0.5
_NO_VALUES = frozenset(("entity_type", "action"))
_PRONOUNS = lexicon.PERSON_PRONOUNS | frozenset(("it", "its", "them", "their"))
_FLAG_WORDS = frozenset("do not no don't dont is has -".split())
_LINKING_WORDS = frozenset(("the", "of", "and"))


def marks_for(
    tokens: Sequence[Token],
    text: str,
    arguments: Mapping[str, Any],
    *,
    target_words: frozenset[str],
    name_words: frozenset[str],
    now: datetime,
) -> list[str]:
    """Return a mark for each token of a text, empty for words that belong to no name or value.

    `target_words` are the words of the names of the call's records, `name_words` those of all names in the text.
    """
    marks = [""] * len(tokens)
    lowered = text.lower()
    amounts, times = find_amounts(lowered), find_times(lowered, now)
    for amount in amounts:
        _mark(tokens, marks, amount.start, amount.end, OTHER_VALUE)
    for time in times:
        _mark(tokens, marks, time.start, time.end, TIME)
    for place, token in enumerate(tokens):
        if token.kind == "number" or token.kind in ADDRESS_TAGS:
            marks[place] = marks[place] or OTHER_VALUE
        if token.word in target_words - _LINKING_WORDS:
            marks[place] = TARGET
        elif token.word in name_words:
            marks[place] = OTHER_NAME
    _mark_phrases(tokens, marks)
    mark_references(tokens, marks)
    for name, value in arguments.items():
        if name not in _NO_VALUES and not (isinstance(value, str) and KNOWN_ID.fullmatch(value)):
            _mark_value(name, value, tokens, marks, amounts, times, now)
    return marks


def _mark_value(
    name: str,
    value: Any,
    tokens: Sequence[Token],
    marks: list[str],
    amounts: Sequence[Amount],
    times: Sequence[TimeSpan],
    now: datetime,
) -> None:
    """Mark the words that say a value of a call."""
    places: list[int] = []
    if isinstance(value, bool):
        places = list(_places_of_flag(name, tokens))
    elif isinstance(value, int | float):
        for amount in amounts:
            if abs(amount.value - value) < _NUMBER_TOLERANCE:
                _mark(tokens, marks, amount.start, amount.end, VALUE, is_forced=True)
        numbers = {str(value), f"{value:.0f}"}
        places = [at for at, one in enumerate(tokens) if one.word.replace(",", "").strip("$€£%") in numbers]
    elif isinstance(value, str):
        if (moment := moment_in(value, now)) is not None:
            for time in (one for one in times if is_at(one, moment, now)):
                _mark(tokens, marks, time.start, time.end, VALUE, is_forced=True)
        places = list(_places_of(value, tokens, marks))
    for at in places:
        marks[at] = VALUE


def _places_of_flag(name: str, tokens: Sequence[Token]) -> Iterator[int]:
    """Yield the places of the words of a flag: "do not call", "do-not-call", "no calls"."""
    stems = {token.stem for token in tokenize(name.replace("_", " "))} - _FLAG_WORDS
    for at, token in enumerate(tokens):
        if stems & {one.stem for one in tokenize(token.word.replace("-", " "))}:
            before = itertools.takewhile(lambda place: tokens[place].word in _FLAG_WORDS, range(at - 1, -1, -1))
            yield from (at, *before)


def mark_references(tokens: Sequence[Token], marks: list[str]) -> None:
    """Mark the pronouns of a message that names none of the call's records as what means one: "flag her"."""
    if TARGET not in marks:
        for place, token in enumerate(tokens):
            if token.word in _PRONOUNS and not marks[place]:
                marks[place] = TARGET


def _mark(
    tokens: Sequence[Token], marks: list[str], start: int, end: int, mark: str, *, is_forced: bool = False
) -> None:
    for place, token in enumerate(tokens):
        if start <= token.start < end and (is_forced or not marks[place]):
            marks[place] = mark


def _mark_phrases(tokens: Sequence[Token], marks: list[str]) -> None:
    """Mark the enumerated values and the fields that are named by one to three words, as few as name them."""
    for size in range(1, _MAX_PHRASE + 1):
        for place in range(len(tokens) - size + 1):
            if any(marks[place : place + size]):
                continue
            phrase = " ".join(token.word for token in tokens[place : place + size])
            if lexicon.values_in(phrase):
                marks[place : place + size] = [OTHER_VALUE] * size
            elif size < _MAX_PHRASE and lexicon.fields_in(phrase):
                marks[place : place + size] = [FIELD] * size


def _places_of(value: str, tokens: Sequence[Token], marks: Sequence[str]) -> Iterator[int]:
    """Yield the places of the words that say a text: the same words, a word for a choice, or words of a long text."""
    words = [token.word for token in tokenize(value)]
    message_words = [token.word for token in tokens]
    starts = [at for at in range(len(message_words) - len(words) + 1) if message_words[at : at + len(words)] == words]
    places = {at + offset for at in starts for offset in range(len(words))}
    literal = flat(value)
    places |= {at for at, one in enumerate(tokens) if one.kind in ADDRESS_TAGS and flat(one.text) == literal}
    for size in range(1, _MAX_PHRASE + 1):
        for at in range(len(tokens) - size + 1):
            if not places and lexicon.means_value(tokens[at : at + size], value):
                places |= {at + offset for offset in range(size)}
    if not places and len(value) > _MIN_FREE_TEXT:
        unmarked = [at for at, token in enumerate(tokens) if token.kind == "word" and not marks[at]]
        places = {at for at in unmarked if message_words[at] in words}
    yield from sorted(places)
