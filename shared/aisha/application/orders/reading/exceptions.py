"""Find whom a message excepts or compares with: "all but Ann", "the same as Ann"."""

from collections.abc import Sequence

from aisha.domain.language.tokens import tokenize

_EXCEPTING_WORDS = frozenset(
    "except,excepting,excluding,unlike,like,than,as,but,not,without,besides,except for,instead of,apart from,"
    "aside from".split(",")
)
_WHOLE_GROUPS = frozenset(
    "all any anybody anyone every everybody everyone everything nobody none nothing others".split()
)
"""Words of whom "but" excepts somebody."""
_WORDS_BEFORE_EXCEPTED_NAME = frozenset(
    "the one ones of for that those from with lead contact account deal score".split()
)
"""Words between "not" and a name: "not the one of Ann"."""


def is_excluded(text: str, name: str, end: int) -> bool:
    """Return whether a name of a segment, whose slot ends at `end`, is excepted or compared with."""
    start = max(text.find(name), 0)
    before = [token.word for token in tokenize(text[:start]) if token.kind != "mark"]
    while before and before[-1] in _WORDS_BEFORE_EXCEPTED_NAME and before[-1] not in _EXCEPTING_WORDS:
        before.pop()
    is_owner = text[end : end + 2] in ("'s", "’s")
    return bool(before) and _is_exception(before, is_owner=is_owner)


def _is_exception(before: Sequence[str], *, is_owner: bool) -> bool:
    """Return whether words before a name except or compare: "all but", "the same as", and not "I'd like"."""
    if before[-1] == "like" and set(before[-2:-1]) & {"i'd", "we'd", "would", "i", "we", "you'd"}:
        return False
    if before[-1] == "as" and (is_owner or len(before) == 1) and not {"same", "such", "as", "just"} & {*before[-5:-1]}:
        # "I want 71 as Ann's score", "as Ann has paid, …"
        return False
    if before[-1] == "but" and _WHOLE_GROUPS.isdisjoint(before):
        # "Can't believe it, but Ann is back."
        return False
    return before[-1] in _EXCEPTING_WORDS or " ".join(before[-2:]) in _EXCEPTING_WORDS
