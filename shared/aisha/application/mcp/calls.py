"""Calls of MCP clients through the gate; a call that needs a confirmation is stored for the user (C-X4)."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from aisha.application.idempotency.keys import Attempt
from aisha.application.mcp.clients import McpClient
from aisha.application.mcp.errors import INVALID_PARAMS, ProtocolError
from aisha.application.mcp.reads import note_read, reason_to_wait
from aisha.application.memory.turn_chunks import remember_call
from aisha.application.redaction.summaries import line
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.tenants.profile import profile_of
from aisha.application.tooling.context import make_context
from aisha.application.tooling.gate.execution import execute_gated
from aisha.application.tooling.gate.visibility import missing_record
from aisha.application.turn.confirming.confirmation import decide_confirmation
from aisha.application.turn.confirming.settle import ask_about, check_waiting, conversation_of, digest_of
from aisha.application.turn.journal import TurnJournal
from aisha.application.turn.load import load_turn
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.run import journal_of, play
from aisha.application.turn.state import TurnDependencies, TurnInput
from aisha.domain.conversations.conversation import PendingConfirmation
from aisha.domain.conversations.events import ToolCallFinished, ToolCallStarted, TurnEvent, TurnFailed
from aisha.domain.errors import AishaError, NotFoundError
from aisha.domain.ids import new_ulid
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec, ToolStatus


class McpOutcome(Struct, frozen=True):
    """The outcome of a call. With `pending` it waits for the user; without a call the user rejected it."""

    call: ToolCall | None = None
    pending: PendingConfirmation | None = None


def offered_tools(client: McpClient, principal: Principal, deps: TurnDependencies) -> tuple[ToolSpec, ...]:
    """Return the tools that the client is offered and that the user may use by the tenant's rules."""
    rules = profile_of(deps.ports.profile, principal.tenant).rules_for(principal.roles)
    tenant, ports = principal.tenant, deps.ports
    specs = deps.registry.permitted(principal, rules, ports.team_values(tenant), ports.custom_fields(tenant))
    return tuple(spec for spec in specs if client.offers(spec))


def run_call(
    name: str,
    arguments: Mapping[str, Any],
    client: McpClient,
    principal: Principal,
    deps: TurnDependencies,
    attempt: Attempt | None = None,
) -> McpOutcome:
    """Run a call that the gate allows; reject one that it denies, and store one that it asks about for the user.

    With the `attempt` of an `Idempotency-Key`, a repeated call writes nothing again. The ids of JSON-RPC can't identify
    a call, because clients start them anew with every connection. Raises `ProtocolError` for a tool that the client is
    not offered.
    """
    check_offered(name, client, deps)
    operation = f"mcp_{attempt.operation if attempt else new_ulid()}"
    is_repeated = attempt is not None and attempt.is_resumed
    context = make_context(principal, deps.ports, operation, is_repeated=is_repeated)
    # As text, because `create_call` checks the length of texts only.
    text = json.dumps(arguments, ensure_ascii=False)
    call = deps.registry.create_call(name, text, context, operation)
    reason = _run_unless_asked(call, client, principal, deps, attempt)
    # A question about a record that does not exist, or is hidden, would waste the user's time and tell of it.
    if reason and (missing := missing_record(principal, context.records, call.arguments)) is not None:
        call.fail(missing)
    elif reason:
        return McpOutcome(call, _store_question(call, reason, principal, deps, attempt))
    # Not for a question, which is asked in a turn: turns are observed themselves.
    deps.note_call(call)
    if call.has_run:
        _note_read(call, principal, deps)
        remember_call(call, context)
    return McpOutcome(call)


def _run_unless_asked(
    call: ToolCall, client: McpClient, principal: Principal, deps: TurnDependencies, attempt: Attempt | None
) -> str:
    """Run a valid call that the gate allows; return the gate's reason if it asks the user instead, else ""."""
    reasons: list[str] = []
    if call.result.status is ToolStatus.PENDING:
        execute_gated(
            call,
            principal,
            profile_of(deps.ports.profile, principal.tenant).rules_for(principal.roles),
            doubt=_doubt(call, client, principal, deps, journal_of(attempt, principal, deps)),
            bulk_threshold=deps.limits.bulk_confirmation_threshold,
            ask=reasons.append,
        )
    return "".join(reasons)


