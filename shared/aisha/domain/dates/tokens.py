"""Split a text into words, digits and marks for the readers of times and amounts."""

import re
from collections.abc import Sequence

from msgspec import Struct

# ISO 8601, a run of letters (also with an apostrophe inside: "o'clock") or digits, an apostrophe or possessive, a mark.
_ISO = r"(?<!\d)\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d)?(?!\d)"
_WORD = r"[^\W\d_]+(?:['’](?![sS]\b)[^\W\d_]+)?"
_TOKEN = re.compile(rf"(?P<iso>{_ISO})|(?P<word>{_WORD})|(?P<number>[0-9]+)|(?P<skip>['’](?:[sS]\b)?)|(?P<mark>\S)")
_INSIDE = frozenset("@-.$€£¥#_&+")
"""A word or number directly after one of these marks is a part of something else: an address, a version, a sum."""
_BEFORE_DIGITS = frozenset(",:/")
MARKS_OF_PAUSE = frozenset(".,;:!?)")


class Token(Struct, frozen=True):
    """A word in lower case, a run of digits or a mark at `text[start:end]`.

    `is_glued` says that it follows the previous token without a blank: "3" and "pm" of "3pm".
    """

    word: str
    start: int
    end: int
    is_glued: bool

    @property
    def is_number(self) -> bool:
        return "0" <= self.word[0] <= "9"

    @property
    def is_word(self) -> bool:
        return self.word[0].isalpha()


Tokens = Sequence[Token]


def split(text: str) -> list[Token]:
    """Return the tokens in order. Apostrophes and possessives are left out: "2 hours' time", "tomorrow's"."""
    tokens: list[Token] = []
    end = -1
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "skip":
            word = match.group().lower().replace("’", "'")
            tokens.append(Token(word, match.start(), match.end(), match.start() == end))
        end = match.end()
    return tokens


def word_at(tokens: Tokens, place: int) -> str:
    """Return the word at a place, an empty text outside of the text."""
    return tokens[place].word if 0 <= place < len(tokens) else ""


def is_glued(tokens: Tokens, place: int) -> bool:
    """Return whether the token at a place follows the one before without a blank."""
    return 0 < place < len(tokens) and tokens[place].is_glued


def starts_freely(tokens: Tokens, place: int) -> bool:
    """Return whether a time may begin at a place: not inside of a longer word, number, address or sum."""
    if not is_glued(tokens, place):
        return True
    before, token = tokens[place - 1], tokens[place]
    if before.word == "." and word_at(tokens, place - 2) == ".":
        return True  # after an ellipsis
    if before.is_number or before.is_word or before.word in _INSIDE:
        return False
    # The 500 of "1,500" and the 14 of "3/14" are parts of the number before.
    return not (token.is_number and before.word in _BEFORE_DIGITS and _is_digits(tokens, place - 2))


def ends_freely(tokens: Tokens, place: int) -> bool:
    """Return whether a time may end before the token at a place."""
    if not is_glued(tokens, place):
        return True
    after = tokens[place]
    if after.is_number or after.is_word or after.word in "@_%$€£":
        return False
    further = tokens[place + 1] if is_glued(tokens, place + 1) else None
    if further is None:
        return True
    # "Monday.com" is a company.
    if after.word == "." and further.is_word:
        return False
    return not (tokens[place - 1].is_number and further.is_number and after.word in ".,:/")


def _is_digits(tokens: Tokens, place: int) -> bool:
    return 0 <= place < len(tokens) and tokens[place].is_number
