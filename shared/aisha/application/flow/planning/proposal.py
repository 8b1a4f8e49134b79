"""The question about a plan: reads run, writes run as a dry run, and the user is asked about those that can be done."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from aisha.application.flow.execution.dry_run import DryRun
from aisha.application.flow.execution.single_steps import (
    error_text,
    is_read,
    run_reads,
    skip_dependants,
    skip_remaining,
    spec_of,
    values_of,
)
from aisha.application.flow.question import ask_about_plan, describe_call
from aisha.application.flow.steps import (
    RECORD,
    Intent,
    SeveralRecordsError,
    Step,
    encode_references,
    references,
    resolve,
)
from aisha.application.tooling.gate.policy import decide
from aisha.application.turn.confirming.waiting import note_on_replaced
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.conversations.tool_results import found_in
from aisha.domain.errors import AishaError
from aisha.domain.tools import ToolStatus
from aisha.domain.wording import humanise

MAX_ALTERNATIVES = 10


def propose(
    turn: Turn, steps: Sequence[Step], intent: Intent, operation: str, *, is_confirmed: bool = False
) -> Generator[TurnEvent, None, bool]:
    """Run the reads, then ask which record is meant or, unless the plan is confirmed, whether to write.

    Return whether the user was asked.
    """
    had_writes = _has_writes(turn.input, steps)
    yield from run_reads(turn, steps, operation)
    several = _find_ambiguity(steps)
    if several is not None:
        items = several.items[:MAX_ALTERNATIVES]
        plans = [_with_record(steps, several.step_id, item) for item in items]
        for plan in plans:
            dry_run_steps(turn.input, turn.record, plan)
        yield from ask(turn.input, turn.record, plans, [format_label(item) for item in items], intent)
        return True
    if is_confirmed:
        return False
    dry_run_steps(turn.input, turn.record, steps)
    if _has_writes(turn.input, steps):
        yield from ask(turn.input, turn.record, [steps], [], intent)
        return True
    if had_writes:
        # The writes cannot be done, so the reads that waited for them run now.
        yield from run_reads(turn, steps, operation)
    skip_remaining(steps)
    return False


def _has_writes(turn_input: TurnInput, steps: Sequence[Step]) -> bool:
    return any(step.status == "planned" and not is_read(turn_input, step) for step in steps)


def ask(
    turn_input: TurnInput, record: TurnRecord, plans: Sequence[Sequence[Step]], labels: Sequence[str], intent: Intent
) -> Generator[TurnEvent]:
    """Make the plans the turn's pending question and add it to the reply.

    `labels` name the plans if there are several.
    """
    specs = [spec_of(turn_input, step) for plan in plans for step in plan if step.status == "planned"]
    is_destructive = any(spec is not None and spec.access in ("delete", "external") for spec in specs)
    stored = [[_with_current_values(step, plan) for step in plan] for plan in plans]
    for plan in stored:
        _repeat_searches(plan)
    record.question = ask_about_plan(turn_input, record, stored, labels, is_destructive=is_destructive, intent=intent)
    yield record.say(note_on_replaced(turn_input, record) + record.question.question)


def format_label(item: Mapping[str, Any]) -> str:
    """Format a record as an alternative, e.g. `Jack Russel (lead, ABC Corp)`."""
    details = [item.get("entity_type"), item.get("company"), item.get("stage") or item.get("status")]
    return f"{item.get('display_name') or item.get('name')} ({', '.join(str(detail) for detail in details if detail)})"


def dry_run_steps(turn_input: TurnInput, record: TurnRecord, steps: Sequence[Step]) -> None:
    """Describe each planned step and run the writes as a dry run; end those that cannot be done."""
    dry_run, values = DryRun(turn_input), values_of(steps)
    for step in steps:
        skip_dependants(steps)
        if step.status != "planned":
            continue
        try:
            arguments = resolve(step.arguments, values)
        except SeveralRecordsError:
            arguments = {}
        except AishaError as error:
            step.end("skipped", error.message)
            continue
        step.description = describe_call(turn_input, record, step.tool, arguments)
        if arguments or not step.arguments:
            _try_out(turn_input, record, step, arguments, dry_run, values)
        if step.status != "planned" and step.flow is not None:
            skip_flow(steps, step.flow)


def skip_flow(steps: Sequence[Step], flow: str) -> None:
    """Skip the planned steps of a flow, which is done as a whole or not at all."""
    for step in steps:
        if step.flow == flow and step.status == "planned":
            step.end("skipped", "another step of the same flow can't be done")


def _try_out(
    turn_input: TurnInput,
    record: TurnRecord,
    step: Step,
    arguments: Mapping[str, Any],
    dry_run: DryRun,
    values: dict[int, Any],
) -> None:
    call = turn_input.deps.registry.create_call(step.tool, encode_references(arguments), dry_run.context())
    spec = call.spec
    if spec is None or call.result.status is not ToolStatus.PENDING:
        step.end("failed", error_text(call))
        return
    decision = decide(turn_input.principal, spec, rules=turn_input.rules)
    if decision.verdict == "deny":
        step.end("rejected", decision.reason)
    elif spec.access != "read" and (unknown := _unknown_value(arguments)):
        # A yes can't cover a text that the question does not show.
        step.end("failed", f"its {humanise(unknown)} would only be known after an earlier step. Ask for it then")
    # A write that depends on an unknown record cannot be tried; it stays planned.
    elif spec.access != "read" and not any(references(arguments)) and dry_run.run(step.id, call, spec):
        if call.result.ok:
            values[step.id] = call.result.value
            record.add_names(found_in(call.result))
        else:
            step.end("failed", error_text(call))


def _unknown_value(arguments: Mapping[str, Any]) -> str:
    """Return the name of an argument that is to come from a step that has not run, unless it is a record."""
    names = (name for name, value in arguments.items() if not name.endswith("_id") and any(references(value)))
    return next(names, "")


def _find_ambiguity(steps: Sequence[Step]) -> SeveralRecordsError | None:
    """Return the error of the first reference that may mean several records. Skip steps with an invalid reference."""
    values = values_of(steps)
    for step in steps:
        try:
            if step.status == "planned":
                resolve(step.arguments, values)
        except SeveralRecordsError as several:
            return several
        except AishaError as error:
            step.end("skipped", error.message)
    return None


def _with_record(steps: Sequence[Step], step_id: int, item: Mapping[str, Any]) -> list[Step]:
    record = item.get(RECORD, item)
    return [replace(step, value={RECORD: record}) if step.id == step_id else replace(step) for step in steps]


def _with_current_values(step: Step, plan: Sequence[Step]) -> Step:
    """Return the step with values for its references where possible, so that exactly what the user sees is run."""
    try:
        return replace(step, arguments=resolve(step.arguments, values_of(plan)))
    except (SeveralRecordsError, AishaError):
        return replace(step)


def _repeat_searches(plan: Sequence[Step]) -> None:
    """Plan searches again to which steps still refer: their results are not stored with the question."""
    needed = {number for step in plan if step.status == "planned" for number, _ in references(step.arguments)}
    for step in plan:
        if step.id in needed and step.status == "executed":
            step.end("planned")
