"""Tokenize sentences into words with stems, and find phrases among them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from threading import Lock

import snowballstemmer
from msgspec import Struct

_STEMMER = snowballstemmer.stemmer("english")
_STEMMER_LOCK = Lock()
"""Serialises use of the stemmer, which keeps state while it works."""
# Words with inner signs are one token: "can't", "follow-up", "R&D", "1.5"; "_" separates words.
_WORD = re.compile(r"[^\W_]+(?:['’&.+/-][^\W_]+)*", re.UNICODE)
_CONTRACTIONS = frozenset("it's that's what's who's where's how's there's here's let's he's she's when's why's".split())


class Token(Struct, frozen=True):
    text: str
    word: str
    stem: str
    start: int
    end: int
    possessive: bool = False

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return the stem of a lower-cased English word."""
    with _STEMMER_LOCK:
        return str(_STEMMER.stemWord(word))


def tokenize(text: str) -> list[Token]:
    """Return the words with their stems. A possessive 's is removed and flagged."""
    tokens = []
    for match in _WORD.finditer(text):
        matched = match.group(0)
        lowered = matched.lower().replace("’", "'")
        possessive = lowered.endswith("'s") and lowered not in _CONTRACTIONS
        text_part = matched[:-2] if possessive else matched
        word = lowered[:-2] if possessive else lowered
        # "James' leads": the apostrophe is not part of the token.
        possessive = possessive or text[match.end() : match.end() + 2] in ("' ", "’ ")
        tokens.append(Token(text_part, word, stem(word), match.start(), match.start() + len(text_part), possessive))
    return tokens


class Phrases:
    """Find phrases by the stems of their words (or, `exact`, by the words), longest first."""

    def __init__(self, entries: Iterable[tuple[str, str]], exact: bool = False) -> None:
        self._exact = exact
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for key, phrase in entries:
            stems = tuple(token.word if exact else token.stem for token in tokenize(phrase))
            if stems:
                self._by_first.setdefault(stems[0], []).append((stems, key))
        for options in self._by_first.values():
            options.sort(key=lambda option: -len(option[0]))

    def words(self) -> Iterator[str]:
        return iter(self._by_first)

    def find(self, tokens: Sequence[Token]) -> Iterator[tuple[str, int, int]]:
        """Yield `(key, first token, token after)` for every longest phrase at each place; places may overlap."""
        stems = [token.word if self._exact else token.stem for token in tokens]
        for index, first in enumerate(stems):
            longest = 0
            for phrase, key in self._by_first.get(first, ()):
                if len(phrase) >= longest and tuple(stems[index : index + len(phrase)]) == phrase:
                    longest = len(phrase)
                    yield key, index, index + longest


def blank_out(text: str, start: int, end: int) -> str:
    """Return the text with blanks from `start` to `end`, so that offsets stay valid."""
    return text[:start] + " " * (end - start) + text[end:]
