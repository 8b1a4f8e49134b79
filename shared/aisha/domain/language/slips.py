"""Find slips of the keyboard in a message that was read once, and correct them."""

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from aisha.domain.language import vocabulary, words
from aisha.domain.language.tokens import Token

# Tags of tokens that hold no word but those of orders; "" is outside of slots.
CLOSED_TAGS = frozenset(("", "field", "ref", "when"))
_VERBATIM_TAGS = frozenset(("text", "topic", "email", "phone", "url"))
SENTENCE_ENDS = frozenset(".?!")
_MAX_LONE_NAME = 2
"""Tokens of a message that is a name with an s alone: "bobs?"."""


class Slip(Struct, frozen=True):
    """A slip of the keyboard at `message[start:end]`. `is_owner` is True for a name that lacks its apostrophe."""

    start: int
    end: int
    correction: str
    is_owner: bool = False


def correct_slips(message: str, slips: Iterable[Slip]) -> tuple[str, list[int]]:
    """Return the message with its slips corrected, and where each correction begins in it."""
    text, places, end = "", [], 0
    for slip in slips:
        text += message[end : slip.start]
        places.append(len(text))
        text, end = text + slip.correction, slip.end
    return text + message[end:], places


def slips_in(tokens: Sequence[Token], tags: Sequence[str], marks: Sequence[Collection[str]]) -> list[Slip]:
    """Return the slips of the keyboard, in order; no word of a slot that may hold any word is one."""
    slips = []
    for place, (token, tag) in enumerate(zip(tokens, tags, strict=True)):
        if token.kind != "word" or "known" in marks[place]:
            continue
        if token.text.islower() and _lacks_apostrophe(tokens, marks, place):
            slips.append(Slip(token.start, token.end, f"{token.text[:-1]}'s", is_owner=True))
        elif token.word == token.text.lower() and (corrected := _respelt(tokens, marks, place, tag)) != token.word:
            correction = corrected.capitalize() if token.is_capital else corrected
            slips.append(Slip(token.start, token.end, correction))
    return slips


def _respelt(tokens: Sequence[Token], marks: Sequence[Collection[str]], place: int, tag: str) -> str:
    """Return the word that a slip is of, or the word itself: "dellete dmitri", whatever slot it may be in."""
    token = tokens[place]
    corrected = vocabulary.respelt(token.word)
    is_free = token.text.islower() and tag[2:] in CLOSED_TAGS and not marks[place]
    is_first = not place or tokens[place - 1].word in SENTENCE_ENDS
    is_clear = vocabulary.is_clear_slip(token.word, corrected) and tag[2:] not in _VERBATIM_TAGS
    return corrected if is_free or (is_clear and (token.text.islower() or is_first)) else token.word


def _lacks_apostrophe(tokens: Sequence[Token], marks: Sequence[Collection[str]], place: int) -> bool:
    """Return whether a word is a name with an s before what it has: "danas number", "jack russels deal"."""
    word, owned = tokens[place].word, marks[place + 1 : place + 2]
    if not word.endswith("s") or word in words.first_names():
        return False
    before = [token.word for token in tokens[max(place - 2, 0) : place]]
    if before in (["mine", "and"], ["mine", "or"]) or (not place and len(tokens) <= _MAX_LONE_NAME):
        return word[:-1] in words.first_names()  # "Mine and bobs", "bobs?"
    if words.is_common(word):
        return False
    is_named = {word[:-1], tokens[place - 1].word if place else ""} & words.first_names()
    return bool(is_named) and any({"fields", "kind"} & {*own} for own in owned)
