"""The words that go with each act, as the training found them outside of slots."""

from functools import cache, lru_cache
from importlib.resources import files

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from aisha.domain.language import words

_VOWELS, _MIN_CONSONANTS = frozenset("aeiou"), 3
MIN_MISSPELT, _MIN_SURE_LENGTH = 4, 5
"""Letters of a word that may be a slip. A shorter one than the second may be a name, but for missing letters."""
_MIN_TWO_EDITS_LENGTH = 10
"""A word of this length may have two edits."""


class Vocabulary(msgspec.Struct, frozen=True):
    """`neutral` are stems that go with any act. `by_act` are the stems of each act.

    `spellings` are the words outside of names, values and texts, the most frequent first.
    """

    neutral: frozenset[str]
    by_act: dict[str, frozenset[str]]
    spellings: tuple[str, ...]


@cache
def load() -> Vocabulary:
    data = files("aisha").joinpath("assets", "reader", "vocabulary.bin").read_bytes()
    return msgspec.msgpack.decode(data, type=Vocabulary)


def explains(act: str, stem: str) -> bool:
    """Return whether a word is usual in orders of an act, and so says nothing that the act does not."""
    words = load()
    return stem in words.neutral or stem in words.by_act.get(act, frozenset())


@cache
def _all() -> frozenset[str]:
    return load().neutral.union(*load().by_act.values())


def is_known(stem: str) -> bool:
    """Return whether a word occurs in orders of any act."""
    return stem in _all()


_ROWS, _VOWELS = "qwertyuiop asdfghjkl zxcvbnm", frozenset("aeiouy")


def _is_slip(word: str, meant: str) -> bool:
    """Return whether another letter is one beside it on the keyboard, or another vowel: "portal" is no "postal"."""
    pairs = [(one, two) for one, two in zip(word, meant, strict=False) if one != two]
    if len(word) != len(meant) or len(pairs) != 1:
        return True
    one, two = pairs[0]
    return {one, two} <= _VOWELS or one + two in _ROWS or two + one in _ROWS


@lru_cache(maxsize=20_000)
def respelt(word: str) -> str:
    """Return the word of orders that a lower-cased word is a slip of, or the word itself."""
    if not word.isalpha() or words.is_common(word) or word in words.first_names():
        return word
    if len(word) < MIN_MISSPELT or _VOWELS.isdisjoint(word):
        return _by_consonants().get(word, word)
    edits = 1 if len(word) < _MIN_TWO_EDITS_LENGTH else 2
    spellings = load().spellings
    matches = process.extract(word, spellings, scorer=OSA.distance, score_cutoff=edits, limit=None)
    near = (str(one) for one, _, _ in matches if one[0] == word[0] and _is_slip(word, str(one)))
    is_long = len(word) >= _MIN_SURE_LENGTH
    return next((one for one in near if is_long or len(one) > len(word) or sorted(one) == sorted(word)), word)


def is_clear_slip(word: str, meant: str) -> bool:
    """Return whether only a letter is doubled or two are swapped, or a long word lacks one: "dellete", "valeu"."""
    if word == meant or min(len(word), len(meant)) < _MIN_SURE_LENGTH:
        return False
    if len(word) == len(meant):
        return sorted(word) == sorted(meant)
    longer, shorter = sorted((word, meant), key=len, reverse=True)
    places = (at for at in range(len(longer)) if longer[:at] + longer[at + 1 :] == shorter)
    place = next(places, None)
    if place is None:
        return False
    return len(meant) >= _MIN_TWO_EDITS_LENGTH if longer == meant else longer[place] in longer[place + 1 : place + 2]


@cache
def _by_consonants() -> dict[str, str]:
    """Return the most frequent word for each row of consonants that is left of one without its vowels: "shw"."""
    spelt = ((one, "".join(letter for letter in one if letter not in _VOWELS)) for one in reversed(load().spellings))
    return {left: one for one, left in spelt if left != one and len(left) >= _MIN_CONSONANTS}
