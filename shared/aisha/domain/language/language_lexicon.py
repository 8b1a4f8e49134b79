"""The function words, endings, letters and scripts by which languages are told apart, from `languages.toml`."""

import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

from aisha.domain.language import words

STRONG = 1.0
WEAK = 0.4
EITHER = 0.25
"""The worth of a word of a language that is an English word, too."""
_MIN_FOLDED_LENGTH = 4
"""Without their accents, shorter words are too often English."""
_MIN_STRONG_LENGTH = 3
"""Shorter words of plain letters may be initials, codes or typos."""
LATIN = r"[A-Za-z\u00C0-\u024F\u1E00-\u1EFF]+"
WORD = re.compile(rf"{LATIN}(?:['’-]{LATIN})*")
_PLAIN = str.maketrans("łıđøæß", "lidoas")
"""Letters that have no accent to take away."""
_TRANSCRIBED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa"})


class Lexicon(Struct, frozen=True):
    """The languages by number, and `words` with the numbers of their languages and their worth in each."""

    languages: tuple[dict[str, Any], ...]
    words: Mapping[str, Mapping[int, float]]
    english: frozenset[str]
    function: frozenset[str]
    endings: tuple[tuple[str, ...], ...]
    """For each language, the endings of its unlisted words."""
    shared: frozenset[str]
    after_determiner: frozenset[str]
    phrases: Mapping[str, tuple[tuple[str, ...], ...]]
    """Phrases that do not tell the language, by their first word, the longest first."""
    scripts: Mapping[str, re.Pattern[str]]
    unspaced: frozenset[str]


def is_english_word(word: str) -> bool:
    """Return whether a lower-cased word is a common English one, or a form of one."""
    plain = word.replace("’", "'")
    return _is_form_of(load_lexicon().english, plain) or _is_form_of(load_lexicon().english, plain.split("'")[0])


def _is_form_of(vocabulary: frozenset[str], word: str) -> bool:
    return word in vocabulary or (word.endswith("s") and word[:-1] in vocabulary)


@cache
def _data() -> dict[str, Any]:
    path = files("aisha").joinpath("assets", "reader", "languages.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def reply_texts() -> dict[str, str]:
    """Return the answers for languages that have none of their own."""
    texts: dict[str, str] = _data()["unknown"]
    return texts


@cache
def load_lexicon() -> Lexicon:
    """Return the lexicon, which is built once."""
    data = _data()
    english = frozenset((*data["english"]["words"].split(), *words.chat_spelling(), *words.common_words()))
    english -= frozenset(data["english"]["rare"].split())
    scripts = {script: letters for script, letters in data["scripts"].items() if script != "unspaced"}
    return Lexicon(
        languages=tuple(data["language"]),
        words=_word_worths(data, english),
        english=english,
        function=frozenset(data["english"]["function"].split()),
        endings=tuple(tuple(entry.get("endings", "").split()) for entry in data["language"]),
        shared=frozenset(data["shared"]["words"].split()),
        after_determiner=frozenset(data["shared"]["after_determiner"].split()),
        phrases=_phrases_by_word(data["shared"]["phrases"].split(",")),
        scripts={script: re.compile(f"[{letters}]+") for script, letters in scripts.items()},
        unspaced=frozenset(data["scripts"]["unspaced"]),
    )


def _word_worths(data: Mapping[str, Any], english: frozenset[str]) -> dict[str, dict[int, float]]:
    """Return the listed words and their spellings without accents, with their worth in each of their languages."""
    names = frozenset(data["shared"]["names"].split())
    worths: dict[str, dict[int, float]] = {}
    for number, entry in enumerate(data["language"]):
        for worth, word_list in ((STRONG, entry.get("strong", "")), (WEAK, entry.get("weak", ""))):
            for word in word_list.split():
                for spelling in (word,) if entry.get("exact") else _spellings(word):
                    is_english = _is_form_of(english, spelling)
                    if is_english and spelling != word:
                        continue
                    is_short = len(spelling) < _MIN_STRONG_LENGTH and spelling.isascii()
                    worth_here = EITHER if is_english or spelling in names else WEAK if is_short else worth
                    worths.setdefault(spelling, {})[number] = worth_here
    return worths


def _phrases_by_word(spellings: Sequence[str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    phrases: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for phrase in spellings:
        for spelling in (phrase, _folded(phrase)):
            parts = tuple(WORD.findall(spelling))
            phrases[parts[0]].add(parts)
    return {first: tuple(sorted(spellings, key=len, reverse=True)) for first, spellings in phrases.items()}


def _spellings(word: str) -> set[str]:
    """Return the word, and how it is written without its accents where that is not too short."""
    if word.isascii():
        return {word}
    return {
        word,
        *(plain for plain in (_folded(word), word.translate(_TRANSCRIBED)) if len(plain) >= _MIN_FOLDED_LENGTH),
    }


def _folded(word: str) -> str:
    """Return the word without accents."""
    return unicodedata.normalize("NFD", word.translate(_PLAIN)).encode("ascii", "ignore").decode()
