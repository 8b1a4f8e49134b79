"""Find out whether an order was carried out before: one order is one change, in its turn and in those after it."""

import itertools
from collections.abc import Iterator, Sequence

from aisha.application.orders.judge import acts_of
from aisha.application.orders.matching.placement import CHANGES
from aisha.application.orders.matching.targets import ids_in
from aisha.application.orders.reading.denials import SURE_READ
from aisha.application.orders.reading.part import Part
from aisha.application.orders.reading.said import Said
from aisha.application.turn.state import TurnInput
from aisha.domain.conversations.conversation import ToolSummary
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import ToolCall, ToolStatus

DONE = "you asked for it once, and it was done"
_RENEWING = frozenset(("again", "correct"))
"""Acts that order once more what was carried out, or otherwise."""


def is_repeated(call: ToolCall, calls: Sequence[ToolCall], said: Said | None) -> bool:
    """Return whether the turn has made the change before: the same call, the same field, or one more than was ordered.

    `calls` are those of the turn, in their order, also those after it.
    """
    assert call.spec is not None  # noqa: S101 - a call without a spec can't run
    own_ids, acts = ids_in(call.arguments), acts_of(call.spec, call.arguments)
    done = [
        one
        # A call that is only foreseen is none of them yet.
        for one in itertools.takewhile(lambda other: other is not call, calls)
        if one.name == call.name and (one.has_written or one.result.status is ToolStatus.PENDING)
    ]
    equal = [one for one in done if one.arguments == call.arguments]
    same = [one for one in done if own_ids and ids_in(one.arguments) == own_ids] or equal
    if any(one.has_written for one in equal):
        return True
    if CHANGES.intersection(acts):
        # "Raise it by 10%" is not done twice, each time from the new value.
        return any(_fields(one) & _fields(call) for one in same)
    if said is None or not acts:
        return bool(equal)
    return not said.is_plural and len(same) >= max(1, sum(_count(part) for part in said.ordering(acts)))


def is_spent(turn_input: TurnInput, call: ToolCall, said: Said) -> bool:
    """Return whether the order that a message goes on with was carried out: "yes" to a question does it no more.

    Records that the order names and that were left open, such as one of two namesakes, may still be meant.
    """
    assert call.spec is not None  # noqa: S101 - a call without a spec can't run
    # A bare name may be read as "again", but hardly is.
    if any(part.ask.act in _RENEWING and part.ask.segment.probability >= SURE_READ for part in said.own):
        return False
    done = [one for one in _earlier_calls(turn_input, said.reach) if one.name == call.name and one.status == "executed"]
    if not done or said.is_plural:
        return any(one.arguments == call.arguments for one in done)
    names = {entity.id: entity.name for entity in turn_input.entities}
    words = {
        token.word
        for one in done
        for name in (
            *(entity.name for entity in one.entities),
            *(names[known] for known in ids_in(one.arguments) if known in names),
        )
        for token in tokenize(name)
    }
    ordered = [part for part in said.before if part.is_order]
    open_names = [text for part in ordered for tag in ("name", "new") for text in part.ask.texts(tag)]
    return all({token.word for token in tokenize(text)} & words for text in open_names)


def _earlier_calls(turn_input: TurnInput, reach: int) -> Iterator[ToolSummary]:
    """Yield the calls of the turns since the user's message that was `reach` messages before this one."""
    passed = 0
    for message in reversed(turn_input.session.messages):
        if not message.id:
            continue
        if message.role == "user":
            passed += 1
            if passed >= reach:
                return
        yield from message.tool_calls


def _fields(call: ToolCall) -> set[str]:
    return {name for name in call.arguments if not name.endswith("_id")}


def _count(part: Part) -> int:
    """Return how many activities or records a segment speaks of: "a call and a demo"."""
    kinds = [token for token in part.ask.tokens if lexicon.activity_type_of(token.word) or lexicon.kind_named(token)]
    return max(1, len(kinds), part.ask.count or 1)
