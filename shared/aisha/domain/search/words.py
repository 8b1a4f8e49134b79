"""Match names by their words: without case and accents, by prefix, and within one typo."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from aisha.domain.crm.records import RECORD_TYPES, Record

MAX_WORDS = 60
"""Words of one record by which it can be found."""
MAX_WORD_LENGTH = 80
MIN_FUZZY_LENGTH = 3
"""Shorter words are compared as they are: one edit away from two letters is nearly everything."""
FUZZY_TYPES = frozenset(RECORD_TYPES) - {"note", "event"}
"""Types whose words may have a typo in a search. Notes and events are long texts: too much would match."""
# Letters and digits of any alphabet, without the underscore.
_TOKEN = re.compile(r"[^\W_]+")
# Letters that NFKD does not decompose into a base letter and a mark.
_BASE_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
# An apostrophe inside a word, e.g. in O'Brien.
_APOSTROPHES = re.compile(r"(?<=\w)['’ʼ`](?=\w)")


def fold(text: str) -> str:
    """Return the text without case, accents and width, so that 'Łódź' and 'LODZ' are equal."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    # NFKD can give capitals again, e.g. TM for ™.
    return bare.casefold().translate(_BASE_LETTERS)


def plain(text: str) -> str:
    """Return the folded words of the text, joined by spaces: the form by which names are sorted."""
    return " ".join(_TOKEN.findall(fold(text)))


@lru_cache(maxsize=1024)
def words(text: str) -> tuple[str, ...]:
    """Return the distinct folded words in order; "O'Brien" gives "o", "brien" and "obrien"."""
    folded = fold(text)
    joined = _TOKEN.findall(_APOSTROPHES.sub("", folded)) if _APOSTROPHES.search(folded) else []
    return tuple(dict.fromkeys(word[:MAX_WORD_LENGTH] for word in (*_TOKEN.findall(folded), *joined)))


def record_words(record: Record) -> tuple[str, ...]:
    """Return the words by which `name_contains` finds this record."""
    return words(record.search_words())[:MAX_WORDS]


def word_matches(query: str, word: str, *, fuzzy: bool) -> bool:
    """Return whether `query` is a prefix of `word` or, if `fuzzy`, at most one edit away from it.

    An edit is a letter more, less or replaced, or two neighbours swapped (optimal string alignment).
    """
    if word.startswith(query):
        return True
    if not fuzzy or len(query) < MIN_FUZZY_LENGTH:
        return False
    # Imported late: it takes 50 ms, and most searches match without it.
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    return OSA.distance(query, word, score_cutoff=1) <= 1


def names_match(query_words: Iterable[str], candidates: Iterable[str], *, fuzzy: bool) -> bool:
    """Return whether every query word matches one of the candidate words."""
    candidates = tuple(candidates)
    return all(any(word_matches(query, word, fuzzy=fuzzy) for word in candidates) for query in query_words)
