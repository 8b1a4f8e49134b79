"""Find where the segments of a message may begin: after numbers and questions, and at joints between two asks."""

from collections.abc import Iterable, Sequence

from aisha.domain.language import lexicon
from aisha.domain.language.tokens import Token

# Abbreviations that end with a full stop and no sentence.
SALUTATIONS = frozenset("mr mrs ms dr prof".split())
_FIRST_POINTS = (["1", "2"], ["a", "b"], ["i", "ii"])
_MAX_OPENING = 4
"""Tokens of an ask among which its verb stands, after words of politeness."""
type TokenRange = tuple[int, int]
"""The places of the first token of a segment and of the one after its last."""


def starts_of(tokens: Sequence[Token], tags: Sequence[str], read: Iterable[int]) -> list[int]:
    """Return the places where segments begin, of which a model `read` some.

    Numbered points and sentences after a question do, and what follows a salutation does not.
    """
    words, points = [token.word for token in tokens], numbered_points(tokens)
    asked = (at + 1 for at, word in enumerate(words[:-1]) if word == "?" and _begins_sentence(tokens, tags, at + 1))
    starts = {*read, *points, *asked}
    salutations = {at for at in starts if words[max(at - 1, 0)] == "." and words[max(at - 2, 0)] in SALUTATIONS}
    return sorted(starts - salutations - {at + 3 for at in points})


def numbered_points(tokens: Sequence[Token]) -> list[int]:
    """Return the places of numbered points: "(1) …, (2) …"."""
    words = [token.word for token in tokens]
    points = [at for at in range(len(words) - 2) if words[at] == "(" and words[at + 2] == ")"]
    return points if [words[at + 1] for at in points[:2]] in _FIRST_POINTS else []


def _begins_sentence(tokens: Sequence[Token], tags: Sequence[str], at: int) -> bool:
    """Return whether what follows a question mark is another sentence, and no lone word or part of a text."""
    opening = tokens[at + (tokens[at].word == "(") :][:2]
    return len(opening) > 1 and all(one.kind != "mark" for one in opening) and not tags[at].startswith("I-")


def joints(tokens: Sequence[Token], tags: Sequence[str], part: TokenRange) -> list[int]:
    """Return the places of joints outside of slots, with at least two tokens on either side."""
    free = range(part[0] + 2, part[1] - 2)
    return [
        at for at in free if tokens[at].word in lexicon.JOINTS and tags[at] == "O" and not tags[at + 1].startswith("I-")
    ]


def joints_of_orders(tokens: Sequence[Token], tags: Sequence[str], part: TokenRange) -> list[int]:
    """Return the places of joints between two clauses that begin with verbs of orders: "set …, add …"."""
    first, last = part
    opening = [token.word for token in tokens[first : min(last, first + _MAX_OPENING)]]
    if lexicon.ORDER_VERBS.isdisjoint(opening):
        return []
    return [at for at in joints(tokens, tags, part) if tokens[at + 1].word in lexicon.ORDER_VERBS]
