"""A question that waits while the user writes about other things: it is kept, repeated, or dropped."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from aisha.application.dialogue.yes_no import asks_why, is_postponed, says_no
from aisha.application.tooling.gate.policy import MANY_RECORDS
from aisha.application.turn.confirming.question_text import core_of, repeated
from aisha.application.turn.confirming.settle import EXPIRED, RUN_PLAN, asked_last
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import Turn, TurnInput
from aisha.application.turn.wording.call_words import Referents
from aisha.application.turn.wording.phrases import describe, subject_of
from aisha.domain.conversations.conversation import PendingConfirmation
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.ids import record_kind_of
from aisha.domain.tools import ToolCall


def postponed(turn_input: TurnInput) -> PendingConfirmation | None:
    """Return the question of the last answer if the message says that it is to wait: "hold on", "not yet"."""
    pending = asked_last(turn_input)
    if pending is None or turn_input.settlement is not None:
        return None
    return pending if is_postponed(turn_input.request.message, core_of(pending.question)) else None


def with_rest(
    turn_input: TurnInput, question: PendingConfirmation, postponed_texts: Sequence[str]
) -> PendingConfirmation:
    """Return a question with what the message asks for besides, in the user's own words, whatever a model says."""
    rest = " ".join(text for text in postponed_texts if text in turn_input.request.message)
    return replace(question, rest=rest, message=turn_input.whole_message if rest else "")


def keep_waiting(turn: Turn, pending: PendingConfirmation) -> Iterator[TurnEvent]:
    """Say that the question keeps waiting."""
    if turn.input.now >= pending.expires_at:
        turn.record.dropped = pending
        yield turn.record.say(EXPIRED)
        return
    turn.record.repeated = pending
    yield turn.record.say(f"All right, I'll wait. When you are ready: {repeated(pending.question)}")


def asked_why(turn_input: TurnInput) -> str | None:
    """Return the answer to "why did you ask?" from what is stored with the question; None for another message."""
    if not asks_why(turn_input.request.message):
        return None
    last = next(
        (message for message in reversed(turn_input.session.messages) if message.role == "assistant" and message.id),
        None,
    )
    reason = last.metadata.get("reason") if last is not None else None
    return f"I asked because {_in_words(str(reason))}." if reason else None


def _in_words(reason: str) -> str:
    return f"it would change many records: {reason}" if reason.startswith(MANY_RECORDS) else reason


def explain(turn: Turn, answer: str) -> Iterator[TurnEvent]:
    """Say why the last answer asked, and ask again if it still waits."""
    pending = _waiting(turn.input)
    if pending is None:
        yield turn.record.say(answer)
        return
    turn.record.repeated = pending
    yield turn.record.say(f"{answer} {repeated(pending.question)[:1].upper()}{repeated(pending.question)[1:]}")


def follow_up_on_question(turn: Turn) -> Iterator[TurnEvent]:
    """After the answer to another message, drop the question for a new order, or else repeat it."""
    record, pending = turn.record, _waiting(turn.input)
    if pending is None or record.question is not None or record.more_info.needed:
        return
    if any(map(_is_order, record.calls)):
        record.dropped = pending
        if note := _note(turn.input, record, pending):
            yield record.say(note)
    # Not if a yes would answer the reply's own question, nor if the message begins with a no.
    elif not record.reply.rstrip().endswith("?") and not says_no(turn.input.request.message):
        record.repeated = pending
        yield record.say(f"I'm still waiting for your answer: {repeated(pending.question)}")


def note_on_replaced(turn_input: TurnInput, record: TurnRecord) -> str:
    """Return a note on the question that this turn's question replaces, with an empty line after it; often empty."""
    pending, question = _waiting(turn_input), record.question
    if pending is None or question is None:
        return ""
    # The records of a plan may only be known to its steps: it counts as another one.
    is_corrected = question.tool == pending.tool != RUN_PLAN and {*_ids(pending.arguments)} <= {
        *_ids(question.arguments)
    }
    note = "" if is_corrected else _note(turn_input, record, pending)
    return f"{note}\n\n" if note else ""


def _waiting(turn_input: TurnInput) -> PendingConfirmation | None:
    pending = turn_input.session.conversation.pending
    return pending if pending is not None and turn_input.now < pending.expires_at else None


def _is_order(call: ToolCall) -> bool:
    return call.spec is not None and call.spec.access != "read"


def _note(turn_input: TurnInput, record: TurnRecord, pending: PendingConfirmation) -> str:
    """Return a note that the call of a question was not done; empty for a tool that is gone."""
    spec = turn_input.deps.registry.spec(pending.tool)
    if pending.tool == RUN_PLAN:
        return "I left the earlier plan undone."
    if spec is None:
        return ""
    referents = Referents(turn_input, record)
    subject = subject_of(spec, pending.arguments, referents) if spec.access == "delete" else None
    ids = {one for call in record.calls if _is_order(call) for one in _ids(call.arguments)}
    is_touched = not ids.isdisjoint(_ids(pending.arguments))
    if subject and not is_touched:
        return f"I left {subject} as it is."
    return f"I did not {describe(spec, pending.arguments, referents).infinitive.replace('**', '')}."


def _ids(arguments: Mapping[str, Any]) -> list[str]:
    return [value for value in arguments.values() if isinstance(value, str) and record_kind_of(value)]
