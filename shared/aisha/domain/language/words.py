"""Word lists: common English words, chat spelling, and clusters of words of similar meaning."""

import itertools
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA

from aisha.domain.dates.phrases import words_of_times

MIN_ABBREVIATED, MAX_ABBREVIATED = 3, 5
"""Letters of an abbreviation that is read by rule. A shorter one may be anything."""
_MIN_LEFT_OUT = 2
_ENDINGS = (("ly", ""), ("ally", ""), ("iest", "y"), ("est", ""), ("est", "e"))
"""The endings of adverbs and superlatives, each with what stands in its place in the word that they are made of."""
_MIN_BASE = 4
_VOWELS = frozenset("aeiou")
_ABBREVIATED_TABLES = ("fields", "kinds", "activities", "values")
"""Tables of the lexicon whose words are abbreviated: those of an earlier one are meant first."""
_CLIPPED_TABLE = "fields"
"""The one whose words may be cut short, too: of others "app", "cal" and "tran" would be."""
MIN_CORRECTED_LENGTH = 5
"""Shorter words are one edit away from too many others."""
_MIN_TWO_EDITS_LENGTH = 8
"""From this length on two edits are corrected."""


@cache
def common_words() -> frozenset[str]:
    """Return the most common English words, in lower case."""
    return frozenset(_lines("common_words.txt"))


@cache
def chat_spelling() -> dict[str, str]:
    """Return abbreviations and contractions without apostrophe, with their normal forms: "tmrw", "dont"."""
    text = files("aisha").joinpath("assets", "reader", "chat_spelling.toml").read_text(encoding="utf-8")
    table: dict[str, str] = tomllib.loads(text)["chat_spelling"]
    return table


@cache
def clusters() -> dict[str, str]:
    """Return the cluster of each common word. Words of a cluster have similar meanings."""
    pairs = (line.split() for line in _lines("reader/word_clusters.txt"))
    return {word: cluster for cluster, *members in pairs for word in members}


@cache
def first_names() -> frozenset[str]:
    """Return common first names, in lower case. Some are ordinary words, too."""
    return frozenset(name for line in _lines("reader/first_names.txt") for name in line.split())


def is_first_name(word: str) -> bool:
    """Return whether a word is a first name and no ordinary word, such as "mark"."""
    return word in first_names() and not is_common(word)


def is_common(word: str) -> bool:
    return word in common_words() or (word.endswith("s") and word[:-1] in common_words())


@cache
def lexicon_tables() -> dict[str, Any]:
    """Return the tables of `lexicon.toml`."""
    tables = files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8")
    return tomllib.loads(tables)


def is_inflected(word: str) -> bool:
    """Return whether a word is an adverb or a superlative made of a common one: "hypothetically", "likeliest"."""
    bases = (word[: -len(ending)] + other for ending, other in _ENDINGS if word.endswith(ending))
    return any(len(base) > _MIN_BASE and base in common_words() for base in bases)


def normal_form(word: str) -> str:
    """Return a lower-cased word with chat spelling and abbreviations expanded: "tmrw", "amt", "prob"."""
    expanded = chat_spelling().get(word)
    return expanded if expanded is not None else abbreviated(word)


@lru_cache(maxsize=20_000)
def abbreviated(word: str) -> str:
    """Return the one word of the lexicon that an abbreviation stands for, or the word itself: "prob", "amt"."""
    if not MIN_ABBREVIATED <= len(word) <= MAX_ABBREVIATED or not word.isalpha():
        return word
    # "Cal" is a name, "mon" a day, "own" a word: none of them is an abbreviation.
    if is_common(word) or word in first_names() or word in _lexicon_words() or word in words_of_times():
        return word
    for table in _ABBREVIATED_TABLES:
        # Two candidates as in "con", contact and contract, leave the word as it is.
        words = [one for one in _words_of(table) if _abbreviates(word, one, may_begin=table == _CLIPPED_TABLE)]
        # Of "value" and "values" the shorter is meant.
        shortest = min(words, key=len, default="")
        if words:
            return shortest if all(one.startswith(shortest[:-1]) for one in words) else word
    return word


def _abbreviates(short: str, word: str, *, may_begin: bool) -> bool:
    """Return whether a text is the first letter of a word and some of its consonants, or its beginning."""
    if len(word) < len(short) + _MIN_LEFT_OUT or word[0] != short[0]:
        return False
    if word.startswith(short):
        return may_begin
    letters = iter(word[1:])
    # Each letter is looked for behind the one before.
    return all(one not in _VOWELS and one in letters for one in short[1:])


@cache
def _words_of(table: str) -> tuple[str, ...]:
    """Return the words of the phrases of a table of the lexicon, and of their keys."""
    phrases = (text for key, texts in lexicon_tables()[table].items() for text in (key, *texts))
    listed = (word for text in phrases for word in text.replace("_", " ").split() if word.isalpha())
    return tuple(dict.fromkeys(word for word in listed if len(word) > MIN_ABBREVIATED))


@cache
def _lexicon_words() -> frozenset[str]:
    """Return all words of the lexicon: none of them is an abbreviation of another."""
    groups = [texts for table in lexicon_tables().values() for key, texts in table.items()]
    lists = (texts for texts in groups if isinstance(texts, list))
    keys = (key for table in lexicon_tables().values() for key in table)
    return frozenset(word for text in (*itertools.chain.from_iterable(lists), *keys) for word in text.lower().split())


def corrected(word: str, vocabulary: tuple[str, ...]) -> str:
    """Return the word of `vocabulary` that a misspelt word is, or the word itself."""
    # A word that exists is not corrected, though it may be the wrong one.
    if len(word) < MIN_CORRECTED_LENGTH or not word.isalpha() or is_common(word) or word in vocabulary:
        return word
    nearest = process.extractOne(
        word, vocabulary, scorer=OSA.distance, score_cutoff=1 if len(word) < _MIN_TWO_EDITS_LENGTH else 2
    )
    return str(nearest[0]) if nearest else word


def _lines(name: str) -> list[str]:
    text = files("aisha").joinpath("assets", *name.split("/")).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
