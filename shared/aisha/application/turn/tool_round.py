"""The tool calls of one round: each through the gate, reads side by side, then writes one by one (C-X2)."""

from collections.abc import Iterator, Sequence
from time import monotonic

from aisha.application.redaction.summaries import line
from aisha.application.tooling.policy import decide, records_of
from aisha.application.turn.entities import found_in
from aisha.application.turn.provenance import provenance_of
from aisha.application.turn.settle import ask_about
from aisha.application.turn.state import TurnState
from aisha.domain.errors import ConflictError, InvalidInputError
from aisha.domain.events import ToolCallFinished, ToolCallStarted, TurnEvent
from aisha.domain.models import ToolCallRequest
from aisha.domain.tools import ToolCall, ToolStatus

_SHORTEST_REFERENCE = 4


def run_round(state: TurnState, requests: Sequence[ToolCallRequest]) -> Iterator[TurnEvent]:
    """Runs what the gate allows; every call of the round is in `state.calls` afterwards, in the model's order.

    Over the limit none runs. A call that waits for the user is stored as `state.asked`; the rest of the round still runs.
    """
    calls = [_created(state, place, request, requests) for place, request in enumerate(requests)]
    state.calls += calls
    if len(requests) > state.deps.limits.max_calls_per_round:
        _refuse_all(calls, state.deps.limits.max_calls_per_round)
    _keep_bulk_together(state, calls)
    for call in calls:
        yield ToolCallStarted(call)
    start = monotonic()
    ready = [call for call in calls if _is_allowed(state, call)]
    reads = [call for call in ready if call.spec is not None and call.spec.access == "read"]
    _run_side_by_side(state, reads)
    for call in calls:
        if call in reads or call not in ready:
            yield _finished(state, call)
    for call in ready:
        if call not in reads:
            call.execute()
            yield _finished(state, call)
    state.tools_seconds += monotonic() - start


def _created(state: TurnState, place: int, request: ToolCallRequest, requests: Sequence[ToolCallRequest]) -> ToolCall:
    operation_id = f"{state.message_id}.{len(state.calls) + place}"
    context = state.context(operation_id)
    call = state.deps.registry.create_call(request.name, request.arguments, context, request.id or operation_id)
    others = (other.id for other in requests if other is not request and len(other.id) >= _SHORTEST_REFERENCE)
    if call.result.status is ToolStatus.PENDING and any(other in request.arguments for other in others):
        call.fail(
            ConflictError(
                "It refers to the result of a call of the same round", suggestion="Call it again with the value."
            )
        )
    return call


def _refuse_all(calls: Sequence[ToolCall], most: int) -> None:
    for call in calls:
        if call.result.status is ToolStatus.PENDING:
            call.fail(
                InvalidInputError(
                    f"{len(calls)} calls at once; at most {most} run", suggestion="Ask for fewer, or in bulk."
                )
            )


def _keep_bulk_together(state: TurnState, calls: Sequence[ToolCall]) -> None:
    """Many single writes that together are a bulk do not run one by one: in one call, the user is asked about them all."""
    writes = [call for call in calls if call.result.status is ToolStatus.PENDING and records_of(call)]
    most = state.deps.limits.bulk_confirmation_threshold
    if len(writes) > 1 and state.records_written + sum(map(records_of, writes)) > most:
        for call in writes:
            call.fail(
                ConflictError(
                    f"More than {most} records would be written",
                    suggestion="Use one bulk call, which the user confirms.",
                )
            )


def _is_allowed(state: TurnState, call: ToolCall) -> bool:
    """Whether the call runs now. What the gate denies is rejected; what it asks about is stored for the user."""
    if call.spec is None or call.result.status is not ToolStatus.PENDING:
        return False
    weight = records_of(call)
    decision = decide(
        state.principal,
        call.spec,
        provenance=provenance_of(call, state.calls, _said(state), [*state.more_info.given_texts, *state.recalled]),
        records_written=state.records_written + weight,
        bulk_threshold=state.deps.limits.bulk_confirmation_threshold,
        rules=state.profile.rules,
    )
    if decision.verdict == "allow":
        state.records_written += weight
        return True
    if decision.verdict == "deny":
        call.reject(decision.reason, decision.error)
    elif state.asked is not None:
        call.reject("one question at a time", ConflictError("Another call waits for the user's answer first"))
    else:
        state.asked = ask_about(state, call, decision.reason)
    return False


def _said(state: TurnState) -> str:
    """The user's words that this turn goes on: an answer such as "the second one" belongs to what was asked before."""
    before = [message.content for message in state.session.messages if message.role == "user"][-1:]
    return "\n".join([*before, state.request.message])


def _run_side_by_side(state: TurnState, reads: Sequence[ToolCall]) -> None:
    if len(reads) == 1:
        reads[0].execute()
    elif reads:
        list(state.deps.workers.map(ToolCall.execute, reads))


def _finished(state: TurnState, call: ToolCall) -> ToolCallFinished:
    if call.result.ok:
        state.names.update((entity.id.lower(), entity.name) for entity in found_in(call.result))
    return ToolCallFinished(call, line(call))
