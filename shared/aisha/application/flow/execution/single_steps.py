"""The execution of single steps of a plan, each through the gate."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any

from aisha.application.flow.steps import SeveralRecordsError, Step, references, resolve
from aisha.application.redaction.summaries import line
from aisha.application.tooling.gate.execution import execute_gated
from aisha.application.tooling.gate.policy import decide
from aisha.application.turn.confirming.settle import fail_if_changed
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.conversations.events import ToolCallFinished, ToolCallStarted, TurnEvent
from aisha.domain.conversations.tool_results import found_in
from aisha.domain.errors import AishaError
from aisha.domain.tools import ToolCall, ToolSpec, ToolStatus


def is_read(turn_input: TurnInput, step: Step) -> bool:
    """Return whether the step runs without a confirmation.

    A step with an unknown tool counts as a read, which fails.
    """
    spec = spec_of(turn_input, step)
    if spec is None:
        return True
    return spec.access == "read" and decide(turn_input.principal, spec, rules=turn_input.rules).verdict != "ask"


def spec_of(turn_input: TurnInput, step: Step) -> ToolSpec | None:
    return turn_input.deps.registry.spec_for(step.tool, step.arguments)


def values_of(steps: Sequence[Step]) -> dict[int, Any]:
    """Return the results of the executed steps by step id."""
    return {step.id: step.value for step in steps if step.status == "executed"}


def run_reads(turn: Turn, steps: Sequence[Step], operation: str) -> Iterator[TurnEvent]:
    """Run every read whose references can be resolved, in rounds; the reads of one round run in parallel.

    Reads after the last planned write show its effect, so they are left for later.
    """
    for _ in range(turn.input.deps.limits.max_flow_rounds):
        skip_dependants(steps)
        writes = [
            place for place, step in enumerate(steps) if step.status == "planned" and not is_read(turn.input, step)
        ]
        steps_to_run = steps[: writes[-1]] if writes else steps
        ready = [
            step
            for step in steps_to_run
            if step.status == "planned" and is_read(turn.input, step) and _is_ready(step, steps)
        ]
        if not ready:
            return
        yield from run_in_parallel(turn, ready, steps, operation)


def run_in_parallel(turn: Turn, ready: Sequence[Step], steps: Sequence[Step], operation: str) -> Iterator[TurnEvent]:
    """Run the `ready` steps at once and add their calls to `turn.record.calls`."""
    for step in ready:
        prepare_call(turn, step, values_of(steps), operation)
    calls = [step.call for step in ready if step.call is not None]
    for call in calls:
        # A record may have changed since the user agreed to the plan.
        fail_if_changed(turn, call)
    yield from (ToolCallStarted(call) for call in calls)
    waiting = [call for call in calls if call.result.status is ToolStatus.PENDING]
    # Confirmed: either the user has agreed to the plan, or the steps are reads.
    run = partial(execute_gated, principal=turn.input.principal, rules=turn.input.rules, is_confirmed=True)
    start = monotonic()
    if len(waiting) == 1:
        run(waiting[0])
    elif waiting:
        list(turn.input.deps.workers.map(run, waiting))
    turn.timings.spend("tools", start)
    for step in ready:
        if step.call is not None:
            yield finish_step(turn.record, step, step.call)


def prepare_call(turn: Turn, step: Step, values: Mapping[int, Any], operation: str) -> None:
    """Create and validate the step's call and add it to `turn.record.calls`."""
    name = f"{operation}.{step.id}"
    call = turn.input.deps.registry.create_call(step.tool, resolve(step.arguments, values), turn.context(name), name)
    step.call = call
    turn.record.calls.append(call)


def finish_step(record: TurnRecord, step: Step, call: ToolCall) -> ToolCallFinished:
    """Set the step's status, value and description from its call's result."""
    result = call.result
    step.description = line(call)
    if result.ok:
        step.status, step.value = "executed", result.value
        record.add_names(found_in(result))
    else:
        step.end("rejected" if result.status is ToolStatus.REJECTED else "failed", error_text(call))
    return ToolCallFinished(call, step.description)


def error_text(call: ToolCall) -> str:
    """Return the message of the call's error."""
    return str((call.result.error or {}).get("message", "it was not run"))


def skip_dependants(steps: Sequence[Step]) -> None:
    """Skip the steps that need the result of a step that was not done."""
    for step in steps:
        if step.status != "planned":
            continue
        for number, _ in references(step.arguments):
            needed = next((other for other in steps if other.id == number), None)
            if needed is not None and needed.status not in ("planned", "executed"):
                step.end("skipped", f"step {number} was not done: {needed.reason or needed.status}")
                break


def skip_remaining(steps: Sequence[Step]) -> None:
    """Skip the steps that could not be run within the rounds and the time of a turn."""
    for step in steps:
        if step.status == "planned":
            step.end("skipped", "the plan took longer than it may")


def _is_ready(step: Step, steps: Sequence[Step]) -> bool:
    """Return whether all of the step's references can be resolved. Skip the step if one of them is invalid."""
    values = values_of(steps)
    if any(number not in values for number, _ in references(step.arguments)):
        return False
    try:
        resolve(step.arguments, values)
    # The step stays planned: the user is asked which record is meant.
    except SeveralRecordsError:
        return False
    except AishaError as error:
        step.end("skipped", error.message)
        return False
    return True
