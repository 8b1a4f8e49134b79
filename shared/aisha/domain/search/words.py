"""Words as names are found by them: without case and accents, and within one typo of each other. Pure."""

import re
import unicodedata
from functools import lru_cache

MAX_WORDS = 60
VARIANT_LETTERS = 7
"""Variants are made of a word's first letters alone, as SymSpell's prefix filtering does (Garbe 2012)."""
_TOKEN = re.compile(r"[^\W_]+")
_UNMARKED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})
_APOSTROPHES = re.compile(r"(?<=\w)['’ʼ`](?=\w)")


def fold(text: str) -> str:
    """Without case, accents and width: 'Łódź' and 'LODZ' are the same."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return bare.casefold().translate(_UNMARKED)


def plain(text: str) -> str:
    """The text as names are sorted: words alone, folded."""
    return " ".join(_TOKEN.findall(fold(text)))


@lru_cache(maxsize=1024)
def words(text: str) -> tuple[str, ...]:
    """Distinct words in order; O'Brien gives o, brien and obrien."""
    folded = fold(text)
    joined = _TOKEN.findall(_APOSTROPHES.sub("", folded)) if _APOSTROPHES.search(folded) else []
    return tuple(dict.fromkeys(word[:80] for word in (*_TOKEN.findall(folded), *joined)))


def variants(word: str) -> frozenset[str]:
    """The word's first letters, whole and with each one left out.

    Two words one edit apart (a letter more, less, other, or two swapped) always share a variant.
    """
    start = word[:VARIANT_LETTERS]
    return frozenset((start, *(start[:i] + start[i + 1 :] for i in range(len(start)))))
