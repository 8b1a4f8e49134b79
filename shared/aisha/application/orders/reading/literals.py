"""Find numbers and addresses in texts, in any spelling."""

from functools import lru_cache
from itertools import pairwise

from rapidfuzz.distance import OSA

from aisha.domain.language.tokens import Token, tokenize

_DIGIT_GAPS = " .-()/"
_MAX_GAP = 4
"""Characters between two digits of one number as people write it: "555 (0) 123"."""
_MAX_SLIPS = 2
"""Letters in which a corrected word may differ from the typed one."""


def as_typed(piece: str, text: str) -> str:
    """Return a piece of a message as it was typed there, with the slips that the reader has corrected.

    Return the piece itself where nothing in the text is like it.
    """
    if piece in text:
        return piece
    target, tokens = [token.word for token in _words(piece)], _words(text)
    for start in range(len(tokens) - len(target) + 1):
        run = tokens[start : start + len(target)]
        alike = zip(run, target, strict=True)
        if target and all(
            one.word == word or OSA.distance(one.word, word, score_cutoff=2) <= _MAX_SLIPS for one, word in alike
        ):
            return text[run[0].start : run[-1].end]
    return piece


def _words(text: str) -> list[Token]:
    return [token for token in tokenize(text) if token.kind != "mark"]


def flat(text: str) -> str:
    """Return letters, digits, @ and dots of a text in lower case, so that spellings of one address are equal."""
    return "".join(one for one in text.lower() if one.isalnum() or one in "@.").strip(".")


def is_whole_in(literal: str, text: str, *, joiners: str = "") -> bool:
    """Return whether a number or an address stands in a text as a whole, in any spelling.

    "555 0123" is no part of "212 555 0123", and "smith@acme.example" none of "j.smith@acme.example". `joiners` are the
    marks that go on with it before a letter or a digit.
    """
    target = flat(literal)
    flattened, places = _flat_places(text)
    at = flattened.find(target) if target else -1
    while at >= 0:
        first, last = places[at][0], places[at + len(target) - 1][0]
        before, after = text[max(0, first - _MAX_GAP) : first][::-1], text[last + 1 : last + 1 + _MAX_GAP]
        is_part = _goes_on(before, text[first], joiners) or _goes_on(after, text[last], joiners)
        if not is_part and all(_are_joined(text, one, two) for one, two in pairwise(places[at : at + len(target)])):
            return True
        at = flattened.find(target, at + 1)
    return False


def _are_joined(text: str, one: tuple[int, str], other: tuple[int, str]) -> bool:
    """Return whether two characters belong to one literal: blanks stand only between digits and beside an @."""
    is_apart = any(map(str.isspace, text[one[0] : other[0]]))
    return not is_apart or "@" in one[1] + other[1] or (one[1].isdecimal() and other[1].isdecimal())


@lru_cache(maxsize=16)
def _flat_places(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Return a text as `flat` gives it, and the place in it of each character that is kept."""
    places = [(place, one.lower()[:1]) for place, one in enumerate(text) if one.isalnum() or one in "@."]
    return "".join(one for _, one in places), places


def _goes_on(rest: str, edge: str, joiners: str) -> bool:
    """Return whether what stands before or after a literal, read away from it, is a part of the same literal."""
    if edge.isdecimal() and rest.lstrip(_DIGIT_GAPS)[:1].isdecimal():
        return True
    return rest[:1].isalnum() or rest[:1] == "@" or (rest[:1] in joiners and rest[1:2].isalnum())
