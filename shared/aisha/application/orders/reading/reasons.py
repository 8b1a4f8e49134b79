"""Find the clauses of a segment that only give a reason: they order, deny and name nothing of their own."""

from collections.abc import Sequence
from itertools import pairwise

from aisha.application.orders.reading.clauses import is_verb
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import Token

_REASON_CONJUNCTIONS = frozenset("because since although though whereas".split())
_SUBJECT_WORDS = lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS | frozenset("i we the his her our my their".split())
_COMPARATIVES_BEFORE_AS = frozenset("soon long far much same well such".split())
_TIME_WORDS = frozenset(
    "last then january february march april may june july august september october november december".split()
)


def reasons_of(tokens: Sequence[Token]) -> list[Token]:
    """Return the words of the clauses that begin with "because", "since", "as he …", each up to its end.

    One at the beginning ends with a comma, one after the order with the sentence.
    """
    reason_tokens: list[Token] = []
    end = -1
    for place in range(len(tokens)):
        if place <= end or not _begins_reason(tokens, place):
            continue
        is_first = not any(is_verb(one.word) for one in tokens[:place])
        end = _end(tokens, place, is_first=is_first)
        reason_tokens += tokens[place:end]
    return reason_tokens


def _begins_reason(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a reason begins at a place: with "because", or with "as he", and not with "since Monday"."""
    word, following = tokens[place].word, [one.word for one in tokens[place + 1 : place + 2]]
    if word == "as":
        # Not of "as soon as he agrees" and "the same as her".
        before = tokens[place - 1].word if place else ""
        is_clause = before not in _COMPARATIVES_BEFORE_AS and (not before[:1].isalpha() or following != ["the"])
        return bool(following) and following[0] in _SUBJECT_WORDS and is_clause
    is_time = word == "since" and (not following or following[0] in _TIME_WORDS or following[0][:1].isdecimal())
    return word in _REASON_CONJUNCTIONS and not is_time and following != ["of"]


def _end(tokens: Sequence[Token], place: int, *, is_first: bool) -> int:
    """Return the place after a reason: at the comma before an order, or at the end of the sentence."""
    for at, (mark, following) in enumerate(pairwise(tokens[place:]), place):
        if mark.word in (".", "!", "?", ";"):
            return at
        if mark.word == "," and (is_first or is_verb(following.word) or following.word in ("so", "please")):
            return at
    return len(tokens)
