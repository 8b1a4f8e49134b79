"""The tool calls of one round: each passes the gate; reads run in parallel, then writes one by one (C-X2)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any

from msgspec.structs import replace

from aisha.application.redaction.summaries import line
from aisha.application.tooling.gate.policy import Decision, count_records, decide
from aisha.application.tooling.gate.visibility import missing_record
from aisha.application.tooling.tenant_stores import TenantRecords
from aisha.application.turn.confirming.settle import ask_about
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.conversations.events import ToolCallFinished, ToolCallStarted, TurnEvent
from aisha.domain.conversations.tool_results import found_in
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError, UnavailableError
from aisha.domain.models import ToolCallRequest
from aisha.domain.tools import ToolCall, ToolSpec, ToolStatus

_MIN_REFERENCE_LENGTH = 4
"""Shorter call ids, such as "1", occur in arguments by chance."""


def run_round(turn: Turn, requests: Sequence[ToolCallRequest]) -> Iterator[TurnEvent]:
    """Run the calls that the gate allows and add all of them to `turn.record.calls`, in the model's order.

    If there are more calls than the limit, none runs. A call that needs the user's confirmation becomes
    `turn.record.question`; the others still run.
    """
    max_calls = turn.input.deps.limits.max_calls_per_round
    # Counted before the calls are compared with each other, which takes as long as their number squared.
    compared = requests if len(requests) <= max_calls else ()
    calls = [_created(turn, place, request, compared) for place, request in enumerate(requests)]
    turn.record.calls += calls
    if len(requests) > max_calls:
        _refuse_all(calls, max_calls)
    if not turn.input.is_stored:
        _refuse_writes(calls)
    _refuse_split_bulk(turn.input, turn.record, calls)
    for call in calls:
        yield ToolCallStarted(call)
    start = monotonic()
    # All calls are judged before any runs: the model wrote them without having seen the results of this round.
    ready = [call for call, request in zip(calls, requests, strict=True) if _is_allowed(turn, call, request.doubt)]
    reads = [call for call in ready if call.spec is not None and call.spec.access == "read"]
    _run_in_parallel(turn.input, reads)
    for call in calls:
        if call in reads or call not in ready:
            yield _finished(turn.record, call)
    for call in ready:
        if call not in reads:
            call.execute()
            yield _finished(turn.record, call)
    turn.timings.spend("tools", start)


def _created(turn: Turn, place: int, request: ToolCallRequest, requests: Sequence[ToolCallRequest]) -> ToolCall:
    # By position: a retry, which gets the stored answers of the model, gives the same ids to the same calls, so that a
    # write is done once.
    operation_id = f"{turn.input.message_id}.{len(turn.record.calls) + place}"
    context = turn.context(operation_id)
    call = turn.input.deps.registry.create_call(request.name, request.arguments, context, request.id or operation_id)
    other_ids = (other.id for other in requests if other is not request and len(other.id) >= _MIN_REFERENCE_LENGTH)
    # Models put the id of another call where its result belongs. The calls of a round do not see each other's results.
    if call.result.status is ToolStatus.PENDING and any(other in request.arguments for other in other_ids):
        call.fail(
            ConflictError(
                "It refers to the result of a call of the same round", suggestion="Call it again with the value."
            )
        )
    return call


def _refuse_all(calls: Sequence[ToolCall], max_calls: int) -> None:
    error = InvalidInputError(
        f"{len(calls)} calls at once; at most {max_calls} run", suggestion="Ask for fewer, or in bulk."
    )
    for call in calls:
        if call.result.status is ToolStatus.PENDING:
            call.fail(error)


def _refuse_writes(calls: Sequence[ToolCall]) -> None:
    """Refuse the writes of a turn that can't be stored: the conversation would show neither them nor a question."""
    for call in calls:
        if call.result.status is ToolStatus.PENDING and call.spec is not None and call.spec.access != "read":
            call.fail(UnavailableError("Nothing can be changed right now. Please try again in a moment."))


def _refuse_split_bulk(turn_input: TurnInput, record: TurnRecord, calls: Sequence[ToolCall]) -> None:
    """Refuse single writes that together reach the bulk threshold: for one bulk call the user confirms all of them."""
    writes = [call for call in calls if call.result.status is ToolStatus.PENDING and count_records(call)]
    max_records = turn_input.deps.limits.bulk_confirmation_threshold
    if len(writes) > 1 and record.records_written + sum(map(count_records, writes)) > max_records:
        error = ConflictError(
            f"More than {max_records} records would be written",
            suggestion="Use one bulk call, which the user confirms.",
        )
        for call in writes:
            call.fail(error)


def _is_allowed(turn: Turn, call: ToolCall, doubt: str) -> bool:
    """Return whether the call runs now. Reject it if the gate denies it; make it the question if the gate asks."""
    if call.spec is None or call.result.status is not ToolStatus.PENDING:
        return False
    turn_input, record = turn.input, turn.record
    decision, note = _judged(turn, call, call.spec, doubt)
    call.verdict = decision.reason or note
    if decision.verdict == "allow":
        record.records_written += count_records(call)
        return True
    if decision.verdict == "deny":
        call.reject(decision.reason, decision.error)
    elif (missing := _missing_record(turn_input, call)) is not None:
        call.fail(missing)
    elif record.question is not None:
        call.reject("one question at a time", ConflictError("Another call waits for the user's answer first"))
    else:
        record.question = ask_about(turn_input, record, call, decision.reason, doubt)
    return False


def _judged(
    turn: Turn, call: ToolCall, spec: ToolSpec, doubt: str = "", *, is_preview: bool = False
) -> tuple[Decision, str]:
    """Return the gate's decision on a call, and what let it run."""
    weight = count_records(call)
    judge = partial(
        decide,
        turn.input.principal,
        spec,
        records_written=turn.record.records_written + weight,
        bulk_threshold=turn.input.deps.limits.bulk_confirmation_threshold,
        rules=turn.input.rules,
    )
    decision = judge(doubt=doubt)
    if decision.verdict != "allow" or not weight:
        return decision, ""
    # Imported at the first write: the reader of messages and its stemmers are too slow for a cold start.
    from aisha.application.turn.confirming.order_check import foreseen_verdict, verdict_on  # noqa: PLC0415

    ordered = foreseen_verdict(turn, call) if is_preview else verdict_on(turn, call)
    return judge(doubt=ordered.reason), ordered.note


def asks_first(turn: Turn, name: str, arguments: Mapping[str, Any]) -> bool:
    """Return whether the gate would ask the user before it runs a call now. Nothing is run, stored or audited."""
    context = replace(turn.context(turn.input.message_id), audit=None)
    call = turn.input.deps.registry.create_call(name, arguments, context)
    if call.spec is None or call.result.status is not ToolStatus.PENDING:
        return False
    return _judged(turn, call, call.spec, is_preview=True)[0].verdict == "ask"


def _missing_record(turn_input: TurnInput, call: ToolCall) -> NotFoundError | None:
    records = TenantRecords(turn_input.deps.records, turn_input.principal.tenant, None)
    return missing_record(turn_input.principal, records, call.arguments)


def _run_in_parallel(turn_input: TurnInput, reads: Sequence[ToolCall]) -> None:
    if reads:
        *others, last = reads
        started = [turn_input.deps.start_read(other.name, other.execute) for other in others]
        # The turn's own thread would only wait.
        last.execute()
        for finish in started:
            finish()


def _finished(record: TurnRecord, call: ToolCall) -> ToolCallFinished:
    if call.result.ok:
        record.add_names(found_in(call.result))
    return ToolCallFinished(call, line(call))
