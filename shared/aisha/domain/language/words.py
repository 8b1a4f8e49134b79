"""Word lists: common English words, chat spelling, and clusters of words of similar meaning."""

import tomllib
from functools import cache
from importlib.resources import files

from rapidfuzz import process
from rapidfuzz.distance import OSA

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


def is_common(word: str) -> bool:
    return word in common_words() or (word.endswith("s") and word[:-1] in common_words())


def normal_form(word: str) -> str:
    """Return the word with chat spelling expanded and a typo corrected."""
    expanded = chat_spelling().get(word)
    return expanded if expanded is not None else word


def corrected(word: str, vocabulary: tuple[str, ...]) -> str:
    """Return the word of `vocabulary` that a misspelt word is, or the word itself."""
    if len(word) < MIN_CORRECTED_LENGTH or not word.isalpha() or is_common(word) or word in vocabulary:
        return word
    nearest = process.extractOne(
        word, vocabulary, scorer=OSA.distance, score_cutoff=1 if len(word) < _MIN_TWO_EDITS_LENGTH else 2
    )
    return str(nearest[0]) if nearest else word


def _lines(name: str) -> list[str]:
    text = files("aisha").joinpath("assets", *name.split("/")).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
