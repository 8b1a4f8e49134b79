"""Part a question for a reason from the question before it, and join a bare "and why?" with that."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec.structs import replace

from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS
from aisha.domain.language.reader import Segment
from aisha.domain.language.tokens import tokenize

_AROUND = (
    lexicon.INTERJECTIONS
    | lexicon.PERSON_PRONOUNS
    | lexicon.THING_PRONOUNS
    | frozenset("and but so then why that this one is".split())
)


def with_whys(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; a bare "why" is a part of the question before it: "Who's my best lead? Why him?".

    "My biggest deal, and why is it stuck?" asks two things.
    """
    waiting: Segment | None = None
    for segment in (part for one in segments for part in _parted(one)):
        words = {one.word for one in tokenize(segment.text) if one.kind != "mark"}
        if waiting is not None and waiting.act in READS and "why" in words and words <= _AROUND:
            waiting = replace(waiting, text=f"{waiting.text.rstrip(' ?,.')} and why?")
            continue
        if waiting is not None:
            yield waiting
        waiting = segment
    if waiting is not None:
        yield waiting


def _parted(segment: Segment) -> Iterator[Segment]:
    """Yield a question and the one for a reason that is joined to it."""
    pairs = list(pairwise(tokenize(segment.text)))[1:]  # "And why?" begins with its joint.
    cuts = [two.start for one, two in pairs if two.word == "why" and (one.kind == "mark" or one.word == "and")]
    if segment.act not in READS or not cuts:
        yield segment
        return
    cut = cuts[-1]
    text = segment.text[:cut].rstrip(" ,;.?")
    yield replace(segment, text=text, spans=tuple(one for one in segment.spans if one.end <= cut))
    spans = tuple(replace(one, start=one.start - cut) for one in segment.spans if one.start >= cut)
    yield Segment(segment.text[cut:], "score", spans=spans)
