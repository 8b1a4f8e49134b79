"""Separate the user's own words from those of others that a message quotes, pastes or forwards."""

import re

from aisha.application.orders.reading.clauses import introduces_order, is_verb
from aisha.application.orders.reading.objections.denials import CONFIDENT_PROBABILITY
from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS, READS
from aisha.domain.language.reader import read
from aisha.domain.language.tokens import Token, tokenize

_MIN_QUOTED_WORDS = 4
_MAX_VALUE = 320
"""Characters in which an address ends."""
_MAX_OPENING = 4
_QUOTATION = re.compile(
    r"\"[^\"]{1,4000}\"|“[^“”]{1,4000}”|«[^«»]{1,4000}»|„[^„“”]{1,4000}[“”]"
    r"|‘[^‘’]{1,4000}’|「[^「」]{1,4000}」|```.{1,8000}?```"
    r"|<!--.{1,4000}?-->|\[[^\[\]]{1,400}\]\([^()\s]{1,400}\)",
    re.DOTALL,
)
_SINGLY_QUOTED = re.compile(r"(?<!\w)'[^'\n]{1,400}'(?!\w)")
_QUOTED_BLOCK = re.compile(r"<blockquote\b.{1,4000}?</blockquote>", re.DOTALL | re.IGNORECASE)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_FORWARDED = re.compile(
    r"^[ \t]*(?:-{2,20}[ \t]*)?(?:begin forwarded message|forwarded message|original message)\b"
    r"|^--[ \t]*$"
    r"|^from:[^\n]{0,300}\n(?:[^\n]{0,300}\n){0,6}?(?:subject|to|date|sent):",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWERING_VERBS = frozenset("reply respond answer react".split())
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_TEXT_WORDS = lexicon.TEXT_VERBS - {"shorten", "interpret", "classify"}
_WORDS_BESIDE_FIELD = lexicon.LINK_WORDS | {"the", "'s"}
_LEAD_IN = re.compile(r":(?=\s)|\n")
_WORD = re.compile(r"[^\W_]+")


def unquoted(message: str) -> str:
    """Return the message with blanks in place of what it quotes, pastes or forwards: the words of others."""
    text = without_quotations(message)
    for lead_in in _LEAD_IN.finditer(text):
        head = text[: lead_in.start()]
        if not head.strip():
            continue
        # "Summarise this email: ...": what follows is what it is about.
        tail = tokenize(text[lead_in.end() : lead_in.end() + _MAX_VALUE])[:1]
        if tail and (tail[0].kind in ("email", "phone", "url") or (lead_in.group() == ":" and _is_label(head))):
            # As in "her email: ann@acme.example" and "Ann's score: make it 55".
            return text
        return text[: lead_in.end()] if _is_about_text(head, lead_in.group()) else text
    return text


def without_quotations(message: str) -> str:
    """Return the message with blanks in place of what stands in marks of quotation, and without forwarded mail."""
    text = message
    for pattern in (_QUOTATION, _SINGLY_QUOTED):
        text = pattern.sub(_blanked, text)
    return unforwarded(text)


def unforwarded(text: str) -> str:
    """Return the text without quoted lines, a forwarded mail and a signature: not even values are taken from them."""
    for pattern in (_QUOTED_BLOCK, _QUOTED_LINE):
        text = pattern.sub(_blanked, text)
    forwarded = _FORWARDED.search(text)
    text = text[: forwarded.start()] if forwarded else text
    # "Client mail below, please summarise": the text is a paragraph of its own.
    heads = (match.start() for match in _PARAGRAPH.finditer(text))
    return next((text[:end] for end in heads if not _TEXT_WORDS.isdisjoint(map(_word, tokenize(text[:end])))), text)


def _word(token: Token) -> str:
    return token.word


def _is_about_text(head: str, mark: str) -> bool:
    """Return whether a text that is read or told follows: "Translate this", "Here is what Ann wrote"."""
    segments = read(head).segments
    tokens = [token for token in tokenize(head) if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS]
    if any(token.word in lexicon.TEXT_VERBS | _ANSWERING_VERBS for token in tokens[:_MAX_OPENING]):
        return True
    if any(token.word in lexicon.REPORTING_VERBS for token in tokens[-_MAX_OPENING:]):
        return True
    if mark == ":" and introduces_order([*tokenize(head), *tokenize(mark)], len(tokenize(head))):
        # As in "his details need a refresh: phone …".
        return False
    last = segments[-1] if segments else None
    return last is not None and last.act in READS and last.probability >= CONFIDENT_PROBABILITY


def _is_verb(token: Token) -> bool:
    """Return whether a word begins an order."""
    return token.word in ("please", "pls") or is_verb(token.word)


def _is_label(text: str) -> bool:
    """Return whether words only name a field of a record."""
    segments = read(text).segments
    names = [span for span in segments[0].spans if span.tag in NAME_TAGS] if len(segments) == 1 else []
    tokens = [token for token in tokenize(text) if token.kind != "mark"]
    outside = [token for token in tokens if not any(one.start <= token.start < one.end for one in names)]
    places = {at for _, first, last in lexicon.placed_in(outside, "fields") for at in range(first, last)}
    words = {token.word for place, token in enumerate(outside) if place not in places}
    return bool(places) and words <= _WORDS_BESIDE_FIELD


def _blanked(match: re.Match[str]) -> str:
    """Return blanks for a long quotation; a short one, such as a name, stays."""
    whole = match.group()
    return " " * len(whole) if len(_WORD.findall(whole)) >= _MIN_QUOTED_WORDS else whole
