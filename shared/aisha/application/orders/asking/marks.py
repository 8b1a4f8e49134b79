"""The marked words of a message, as those that look for an order in them read them."""

from collections.abc import Mapping, Sequence

from aisha.domain.language.tokens import Token

type Marks = Mapping[int, str]
"""The marks of a message's tokens, by the places at which they start: see `marks_for`."""


def has_mark(words: Sequence[Token], marks: Marks, *kinds: str) -> bool:
    """Return whether one of some words has one of some marks."""
    return any(marks.get(one.start) in kinds for one in words)
