"""The marks of a token that the tagger is given: times, sums, words of salespeople, names that were spoken of."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from aisha.domain.dates.durations import find_lengths
from aisha.domain.dates.parsing import find_times, time_zones, words_of_clocks
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.tokens import Token

LEXICON_TABLES = ("fields", "values", "jobs", "industries", "activities")
"""The tables of the lexicon whose words are marked."""
_AT = frozenset(("at", "@", ",", "around", "about", "by", "like", "say"))
"""Words between a day and its time of day."""
_ANY_DAY = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
"""Any day: the place of a time in a sentence does not depend on it."""


def plain_text(tokens: Sequence[Token]) -> tuple[str, list[int]]:
    """Return the normal forms joined by blanks, and where each token begins in it.

    Addresses and numbers keep their spelling. Marks join the word before, so that "3:30" and "Friday," read as usual.
    """
    text, starts = "", []
    for place, token in enumerate(tokens):
        is_joined = place > 0 and token.start == tokens[place - 1].end
        # The normal forms differ in length from what was typed: places are those of the new text.
        text += "" if is_joined or not text else " "
        starts.append(len(text))
        text += token.word
    return text, starts


def time_tokens(tokens: Sequence[Token], now: datetime = _ANY_DAY) -> list[bool]:
    """Return for each token whether it is a part of a time."""
    text, starts = plain_text(tokens)
    spans = find_times(text, now)
    return [any(span.start <= start < span.end for span in spans) for start in starts]


def unread_time(tokens: Sequence[Token], is_slot: Sequence[bool | None]) -> list[Token]:
    """Return the tokens that look like a part of a time and are read as none: the "25" of "Friday 25", "3x".

    `is_slot` is True for a token in a slot of a time, None for one outside of slots: there a number counts directly
    beside a time, and anywhere a zone after one.
    """
    text, starts = plain_text(tokens)
    read = [(one.start, one.end) for one in find_times(text, _ANY_DAY)]
    read += [(start, end) for start, end, _ in find_lengths(text)]
    is_time = [any(first <= start < last for first, last in read) for start in starts]
    sums = [(one.start, one.end) for one in find_amounts(text) if one.is_money or one.is_percent or one.relation]
    is_sum = [any(first <= start < last for first, last in sums) for start in starts]
    unread = []
    for place, token in enumerate(tokens):
        if is_time[place] or is_sum[place] or token.kind == "phone":
            continue
        is_number = token.text[0].isdecimal() or token.word in lexicon.NUMBERS
        # "3pm PST" would be read as 3pm of the user: the zone is reported as not understood.
        is_zone = place > 0 and is_time[place - 1] and token.text.lower() in time_zones()
        is_beside = is_slot[place] is None and is_number and _is_beside_time(tokens, is_time, place)
        if is_zone or is_beside or (is_slot[place] and (is_number or token.word in words_of_clocks())):
            unread.append(token)
    return unread


def _is_beside_time(tokens: Sequence[Token], is_time: Sequence[bool], place: int) -> bool:
    """Return whether a number stands directly after or before a time, and counts nothing."""
    around = [-1, *(at for at, one in enumerate(tokens) if one.word not in _AT and at != place), len(tokens)]
    before, after = max(at for at in around if at < place), min(at for at in around if at > place)
    is_after = before >= 0 and is_time[before]
    is_before = after < len(tokens) and is_time[after]
    return (is_after and _is_function_word(tokens, after)) or (is_before and _is_function_word(tokens, before))


def _is_function_word(tokens: Sequence[Token], place: int) -> bool:
    """Return whether no noun or verb stands at a place."""
    if not 0 <= place < len(tokens) or tokens[place].kind == "mark":
        return True
    return tokens[place].word in lexicon.LINK_WORDS | lexicon.INTERJECTIONS | lexicon.BACK_REFERENCES


def bound_tokens(tokens: Sequence[Token]) -> list[bool]:
    """Return for each token whether it goes on with an amount: the last two of "100k and up"."""
    text, starts = plain_text(tokens)
    amounts = find_amounts(text)
    return [any(one.start < start < one.reach[1] for one in amounts) for start in starts]


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
