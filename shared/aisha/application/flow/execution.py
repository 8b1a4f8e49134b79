"""Runs a plan that the user has agreed to: exactly the stored steps, once."""

from collections.abc import Generator, Iterator, Sequence
from time import monotonic
from typing import Any

from aisha.application.dialogue.choices import choice_in
from aisha.application.flow.answering import write_answer
from aisha.application.flow.compensation import take_back
from aisha.application.flow.planning import propose, skip_flow
from aisha.application.flow.reporting import report
from aisha.application.flow.running import end_rest, is_read, run_reads, run_side_by_side, skip_dependants, values_of
from aisha.application.flow.steps import Intent, Step, references
from aisha.application.turn.settle import RUN_PLAN, digest_of
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.conversation import PendingConfirmation
from aisha.domain.errors import ConflictError
from aisha.domain.events import TurnEvent


def run_stored(turn: Turn, pending: PendingConfirmation) -> Iterator[TurnEvent]:
    """Runs the stored plan, the one of the alternative that the user's words choose. Nothing is analysed again.

    Raises `ConflictError` when it is not what the user was asked about, or none of the alternatives is chosen.
    """
    if pending.digest != digest_of(RUN_PLAN, pending.arguments):
        raise ConflictError("The stored plan is not what you were asked about", suggestion="Ask again.")
    plans = pending.arguments["plans"]
    intent = Intent(pending.arguments["userIntent"], pending.arguments["confidence"])
    steps = [Step.restored(kept) for kept in plans[_chosen(turn.input, pending)]]
    asked = yield from propose(turn, steps, intent, pending.id, is_confirmed=True)
    if not asked:
        yield from execute(turn, steps, pending.id)
        yield from write_answer(turn, steps, intent)
    yield report(turn.record, steps, intent)


def _chosen(turn_input: TurnInput, pending: PendingConfirmation) -> int:
    if not pending.alternatives:
        return 0
    chosen = choice_in(turn_input.request.message, pending.alternatives)
    if chosen is None:
        raise ConflictError("None of the alternatives was chosen", suggestion="Ask again, and say which one.")
    return pending.alternatives.index(chosen)


def execute(turn: Turn, steps: Sequence[Step], operation: str) -> Iterator[TurnEvent]:
    """Reads side by side, writes one by one in their order, in at most `max_flow_rounds` rounds."""
    for _ in range(turn.input.deps.limits.max_flow_rounds):
        yield from run_reads(turn, steps, operation)
        went_on = yield from _write(turn, steps, operation)
        if not went_on:
            break
    end_rest(steps)


def _write(turn: Turn, steps: Sequence[Step], operation: str) -> Generator[TurnEvent, Any, bool]:
    """The writes that can run now; False when none did."""
    went_on = False
    for step in steps:
        skip_dependants(steps)
        if step.status != "planned" or is_read(turn.input, step):
            continue
        if monotonic() >= turn.input.deadline or not _has_all(step, steps):
            break
        went_on = True
        yield from run_side_by_side(turn, [step], steps, operation)
        if step.reason and step.flow is not None:
            _undo_flow(turn, steps, step.flow, operation)
    return went_on


def _has_all(step: Step, steps: Sequence[Step]) -> bool:
    values = values_of(steps)
    return all(number in values for number, _ in references(step.arguments))


def _undo_flow(turn: Turn, steps: Sequence[Step], flow: str, operation: str) -> None:
    own = [step for step in steps if step.flow == flow]
    take_back(turn, own, operation)
    skip_flow(steps, flow)
    undone = {id(step.call) for step in own if step.status == "undone"}
    # What was taken back is no record of the conversation any more.
    turn.record.calls[:] = [call for call in turn.record.calls if id(call) not in undone]
