"""Split a message into the Latin words that tell its language."""

from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from aisha.domain.language.language_lexicon import WORD, load_lexicon

MIN_WORDS_BEYOND_NAME = 5
"""So many words are more than a name."""
_MAX_WORDS = 1_500
"""Only so many words are read: the first ones tell the language."""
_UNIT_LENGTH = 3
"""Letters of units of time behind a number, of which some are words of other languages: "min"."""
_SENTENCE_ENDS = tuple(".!?:;•*-")


class Word(Struct, frozen=True):
    """A word of a message, at `message[start:end]`."""

    text: str
    lower: str
    start: int
    end: int
    is_name: bool


def latin_words(text: str) -> list[Word]:
    """Return the Latin words without greetings and the like. A name has a capital that begins no sentence."""
    matches = list(islice(WORD.finditer(text), _MAX_WORDS))
    capitals = [match[0][0].isupper() for match in matches]
    # IN CAPITALS, or With All Words Capitalised, no capital shows a name.
    has_no_names = text == text.upper() or (all(capitals) and len(capitals) >= MIN_WORDS_BEYOND_NAME)
    tokens: list[Word] = []
    end = 0
    for match in matches:
        begins = not match.start() or not end or _ends_sentence(text[end : match.start()])
        is_unit = len(match[0]) == _UNIT_LENGTH and text[: match.start()].rstrip()[-1:].isdecimal()
        end = match.end()
        if is_unit:
            continue  # "a 30 min meeting" is no Danish.
        is_name = match[0][0].isupper() and not begins and not has_no_names
        tokens.append(Word(match[0], match[0].lower(), match.start(), match.end(), is_name))
    return _without_phrases(tokens)


def _ends_sentence(gap: str) -> bool:
    """Return whether a sentence or line ends in the text between two words."""
    bare = gap.rstrip()
    return bare.endswith(_SENTENCE_ENDS) or "\n" in gap[len(bare) :]


def _without_phrases(tokens: Sequence[Word]) -> list[Word]:
    phrases = load_lexicon().phrases
    lowered = [token.lower for token in tokens]
    remaining, place = [], 0
    while place < len(tokens):
        candidates = phrases.get(lowered[place], ())
        lengths = (len(phrase) for phrase in candidates if phrase == tuple(lowered[place : place + len(phrase)]))
        length = next(lengths, 0)
        if not length:
            remaining.append(tokens[place])
        place += length or 1
    return remaining
