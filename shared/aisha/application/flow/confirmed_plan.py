"""The execution of a confirmed plan: exactly the stored steps, once.

The writes of a named flow are taken back when a later step of it fails.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

from aisha.application.dialogue.choices import find_choice
from aisha.application.flow.answering import write_answer
from aisha.application.flow.execution.single_steps import (
    is_read,
    run_in_parallel,
    run_reads,
    skip_dependants,
    skip_remaining,
    values_of,
)
from aisha.application.flow.planning.proposal import propose, skip_flow
from aisha.application.flow.reporting import report
from aisha.application.flow.steps import Intent, Step, references
from aisha.application.records.undo import inverse
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.receipts import KIND as RECEIPT
from aisha.application.tooling.results import Receipt
from aisha.application.turn.confirming.settle import RUN_PLAN, digest_of
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.conversations.conversation import PendingConfirmation
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.conversations.tool_results import receipts_in
from aisha.domain.errors import AishaError, ConflictError

MAX_RECEIPTS = 20
"""Stored receipts that are searched for those of the plan, which has at most 16 steps."""


def run_stored(turn: Turn, pending: PendingConfirmation) -> Iterator[TurnEvent]:
    """Run the stored plan, of several alternatives the one that the user has chosen, without another analysis.

    Raises `ConflictError` when the plan is not the one that the user was asked about, or no alternative is chosen.
    """
    if pending.digest != digest_of(RUN_PLAN, pending.arguments):
        raise ConflictError("The stored plan is not what you were asked about", suggestion="Ask again.")
    plans = pending.arguments["plans"]
    intent = Intent(pending.arguments["userIntent"], pending.arguments["confidence"])
    # The steps that the user has seen: no model is asked again.
    steps = [Step(**stored) for stored in plans[_chosen_index(turn.input, pending)]]
    # Searches to which steps still refer run again, and may find several records by now. Then the user is asked again.
    has_asked = yield from propose(turn, steps, intent, pending.id, is_confirmed=True)
    if not has_asked:
        yield from execute(turn, steps, pending.id)
        yield from write_answer(turn, steps, intent)
    yield report(turn.record, steps, intent)


def _chosen_index(turn_input: TurnInput, pending: PendingConfirmation) -> int:
    if not pending.alternatives:
        return 0
    chosen = find_choice(turn_input.request.message, pending.alternatives)
    if chosen is None:
        raise ConflictError("None of the alternatives was chosen", suggestion="Ask again, and say which one.")
    return pending.alternatives.index(chosen)


def execute(turn: Turn, steps: Sequence[Step], operation: str) -> Iterator[TurnEvent]:
    """Run reads in parallel and writes one by one in their order, in at most `max_flow_rounds` rounds."""
    for _ in range(turn.input.deps.limits.max_flow_rounds):
        yield from run_reads(turn, steps, operation)
        has_progress = yield from _run_writes(turn, steps, operation)
        if not has_progress:
            break
    skip_remaining(steps)


def _run_writes(turn: Turn, steps: Sequence[Step], operation: str) -> Generator[TurnEvent, Any, bool]:
    """Run the writes that are ready, up to the first that is not. Return whether any has run."""
    has_progress = False
    for step in steps:
        skip_dependants(steps)
        if step.status != "planned" or is_read(turn.input, step):
            continue
        # Later writes wait as well, since the user has confirmed them in this order. The next round's reads may bring
        # the values.
        if monotonic() >= turn.input.deadline or not _has_values(step, steps):
            break
        has_progress = True
        yield from run_in_parallel(turn, [step], steps, operation)
        if step.reason and step.flow is not None:
            _undo_flow(turn, steps, step.flow, operation)
    return has_progress


def _has_values(step: Step, steps: Sequence[Step]) -> bool:
    values = values_of(steps)
    return all(number in values for number, _ in references(step.arguments))


def _undo_flow(turn: Turn, steps: Sequence[Step], flow: str, operation: str) -> None:
    of_flow = [step for step in steps if step.flow == flow]
    undo_steps(turn, of_flow, operation)
    skip_flow(steps, flow)
    undone = {id(step.call) for step in of_flow if step.status == "undone"}
    # The calls of undone steps are removed, so that their records do not become entities of the session.
    turn.record.calls[:] = [call for call in turn.record.calls if id(call) not in undone]


def undo_steps(turn: Turn, steps: Sequence[Step], operation: str) -> None:
    """Delete the records that the steps created and restore those that they changed, the last step first.

    Each step is undone as a whole or not at all. A step whose records someone else has changed since is left as it is,
    with a warning.
    """
    for step in reversed(steps):
        receipts = list(receipts_in(step.value))
        if step.status != "executed" or not receipts:
            continue
        # An operation of its own: under the step's, the store would take this for a repetition of the step's write.
        context = turn.context(f"{operation}.{step.id}.undo")
        try:
            undone = context.records.write(*(inverse(receipt) for receipt in reversed(receipts)))
            if turn.input.trail is not None:
                undo_receipts = [Receipt.of(change).model_dump(mode="json", exclude_none=True) for change in undone]
                turn.input.trail.record_compensation(
                    step.tool, undo_receipts, context.operation_id, turn.input.deps.ports.sensitive
                )
            _delete_receipts(context, receipts)
        except AishaError as error:
            turn.record.warn(f"What was done before the failure could not be taken back: {error.message}")
        else:
            step.end("undone", "a later step failed, so it was taken back")


def _delete_receipts(context: ToolContext, receipts: Sequence[Mapping[str, Any]]) -> None:
    """Delete the stored receipts, so that the user cannot undo the step again."""
    for entry in context.own.page(RECEIPT, limit=MAX_RECEIPTS).items:
        if entry.body.get("receipts") == receipts:
            context.own.delete(RECEIPT, entry.id)
