"""Calls that wait for the user's confirmation: asked about, stored, and run exactly once (C-X4)."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from ulid import ULID

from aisha.application.dialogue.choices import find_choice
from aisha.application.dialogue.yes_no import read_decision
from aisha.application.redaction.summaries import line, without_sensitive
from aisha.application.tooling.execution import execute_gated
from aisha.application.turn.call_words import format_argument, record_names
from aisha.application.turn.journal import Settlement
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.conversations.conversation import Conversation, PendingConfirmation
from aisha.domain.conversations.events import ToolCallFinished, ToolCallStarted, TurnEvent
from aisha.domain.errors import ConflictError, GoneError, NotFoundError
from aisha.domain.ids import CONFIRMATION_ID
from aisha.domain.tools import ToolCall, ToolSpec, ToolStatus

RUN_PLAN = "run_plan"
"""The name under which a plan of calls is stored. There is no tool of that name, so no model can call it."""
NOTHING_CHANGED = "All right, cancelled. Nothing was changed."
EXPIRED = "That question has expired, so nothing was changed. Ask me again if you still want it."
_PAST_TENSES = {"comment": "commented on", "send": "sent", "undo": "undone", "run": "run", "bulk": "done:"}
"""Past tenses that are not formed with -ed."""


def ask_about(turn_input: TurnInput, record: TurnRecord, call: ToolCall, reason: str) -> PendingConfirmation:
    """Return the question about a call. It is stored with the conversation, and its id contains the conversation's."""
    assert call.spec is not None  # noqa: S101 - a call without a spec never gets past the gate
    return PendingConfirmation(
        id=new_confirmation_id(turn_input.session.conversation.id),
        tool=call.name,
        arguments=call.arguments,
        digest=digest_of(call.name, call.arguments),
        question=_question(turn_input, record, call.spec, call.arguments, reason),
        is_destructive=call.spec.access in ("delete", "external"),
        asked_in=turn_input.message_id,
        expires_at=turn_input.now + timedelta(seconds=turn_input.deps.limits.confirmation_seconds),
    )


def _question(
    turn_input: TurnInput, record: TurnRecord, spec: ToolSpec, arguments: Mapping[str, Any], reason: str
) -> str:
    """Format the question with the records' names: `Delete lead Jack Russel? Please confirm, because ...`."""
    verb, kind = _verb_and_kind(spec, arguments)
    call_text = _join_words(verb.capitalize(), kind, record_names(turn_input, record, arguments))
    details = ", ".join(
        text
        for name, value in without_sensitive(arguments, turn_input.deps.ports.sensitive).items()
        if name not in ("entity_type", "action") and (text := format_argument(name, value))
    )
    return f"{call_text}{f' ({details})' if details else ''}? Please confirm, because {reason}."


def _join_words(verb: str, kind: str, names: Sequence[str]) -> str:
    return " ".join(part for part in (verb, kind.replace("_", " "), " and ".join(names)) if part)


def _verb_and_kind(spec: ToolSpec, arguments: Mapping[str, Any]) -> tuple[str, str]:
    """Return ("delete", "lead") for `delete_lead`, and ("close", "github_issue") for an action of `github_issue`."""
    if spec.read_actions:
        return str(arguments.get("action", "")).replace("_", " "), spec.name
    verb, _, kind = spec.name.partition("_")
    return verb, kind


def pending_answered(turn_input: TurnInput) -> bool | None:
    """Return the message's decision about the question of the last answer; None when it is about something else."""
    if turn_input.settlement is not None:
        return turn_input.settlement.approved
    pending, messages = turn_input.session.conversation.pending, turn_input.session.messages
    last = next((message for message in reversed(messages) if message.role == "assistant"), None)
    if pending is None or last is None or last.id != pending.asked_in:
        return None
    # Among several alternatives a bare "yes" does not say which one is meant, so only a choice or a "no" settles them.
    if pending.alternatives and find_choice(turn_input.request.message, pending.alternatives) is not None:
        return True
    decision = read_decision(turn_input.request.message, pending.question)
    return None if decision and pending.alternatives else decision


def settle(turn: Turn, approved: bool, confirmation_id: str | None = None) -> Iterator[TurnEvent]:
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
    yield ToolCallStarted(call)
    result = execute_gated(call, turn.input.principal, turn.input.profile.rules, is_confirmed=True)
    turn.timings.seconds["tools"] += result.duration_ms / 1000
    yield ToolCallFinished(call, line(call))
    yield turn.record.say(_outcome(turn.input, turn.record, call))


def _outcome(turn_input: TurnInput, record: TurnRecord, call: ToolCall) -> str:
    """Format the reply, e.g. `Done: converted lead Jack Russel (created contact Jack Russel; ...).`"""
    if not call.result.ok:
        return f"That did not work: {(call.result.error or {}).get('message', 'it was not run')}."
    verb, kind = _verb_and_kind(call.spec, call.arguments) if call.spec else (call.name, "")
    past_tense = _PAST_TENSES.get(verb) or (f"{verb}d" if verb.endswith("e") else f"{verb}ed")
    done = _join_words(past_tense, kind, record_names(turn_input, record, call.arguments))
    details = line(call)
    return f"Done: {done}." if details == done else f"Done: {done} ({details})."


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
