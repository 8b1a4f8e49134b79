"""Calls that wait for the user's confirmation: they are asked about, stored, and run exactly once (C-X4)."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from ulid import ULID

from aisha.application.dialogue.choices import find_choice
from aisha.application.dialogue.yes_no import read_decision
from aisha.application.records.changed_meanwhile import MeanwhileChange, changed_by_others
from aisha.application.redaction.output import shown_whole
from aisha.application.redaction.summaries import line
from aisha.application.tooling.gate.execution import execute_gated
from aisha.application.turn.confirming.question_text import core_of, format_question
from aisha.application.turn.journal import Settlement
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import Turn, TurnInput
from aisha.application.turn.wording.call_words import Referents
from aisha.application.turn.wording.outcome_text import format_outcome
from aisha.application.turn.wording.phrases import describe
from aisha.domain.conversations.conversation import Conversation, PendingConfirmation
from aisha.domain.conversations.events import ToolCallFinished, ToolCallStarted, TurnEvent
from aisha.domain.errors import ConflictError, GoneError, NotFoundError
from aisha.domain.ids import CONFIRMATION_ID, record_kind_of
from aisha.domain.tools import ToolCall, ToolStatus

RUN_PLAN = "run_plan"
"""The name under which a plan of calls is stored. There is no tool of that name, so no model can call it."""
NOTHING_CHANGED = "All right, cancelled. Nothing was changed."
EXPIRED = "That question has expired, so nothing was changed. Ask me again if you still want it."


def ask_about(
    turn_input: TurnInput, record: TurnRecord, call: ToolCall, reason: str, doubt: str = ""
) -> PendingConfirmation:
    """Return the question about a call. It is stored with the conversation, and its id contains the conversation's.

    `reason` is the gate's, `doubt` that of the model.
    """
    # Imported at the first question: the reader of messages and its stemmers are too slow for a cold start.
    from aisha.application.turn.confirming.caveats import caveats, recipient_of  # noqa: PLC0415

    assert call.spec is not None  # noqa: S101 - a call without a spec never gets past the gate
    referents = Referents(turn_input, record)
    # The address is stored with the call: the email goes to the one that was shown, even if the record's changes.
    address = recipient_of(call.spec, call.arguments, referents)
    arguments = call.arguments | ({"to": address} if address else {})
    phrase = describe(call.spec, arguments, referents)
    question = format_question(phrase, call.spec, reason, doubt)
    # A caveat that the question states already, as its reason, is not repeated.
    notes = (
        note for note in caveats(turn_input, record, arguments) if note.rstrip(".").lower() not in question.lower()
    )
    question = "\n\n".join((question, *notes))
    return PendingConfirmation(
        id=new_confirmation_id(turn_input.session.conversation.id),
        tool=call.name,
        arguments=arguments,
        digest=digest_of(call.name, arguments),
        question=shown_whole(question, record.names),
        is_destructive=call.spec.access in ("delete", "external"),
        asked_in=turn_input.message_id,
        expires_at=turn_input.now + timedelta(seconds=turn_input.deps.limits.confirmation_seconds),
        reason=reason,
    )


def pending_answered(turn_input: TurnInput) -> bool | None:
    """Return the message's decision about the question of the last answer; None when it is about something else."""
    if turn_input.settlement is not None:
        return turn_input.settlement.approved
    if (pending := asked_last(turn_input)) is None:
        return None
    # Among several alternatives a bare "yes" does not say which one is meant, so only a choice or a "no" settles them.
    if pending.alternatives and find_choice(turn_input.request.message, pending.alternatives) is not None:
        return True
    decision = read_decision(turn_input.request.message, core_of(pending.question))
    return None if decision and pending.alternatives else decision


def asked_last(turn_input: TurnInput) -> PendingConfirmation | None:
    """Return the waiting question if the last answer asked or repeated it: only then do words decide about it."""
    pending, messages = turn_input.session.conversation.pending, turn_input.session.messages
    last = next((message for message in reversed(messages) if message.role == "assistant"), None)
    if pending is None or last is None:
        return None
    return pending if last.id == pending.asked_in or last.metadata.get("repeats") == pending.id else None


