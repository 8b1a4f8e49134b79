"""Runs single steps of a plan, each through the gate."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any

from aisha.application.flow.steps import SeveralRecordsError, Step, references, resolved
from aisha.application.redaction.summaries import line
from aisha.application.tooling.execution import execute_gated
from aisha.application.tooling.policy import decide
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.errors import AishaError
from aisha.domain.events import ToolCallFinished, ToolCallStarted, TurnEvent
from aisha.domain.tool_results import found_in
from aisha.domain.tools import ToolCall, ToolSpec, ToolStatus


def is_read(turn_input: TurnInput, step: Step) -> bool:
    """Whether the step runs without being asked about. A tool that nobody knows fails like a read."""
    spec = spec_of(turn_input, step)
    if spec is None:
        return True
    return spec.access == "read" and decide(turn_input.principal, spec, rules=turn_input.profile.rules).verdict != "ask"


def spec_of(turn_input: TurnInput, step: Step) -> ToolSpec | None:
    known = turn_input.deps.registry.spec(step.tool)
    return known.for_call(step.arguments) if known else None


def values_of(steps: Sequence[Step]) -> dict[int, Any]:
    """Results of the steps that ran."""
    return {step.id: step.value for step in steps if step.status == "executed"}


def run_reads(turn: Turn, steps: Sequence[Step], operation: str) -> Iterator[TurnEvent]:
    """Every read whose references can be resolved, round by round, those of a round side by side.

    What comes after all writes is to show what they did, so it waits for them.
    """
    for _ in range(turn.input.deps.limits.max_flow_rounds):
        skip_dependants(steps)
        writes = [
            place for place, step in enumerate(steps) if step.status == "planned" and not is_read(turn.input, step)
        ]
        due = steps[: writes[-1]] if writes else steps
        ready = [
            step for step in due if step.status == "planned" and is_read(turn.input, step) and _is_ready(step, steps)
        ]
        if not ready:
            return
        yield from run_side_by_side(turn, ready, steps, operation)


def run_side_by_side(turn: Turn, ready: Sequence[Step], steps: Sequence[Step], operation: str) -> Iterator[TurnEvent]:
    """These steps at once: their calls are in `turn.record.calls` afterwards."""
    for step in ready:
        prepare_call(turn, step, values_of(steps), operation)
    calls = [step.call for step in ready if step.call is not None]
    yield from (ToolCallStarted(call) for call in calls)
    waiting = [call for call in calls if call.result.status is ToolStatus.PENDING]
    # The user has agreed to the plan, or the steps are reads.
    run = partial(execute_gated, principal=turn.input.principal, rules=turn.input.profile.rules, is_confirmed=True)
    start = monotonic()
    if len(waiting) == 1:
        run(waiting[0])
    elif waiting:
        list(turn.input.deps.workers.map(run, waiting))
    turn.timings.spend("tools", start)
    for step in ready:
        if step.call is not None:
            yield finished(turn.record, step, step.call)


def prepare_call(turn: Turn, step: Step, values: Mapping[int, Any], operation: str) -> None:
    """Give the step its validated call, in `turn.record.calls` too."""
    name = f"{operation}.{step.id}"
    call = turn.input.deps.registry.create_call(step.tool, resolved(step.arguments, values), turn.context(name), name)
    step.call = call
    turn.record.calls.append(call)


def finished(record: TurnRecord, step: Step, call: ToolCall) -> ToolCallFinished:
    """Takes over what came of the call."""
    result = call.result
    step.description = line(call)
    if result.ok:
        step.status, step.value = "executed", result.value
        record.add_names(found_in(result))
    else:
        step.end("rejected" if result.status is ToolStatus.REJECTED else "failed", why(call))
    return ToolCallFinished(call, step.description)


def why(call: ToolCall) -> str:
    """The call's error in words."""
    return str((call.result.error or {}).get("message", "it was not run"))


def skip_dependants(steps: Sequence[Step]) -> None:
    """Steps that need the result of one that was not done are not done either."""
    for step in steps:
        if step.status != "planned":
            continue
        for number, _ in references(step.arguments):
            needed = next((other for other in steps if other.id == number), None)
            if needed is not None and needed.status not in ("planned", "executed"):
                step.end("skipped", f"step {number} was not done: {needed.reason or needed.status}")
                break


def end_rest(steps: Sequence[Step]) -> None:
    """What could not be run within the rounds and the time of a turn is left out, and says so."""
    for step in steps:
        if step.status == "planned":
            step.end("skipped", "the plan took longer than it may")


def _is_ready(step: Step, steps: Sequence[Step]) -> bool:
    """Whether everything that it refers to is there. What is wrong with a reference ends the step."""
    values = values_of(steps)
    if any(number not in values for number, _ in references(step.arguments)):
        return False
    try:
        resolved(step.arguments, values)
    except SeveralRecordsError:
        return False
    except AishaError as error:
        step.end("skipped", error.message)
        return False
    return True
