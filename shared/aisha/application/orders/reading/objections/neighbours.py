"""Judge an order by the segment after it: the user may take it back or ask about it."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from aisha.application.orders.reading.clauses import (
    ends_in_question,
)
from aisha.application.orders.reading.objections.options import is_tag_question
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.application.orders.wording import (
    ASKED,
    said,
)
from aisha.domain.language import lexicon
from aisha.domain.language.keeping import keeps_other

_RETRACTING_ACTS = frozenset(("no", "wait", "negated"))
_KNOWING_WORDS = frozenset("have got know already exist in".split())


def retracted_by_next(before: Iterable[UtteranceSegment], following: UtteranceSegment | None) -> str:
    """Return why an order is none after which the user says no: "set Jack to lost? No way!"; empty for any other.

    `before` are the segments before that, the order's the last of them.
    """
    is_bare = following is not None and following.ask.act in _RETRACTING_ACTS and not following.ask.segment.spans
    if following is None or not is_bare or keeps_other(following.ask, [one.ask for one in before]):
        return ""
    return said(following.ask.text.strip())


def neighbours(
    segment: UtteranceSegment, segments: Sequence[UtteranceSegment]
) -> tuple[UtteranceSegment | None, UtteranceSegment | None]:
    """Return the segments before and after one, each None where there is none."""
    pairs = list(pairwise(segments))
    previous = next((one for one, two in pairs if two is segment), None)
    return previous, next((two for one, two in pairs if one is segment), None)


def questioned_by_next(segment: UtteranceSegment, following: UtteranceSegment | None) -> str:
    """Return why words are no order where the user asks about them next: "…, did you?", "…, do we have her?"."""
    if following is None or not ends_in_question(following.ask.text):
        return ""
    if is_tag_question(following.ask.tokens, is_after_question=ends_in_question(segment.ask.text)):
        return ASKED
    if segment.verb_acts or segment.is_imperative:
        return ""
    words = {token.word for token in following.ask.tokens}
    is_known = words & lexicon.PERSON_PRONOUNS and words & _KNOWING_WORDS
    return ASKED if is_known else ""
