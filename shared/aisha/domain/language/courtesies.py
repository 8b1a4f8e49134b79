"""Cut the courtesies around what a message asks: "Hi AiSHA, …", "hey, quick one - …", "… when you have a second"."""

import re
from collections.abc import Sequence

from aisha.domain.language import lexicon
from aisha.domain.language.tokens import tokenize

_OPENINGS, _BESIDE, _CLOSINGS = lexicon.word_sets("courtesies", "openings", "beside_openings", "closings")
_MARKS = frozenset(", ! . - – — : ; …".split())
_MAX_OPENING = 6
"""Tokens of an opening, with its mark."""
_GREETED = re.compile(r"\s*(?:hi|hey|hello)(?: there)?(?: aisha)?\s+(?=\w)|\s*aisha[,:]?\s+(?=\w)", re.IGNORECASE)
_BEFORE_TEXT = re.compile(r"[:\"“]|\bthat\b", re.IGNORECASE)
_PHRASES = "|".join(sorted(map(re.escape, _CLOSINGS), key=len, reverse=True))
_CLOSING = re.compile(rf"[\s,.!?;–-]+(?:{_PHRASES})[\s.!]*(?P<end>\??)\s*$", re.IGNORECASE)


def without_courtesies(message: str) -> str:
    """Return a message without the courtesies before and after what it says; one of courtesies alone as it is."""
    rest = _without_closing(_without_opening(message))
    words = [one.word for one in tokenize(rest) if one.kind != "mark"]
    return rest if words and not {*words} <= _OPENINGS | _BESIDE else message


def _is_courtesy(words: Sequence[str]) -> bool:
    """Return whether all words are of courtesies, and one is of those alone: not the "a" of "a. …"."""
    return {*words} <= _OPENINGS | _BESIDE and not _OPENINGS.isdisjoint(words)


def _without_opening(message: str) -> str:
    tokens = tokenize(message)[:_MAX_OPENING]
    mark = next((at for at, one in enumerate(tokens) if one.kind == "mark"), 0)
    if mark and tokens[mark].word in _MARKS and _is_courtesy([one.word for one in tokens[:mark]]):
        return _without_opening(message[tokens[mark].end :].lstrip(" !.,-–—"))
    greeted = _GREETED.match(message)
    return message[greeted.end() :] if greeted is not None else message


def _without_closing(message: str) -> str:
    closing = _CLOSING.search(message)
    # "Note for Ann: call when you have time": it is a part of the text.
    if closing is None or _BEFORE_TEXT.search(message, 0, closing.start()):
        return message
    is_question = bool(closing["end"]) or "?" in message[closing.start() : closing.start() + 2]
    return message[: closing.start()] + "?" * is_question