def settle(turn: Turn, confirmation_id: str | None = None, *, approved: bool) -> Iterator[TurnEvent]:
    """Run the stored call or drop it, without a model. Raises `GoneError` when another request has decided already."""
    pending = turn.input.session.conversation.pending
    # Checked again: another message may have replaced the question since the caller looked.
    if confirmation_id is not None:
        check_waiting(turn.input.session.conversation, confirmation_id)
    settlement = turn.input.settlement
    if pending is not None and settlement is None:
        settlement = Settlement(pending, approved, turn.input.now)
        # Stored before the question is taken: otherwise a retry would find no question and not know the decision.
        if turn.input.journal is not None:
            turn.input.journal.settle(settlement)
    if pending is None or settlement is None or not _take(turn.input, pending):
        raise GoneError("This confirmation was answered already.", suggestion="Ask for it again if you still want it.")
    turn.record.settled = pending.id
    turn.record.asked_at = pending.expires_at - timedelta(seconds=turn.input.deps.limits.confirmation_seconds)
    # The time of the decision, not of this try: a retry after the expiry finishes what was approved in time.
    if approved and settlement.at >= pending.expires_at:
        yield turn.record.say(EXPIRED)
    elif approved:
        yield from turn.input.deps.stored_call_runners.get(pending.tool, _run)(turn, pending)
    else:
        yield turn.record.say(NOTHING_CHANGED)


def _take(turn_input: TurnInput, pending: PendingConfirmation) -> bool:
    """Reserve the question for this request; return False if another request has it.

    All tries of a request share it.
    """
    taker = turn_input.journal.operation if turn_input.journal else ""
    return turn_input.deps.conversations.take_pending(turn_input.session.conversation, pending.id, taker)


def _run(turn: Turn, pending: PendingConfirmation) -> Iterator[TurnEvent]:
    call = turn.input.deps.registry.create_call(pending.tool, pending.arguments, turn.context(pending.id), pending.id)
    turn.record.calls.append(call)
    # The stored arguments have been validated and converted anew. What runs must still be what the user read.
    if call.result.status is ToolStatus.PENDING and pending.digest != digest_of(call.name, call.arguments):
        call.fail(ConflictError("The stored call is not what you were asked about", suggestion="Ask again."))
    fail_if_changed(turn, call)
    yield ToolCallStarted(call)
    result = execute_gated(call, turn.input.principal, turn.input.rules, is_confirmed=True)
    turn.timings.seconds["tools"] += result.duration_ms / 1000
    yield ToolCallFinished(call, line(call))
    yield turn.record.say(format_outcome(turn.input, turn.record, call))


def fail_if_changed(turn: Turn, call: ToolCall) -> None:
    """Fail a confirmed call that would delete or overwrite what others changed after the question."""
    if call.result.status is ToolStatus.PENDING and (change := _changed_since_asked(turn, call)) is not None:
        call.fail(ConflictError(f"{change.clause} after I asked", suggestion="Ask again if you still want it."))


def _changed_since_asked(turn: Turn, call: ToolCall) -> MeanwhileChange | None:
    """Return what others changed after the question on what the call deletes, or in the fields that it writes."""
    assert call.spec is not None  # noqa: S101 - only a call with a spec is pending
    audit, asked_at = turn.input.deps.ports.audit, turn.record.asked_at
    if audit is None or asked_at is None or call.spec.access not in ("write", "delete"):
        return None
    referents = Referents(turn.input, turn.record)
    for record_id in (value for value in call.arguments.values() if isinstance(value, str)):
        record = referents.record(record_id) if record_kind_of(record_id) else None
        change = changed_by_others(audit.log, turn.input.principal, record, asked_at) if record else None
        if change is not None and (call.spec.access == "delete" or change.touches(call.arguments)):
            return change
    return None


def digest_of(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the SHA-256 of tool and arguments, which shows that a stored call is the one that was asked about."""
    text = json.dumps([tool, arguments], sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def new_confirmation_id(conversation_id: str) -> str:
    """Return a new confirmation id, which contains the conversation's id."""
    return f"conf_{conversation_id.removeprefix('conv_')}.{ULID()}"


def conversation_of(confirmation_id: str) -> str:
    """Return the id of a confirmation's conversation. Raises `NotFoundError` for text that is no confirmation id."""
    match = CONFIRMATION_ID.fullmatch(confirmation_id)
    if match is None:
        raise NotFoundError(
            "There is no such confirmation.", entity_type="confirmation", entity_id=confirmation_id[:100]
        )
    return f"conv_{match[1]}"


def check_waiting(conversation: Conversation, confirmation_id: str, now: datetime | None = None) -> None:
    """Raise `GoneError` when the confirmation was used, replaced or dropped, or has expired at `now`."""
    pending = conversation.pending
    if pending is None or pending.id != confirmation_id or (now is not None and now >= pending.expires_at):
        raise GoneError(
            "This confirmation was used or has expired.", suggestion="Ask for it again if you still want it."
        )
