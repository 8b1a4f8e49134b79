"""Cut an utterance by the records that it gives orders for."""

from collections.abc import Iterable

from aisha.application.orders.reading.objections.retractions import named_in
from aisha.application.orders.reading.objections.statements import COPULAR_VERBS
from aisha.application.orders.reading.utterance import Utterance
from aisha.application.orders.reading.utterance_segment import (
    UtteranceSegment,
)
from aisha.domain.language import lexicon


def split_by_record(
    utterance: Utterance, acts: Iterable[str], companions: frozenset[str] = frozenset()
) -> list[Utterance]:
    """Return the utterance once for each record that it orders some acts for, without the segments about others.

    "Set Ann to lost and show me Bo" orders nothing of Bo, "Ann to lost, Bo to warm" not that Bo is lost. `companions`
    are the words of several names that go together in one call: "plan a meeting with Ann and invite Bo".
    """
    required_acts = frozenset(acts)
    by_others: dict[frozenset[int], Utterance] = {}
    for segment in utterance.segments:
        if not segment.may_order(required_acts):
            continue
        others = [
            other
            for other in utterance.segments
            if _is_of_other_record(other, segment) and not named_in(other.ask) <= companions
        ]
        key = frozenset(map(id, others))
        if key not in by_others:
            by_others[key] = utterance.without(others) if others else utterance
    return list(by_others.values()) or [utterance]


def _is_of_other_record(other: UtteranceSegment, segment: UtteranceSegment) -> bool:
    """Return whether both segments name records, none of them the same, and the other one stands alone.

    An order for "them" goes on with those of a statement: "I rang Ann and Bo, switch them to warm".
    """
    if segment.ask.is_plural and not other.is_order:
        return False
    own_names, other_names = named_in(segment.ask), named_in(other.ask)
    is_apart = bool(own_names) and bool(other_names) and not own_names & other_names
    return is_apart and _stands_alone(other)


def _stands_alone(segment: UtteranceSegment) -> bool:
    """Return whether a segment is an order or a question of its own; "company is Lotus Tea" goes with another."""
    words = [token.word for token in segment.ask.tokens]
    is_field = len(words) > 1 and bool(lexicon.fields_in(words[0])) and (words[1] in COPULAR_VERBS or words[1] in ":=")
    return (segment.is_order or segment.is_question) and not is_field