def _doubt(
    call: ToolCall, client: McpClient, principal: Principal, deps: TurnDependencies, journal: TurnJournal | None
) -> str:
    """Return why a write waits, as the first attempt found it: by now that attempt's own result counts as a read."""
    if call.spec is None or call.spec.access == "read":
        return ""
    current = reason_to_wait(call, principal, deps.entries, offered_tools(client, principal, deps))
    if journal is None:
        return current
    return str(journal.first_value("doubt", {"doubt": current})["doubt"])


def _note_read(call: ToolCall, principal: Principal, deps: TurnDependencies) -> None:
    # A read fails if it can't be noted. A write is done already, so that its result is returned.
    try:
        note_read(call, principal, deps.entries, deps.clock.now())
    except AishaError:
        if call.spec is None or call.spec.access == "read":
            raise


def check_offered(name: str, client: McpClient, deps: TurnDependencies) -> None:
    """Raise `ProtocolError` for a tool that the client is not offered."""
    spec = deps.registry.spec(name)
    if spec is None or not client.offers(spec):
        raise ProtocolError(
            INVALID_PARAMS, f"Unknown tool: {name[:100]}", suggestion="Call a tool that tools/list names."
        )


def settle_call(confirmation_id: str, principal: Principal, deps: TurnDependencies, *, approve: bool) -> McpOutcome:
    """Run the stored call once, or drop it. Raises as `decide_confirmation` does, and the error of a failed turn."""
    # A settlement without a call is a rejection: the caller reports it as that.
    call = None
    for event in decide_confirmation(confirmation_id, principal, deps.without_side_brainlets(), approve=approve):
        if isinstance(event, TurnFailed):
            raise event.error
        call = event.call if isinstance(event, ToolCallFinished) else call
    return McpOutcome(call)


def waiting_call(confirmation_id: str, principal: Principal, deps: TurnDependencies) -> PendingConfirmation:
    """Return the user's stored call. Raises `NotFoundError`, and `GoneError` when it was settled or has expired."""
    conversation_id = conversation_of(confirmation_id)
    try:
        waiting = deps.conversations.load(principal.tenant, principal.user, conversation_id, 0).conversation
    except NotFoundError:
        raise NotFoundError("There is no such confirmation.", entity_type="confirmation") from None
    check_waiting(waiting, confirmation_id, deps.clock.now())
    assert waiting.pending is not None  # noqa: S101 - check_waiting has checked it
    return waiting.pending


def check_repeated(pending: PendingConfirmation, name: str, arguments: Mapping[str, Any]) -> None:
    """Raise `ProtocolError` unless the call that comes with the user's answer is the one that waits."""
    # Without null, as `create_call` has dropped it before the digest was made; with the address that was looked up.
    repeated_arguments = {key: value for key, value in arguments.items() if value is not None}
    looked_up = {key: value for key, value in pending.arguments.items() if key == "to"}
    if pending.digest not in (digest_of(name, repeated_arguments), digest_of(name, looked_up | repeated_arguments)):
        raise ProtocolError(INVALID_PARAMS, "The user was asked about another call: repeat it as it was.")


def _store_question(
    call: ToolCall, reason: str, principal: Principal, deps: TurnDependencies, attempt: Attempt | None
) -> PendingConfirmation:
    """Store the question in a conversation of its own, so that several calls can wait at the same time.

    A repeated attempt uses the conversation of the first.
    """
    request = ChatRequest(message=f"(through MCP) {call.name.replace('_', ' ')}")
    turn = load_turn(request, principal, deps.without_side_brainlets(), journal_of(attempt, principal, deps))
    _raise_failure(play(turn, _question_events(turn.input, turn.record, call, reason)))
    assert turn.record.question is not None  # noqa: S101 - otherwise the turn has failed
    return turn.record.question


def _question_events(turn_input: TurnInput, record: TurnRecord, call: ToolCall, reason: str) -> Iterator[TurnEvent]:
    record.calls.append(call)
    yield ToolCallStarted(call)
    record.question = ask_about(turn_input, record, call, reason)
    yield ToolCallFinished(call, line(call))
    yield record.say(record.question.question)


def _raise_failure(events: Iterable[TurnEvent]) -> None:
    for event in events:
        if isinstance(event, TurnFailed):
            raise event.error
