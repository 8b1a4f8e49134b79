"""Repeat a note for another record: "also to their pilot deal"."""

from collections.abc import Sequence

from msgspec.structs import replace

from aisha.domain.language import lexicon
from aisha.domain.language.acts import PROPER_NAME_TAGS
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize


def note_again(asked: Segment, again: Segment) -> Segment:
    """Return a note with other subjects in the place of its own: what is said anew is no part of its text."""
    text = min((one.start for one in asked.spans if one.tag in ("text", "topic")), default=len(asked.text))
    own = [one for one in asked.spans if one.tag in PROPER_NAME_TAGS | {"ref"} and one.start < text]
    named = [one for one in again.spans if one.tag in PROPER_NAME_TAGS]
    named = named or [with_kind(again, one) for one in again.spans if one.tag == "ref"]
    if not named:
        return replace(again, act="report")
    return with_subjects(asked, own, named)


def with_subjects(asked: Segment, own: Sequence[Span], named: Sequence[Span]) -> Segment:
    """Return an order with the slots `named`, joined by "and", from the first to the last of its `own`.

    Without any of its own it begins with them: who a note is for may have been said before it.
    """
    first, last = (own[0].start, own[-1].end) if own else (0, 0)
    subjects, spans = "", [one for one in asked.spans if one.end <= first]
    for one in named:
        subjects += " and " * bool(subjects)
        spans.append(replace(one, start=first + len(subjects)))
        subjects += one.text
    subjects += ": " * (not own)
    moved = len(subjects) - (last - first)
    spans += [replace(one, start=one.start + moved) for one in asked.spans if one.start >= last]
    return replace(asked, text=asked.text[:first] + subjects + asked.text[last:], spans=tuple(spans))


def with_kind(again: Segment, pointing: Span) -> Span:
    """Return a reference with the words up to the kind of record after it: "their renewal deal"."""
    after = [one for one in tokenize(again.text) if one.start >= pointing.start]
    noun = next((one for one in after if lexicon.kind_named(one) in lexicon.KINDS), None)
    return replace(pointing, text=again.text[pointing.start : noun.end]) if noun is not None else pointing
