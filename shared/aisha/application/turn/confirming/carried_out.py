"""Check whether an order was carried out before: one order allows one change, in its turn and in later ones."""

import itertools
from collections.abc import Iterator, Sequence

from aisha.application.orders.case import acts_of
from aisha.application.orders.matching.targets import ids_in
from aisha.application.orders.reading.objections.denials import CONFIDENT_PROBABILITY
from aisha.application.orders.reading.utterance import Utterance
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.application.turn.state import TurnInput
from aisha.domain.conversations.conversation import ToolSummary
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import ToolCall, ToolStatus

DONE = "you asked for it once, and it was done"
_RENEWING = frozenset(("again", "correct"))
"""Acts that order something again, or in another way, after it was carried out."""


def is_repeated(call: ToolCall, calls: Sequence[ToolCall], utterance: Utterance | None) -> bool:
    """Return whether the turn has made this change already: by an equal call, to its field, or as often as ordered.

    `calls` are all calls of the turn in their order, including those after this one.
    """
    assert call.spec is not None  # noqa: S101 - a call without a spec can't run
    own_ids, acts = ids_in(call.arguments), acts_of(call.spec, call.arguments)
    changes = [
        change
        # A previewed call is not among the calls; then all of them precede it.
        for change in itertools.takewhile(lambda other: other is not call, calls)
        if change.name == call.name and (change.has_written or change.result.status is ToolStatus.PENDING)
    ]
    equal = [change for change in changes if change.arguments == call.arguments]
    of_records = [change for change in changes if own_ids and ids_in(change.arguments) == own_ids] or equal
    if any(change.has_written for change in equal):
        return True
    if FIELD_CHANGE_ACTS.intersection(acts):
        # "Raise it by 10%" is not done twice, each time from the new value.
        return any(_fields(change) & _fields(call) for change in of_records)
    if utterance is None or not acts:
        return bool(equal)
    return not utterance.is_plural and len(of_records) >= max(
        1, sum(_count(segment) for segment in utterance.segments_ordering(acts))
    )


def is_order_finished(turn_input: TurnInput, call: ToolCall, utterance: Utterance) -> bool:
    """Return whether the earlier order that this message continues was carried out; then a mere "yes" allows no more.

    It is not finished while a record that it names is still unchanged, such as one of two namesakes.
    """
    assert call.spec is not None  # noqa: S101 - a call without a spec can't run
    # Only a confident reading counts: a bare name is sometimes read as "again" with a low probability.
    if any(
        segment.ask.act in _RENEWING and segment.ask.segment.probability >= CONFIDENT_PROBABILITY
        for segment in utterance.current_segments
    ):
        return False
    changes = [
        change
        for change in _earlier_calls(turn_input, utterance.earlier_message_count)
        if change.name == call.name and change.status == "executed"
    ]
    if not changes or utterance.is_plural or utterance.restyles:
        return any(change.arguments == call.arguments for change in changes)
    names = {entity.id: entity.name for entity in turn_input.entities}
    words = {
        token.word
        for change in changes
        for name in (
            *(entity.name for entity in change.entities),
            *(names[record_id] for record_id in ids_in(change.arguments) if record_id in names),
        )
        for token in tokenize(name)
    }
    ordered = [segment for segment in utterance.earlier_segments if segment.is_order]
    open_names = [text for segment in ordered for tag in ("name", "new") for text in segment.ask.texts(tag)]
    return all({token.word for token in tokenize(text)} & words for text in open_names)


def _earlier_calls(turn_input: TurnInput, earlier_message_count: int) -> Iterator[ToolSummary]:
    """Yield the calls of the turns that followed the last `earlier_message_count` messages of the user."""
    passed = 0
    for message in reversed(turn_input.session.messages):
        if not message.id:
            continue
        if message.role == "user":
            passed += 1
            if passed >= earlier_message_count:
                return
        yield from message.tool_calls


def _fields(call: ToolCall) -> set[str]:
    return {name for name in call.arguments if not name.endswith("_id")}


def _count(segment: UtteranceSegment) -> int:
    """Return how many activities or records a segment speaks of: "a call and a demo"."""
    kinds = [token for token in segment.ask.tokens if lexicon.activity_type_of(token.word) or lexicon.kind_named(token)]
    return max(1, len(kinds), segment.ask.count or 1)
