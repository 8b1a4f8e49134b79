"""Calls of MCP clients: each through the gate, like any other; one that must wait is stored for the user (C-X4)."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from ulid import ULID

from aisha.application.idempotency.keys import Attempt
from aisha.application.mcp.clients import McpClient
from aisha.application.mcp.errors import INVALID_PARAMS, ProtocolError
from aisha.application.mcp.tainted_literals import keep_what_was_read, provenance
from aisha.application.memory.turn_chunks import remember_call
from aisha.application.redaction.summaries import line
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.tenants.preferences import profile_of
from aisha.application.tooling.context import make_context
from aisha.application.tooling.execution import execute_gated
from aisha.application.tooling.policy import Provenance
from aisha.application.turn.confirmation import decide_confirmation
from aisha.application.turn.journal import TurnJournal
from aisha.application.turn.load import load_turn
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.run import journal_of, play
from aisha.application.turn.settle import ask_about, check_waiting, conversation_of, digest_of
from aisha.application.turn.state import TurnDependencies, TurnInput
from aisha.domain.conversation import PendingConfirmation
from aisha.domain.errors import AishaError, NotFoundError
from aisha.domain.events import ToolCallFinished, ToolCallStarted, TurnEvent, TurnFailed
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec, ToolStatus


class McpOutcome(Struct, frozen=True):
    """What came of a call. `pending`: it waits for the user. Without either, the user said no."""

    call: ToolCall | None = None
    pending: PendingConfirmation | None = None


def offered_tools(client: McpClient, principal: Principal, deps: TurnDependencies) -> tuple[ToolSpec, ...]:
    """What the client is offered of the tools that this user may use by the tenant's rules."""
    rules = profile_of(deps.ports.profile, principal.tenant).rules
    return tuple(spec for spec in deps.registry.permitted(principal, rules) if client.offers(spec))


def run_call(
    name: str,
    arguments: Mapping[str, Any],
    client: McpClient,
    principal: Principal,
    deps: TurnDependencies,
    attempt: Attempt | None = None,
) -> McpOutcome:
    """Runs what the gate allows; what it denies comes back rejected, what it asks about is stored for the user.

    With the `attempt` of an `Idempotency-Key` a call that was cut off writes nothing twice. JSON-RPC's ids name no call:
    clients count them anew with every connection.
    Raises `ProtocolError` for a tool that the client is not offered: to it there is none.
    """
    check_offered(name, client, deps)
    operation = f"mcp_{attempt.operation if attempt else ULID()}"
    is_repeated = attempt is not None and attempt.is_resumed
    context = make_context(principal, deps.ports, operation, is_repeated=is_repeated)
    text = json.dumps(arguments, ensure_ascii=False)
    call = deps.registry.create_call(name, text, context, operation)
    reasons: list[str] = []
    if call.result.status is ToolStatus.PENDING:
        execute_gated(
            call,
            principal,
            profile_of(deps.ports.profile, principal.tenant).rules,
            provenance=_provenance(call, principal, deps, journal_of(attempt, principal, deps)),
            bulk_threshold=deps.limits.bulk_confirmation_threshold,
            ask=reasons.append,
        )
    if reasons:
        return McpOutcome(call, _stored(call, reasons[0], principal, deps, attempt))
    deps.note_call(call)
    if call.has_run:
        _remember(call, principal, deps)
        remember_call(call, context)
    return McpOutcome(call)


def _provenance(
    call: ToolCall, principal: Principal, deps: TurnDependencies, journal: TurnJournal | None
) -> Provenance:
    """At every try that of the first, which may have written what a later one finds as read."""
    found = provenance(call, principal, deps.entries)
    if journal is None or call.spec is None or call.spec.access == "read":
        return found
    kept: Provenance = journal.first_value("provenance", {"provenance": found})["provenance"]
    return kept


def _remember(call: ToolCall, principal: Principal, deps: TurnDependencies) -> None:
    """What can't be remembered must not have been read; a write was done all the same, and is told."""
    try:
        keep_what_was_read(call, principal, deps.entries, deps.clock.now())
    except AishaError:
        if call.spec is None or call.spec.access == "read":
            raise


def check_offered(name: str, client: McpClient, deps: TurnDependencies) -> None:
    """Raises `ProtocolError` for a tool that the client is not offered."""
    spec = deps.registry.spec(name)
    if spec is None or not client.offers(spec):
        raise ProtocolError(INVALID_PARAMS, f"Unknown tool: {name[:100]}")


def settle_call(confirmation_id: str, approve: bool, principal: Principal, deps: TurnDependencies) -> McpOutcome:
    """Runs the stored call once, or drops it. Raises as `decide_confirmation` does, and what ended it early."""
    done = None
    for event in decide_confirmation(confirmation_id, approve, principal, deps.without_side_brainlets()):
        if isinstance(event, TurnFailed):
            raise event.error
        done = event.call if isinstance(event, ToolCallFinished) else done
    return McpOutcome(done)


def waiting_call(confirmation_id: str, principal: Principal, deps: TurnDependencies) -> PendingConfirmation:
    """The user's stored call. Raises `NotFoundError`, and `GoneError` when it was settled or has expired."""
    named = conversation_of(confirmation_id)
    try:
        waiting = deps.conversations.load(principal.tenant, principal.user, named, 0).conversation
    except NotFoundError:
        raise NotFoundError("There is no such confirmation.", entity_type="confirmation") from None
    check_waiting(waiting, confirmation_id, deps.clock.now())
    assert waiting.pending is not None  # noqa: S101 - it was just looked at
    return waiting.pending


def check_repeated(pending: PendingConfirmation, name: str, arguments: Mapping[str, Any]) -> None:
    """A client repeats a call with the user's answer. Raises `ProtocolError` when it is not the one that was asked about."""
    given = {key: value for key, value in arguments.items() if value is not None}
    if pending.digest != digest_of(name, given):
        raise ProtocolError(INVALID_PARAMS, "The user was asked about another call: repeat it as it was.")


def _stored(
    call: ToolCall, reason: str, principal: Principal, deps: TurnDependencies, attempt: Attempt | None
) -> PendingConfirmation:
    """The question, in a conversation of its own: two calls at once wait beside each other, and the user finds both.

    Another try of one call asks in the conversation of the first.
    """
    request = ChatRequest(message=f"(through MCP) {call.name.replace('_', ' ')}")
    turn = load_turn(request, principal, deps.without_side_brainlets(), journal_of(attempt, principal, deps))
    _raise_failure(play(turn, _asked(turn.input, turn.record, call, reason)))
    assert turn.record.question is not None  # noqa: S101 - otherwise the turn has failed
    return turn.record.question


def _asked(turn_input: TurnInput, record: TurnRecord, call: ToolCall, reason: str) -> Iterator[TurnEvent]:
    record.calls.append(call)
    yield ToolCallStarted(call)
    record.question = ask_about(turn_input, record, call, reason)
    yield ToolCallFinished(call, line(call))
    yield record.say(record.question.question)


def _raise_failure(events: Iterable[TurnEvent]) -> None:
    for event in events:
        if isinstance(event, TurnFailed):
            raise event.error
