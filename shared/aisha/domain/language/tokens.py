"""Split a message into tokens: words with a normal form and a stem, numbers, addresses, and punctuation marks."""

import re
from functools import lru_cache
from threading import Lock

import snowballstemmer
from msgspec import Struct

from aisha.domain.language import words

_STEMMER = snowballstemmer.stemmer("english")
_STEMMER_LOCK = Lock()
"""Serialises use of the stemmer, which keeps state while it works."""
_TOKEN = re.compile(
    r"(?P<email>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6})"
    r"|(?P<url>(?:https?://|www\.)[^\s<>\"']{1,2000})"
    r"|(?P<date>\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?"
    # "30.06.2026", "15.05.26" and "15-05-2026" are no telephone numbers, and "1.250.000" is none.
    r"|(?<![\w.+])(?:0?[1-9]|[12]\d|3[01])(?:\.(?:0?[1-9]|1[0-2])\.(?:(?:19|20)\d\d|\d\d)|-\d\d-20\d\d)(?!\w|\.\d))"
    r"|(?P<grouped>(?<![\w.+-])\d{1,2}(?:\.\d{3}){2,3}(?![\w-]|\.\d))"
    r"|(?P<phone>(?<![\w.])(?:\+\d{8,15}|\+\d{1,3}(?:[ .-]\(?\d{1,8}\)?){2,5}(?<=\d\d)"
    r"|\+?\(?\d{1,4}\)?(?:[ .-]\(?\d{2,4}\)?){2,4}"
    # Two groups: a local number, where "500-1000" is a range, or an area code with its 0.
    r"|\d{3}[ .]\d{4}|\d{3}-0\d{3}|\(?0\d{1,4}\)?[ ./-]\d{4,9})(?![\w-]))"
    r"|(?P<number>[$€£]?\d+(?:[,.]\d+)*%?(?::\d\d)?(?:st|nd|rd|th|k|mm|m|[ap]m?|h)?(?![\w]))"
    r"|(?P<word>[^\W_]+(?:['’][^\W_]+|[&+][^\W_]+|[-/](?=[^\W\d_])[^\W_]+)*)"
    r"|(?P<mark>!\?|\?!|[^\w\s]|_)",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"(?<=\w)['’]s$", re.IGNORECASE)
# Contractions in which 's is "is" and no possessive.
_CONTRACTED_IS = frozenset(
    "it's that's what's who's where's how's there's here's let's he's she's when's why's".split()
)


class Token(Struct, frozen=True):
    """A token at `message[start:end]`. `word` is its normal form: lower case, chat spelling expanded."""

    text: str
    word: str
    stem: str
    kind: str
    start: int
    end: int

    @property
    def is_capital(self) -> bool:
        return self.text[:1].isupper()


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return the stem of a lower-cased English word."""
    with _STEMMER_LOCK:
        return str(_STEMMER.stemWord(word))


def tokenize(text: str) -> list[Token]:
    """Return the tokens in order. A possessive 's is a token of its own, of kind `mark`."""
    return list(_tokens(text))


# A turn asks for the tokens of the same few texts again and again.
@lru_cache(maxsize=256)
def _tokens(text: str) -> tuple[Token, ...]:
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, piece, start = str(match.lastgroup), match.group(), match.start()
        if kind == "url":
            # The sentence's mark, not the address's: "see www.acme.com."
            piece = piece.rstrip(".,;:!?)")
        elif kind in ("date", "grouped"):
            kind = "number"
        possessive = None
        if kind == "word" and piece.lower().replace("’", "'") not in _CONTRACTED_IS:
            possessive = _POSSESSIVE.search(piece)
        if possessive:
            piece = piece[: possessive.start()]
        if piece == "#" and not text[start + 1 : start + 2].isalnum():
            kind = "word"  # "the # to dial"
        tokens.append(_token(piece, kind, start))
        if possessive:
            end = start + len(piece)
            tokens.append(Token(possessive.group(), "'s", "'s", "mark", end, match.end()))
    return tuple(tokens)


def _token(text: str, kind: str, start: int) -> Token:
    # Both ask.
    lowered = "?" if text in ("!?", "?!") else text.lower().replace("’", "'")
    normal = words.normal_form(lowered) if kind == "word" and not _may_be_name(text) else lowered
    return Token(text, normal, stem(normal) if kind == "word" else normal, kind, start, start + len(text))


def _may_be_name(text: str) -> bool:
    """Return whether chat spelling must not be expanded: "Mo" is a name, "mo" a month."""
    return text[:1].isupper() and not text.isupper() and len(text) < 4
