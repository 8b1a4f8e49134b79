"""From steps to the one question about them: the reads run, the writes are tried out, what is left is asked."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from aisha.application.flow.dry_run import Rehearsal
from aisha.application.flow.question import ask_about_plan, described
from aisha.application.flow.running import end_rest, is_read, run_reads, skip_dependants, spec_of, values_of, why
from aisha.application.flow.steps import RECORD, Intent, SeveralRecordsError, Step, as_words, references, resolved
from aisha.application.tooling.policy import decide
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.errors import AishaError
from aisha.domain.events import TurnEvent
from aisha.domain.tool_results import found_in
from aisha.domain.tools import ToolStatus

MOST_ALTERNATIVES = 10


def propose(
    turn: Turn, steps: Sequence[Step], intent: Intent, operation: str, *, is_confirmed: bool = False
) -> Generator[TurnEvent, None, bool]:
    """Runs the reads. Whether the user was asked: which record is meant, or, unless it is confirmed, about the writes."""
    wanted_writes = _writes(turn.input, steps)
    yield from run_reads(turn, steps, operation)
    several = _ambiguity(steps)
    if several is not None:
        items = several.items[:MOST_ALTERNATIVES]
        plans = [_with_record(steps, several.step_id, item) for item in items]
        for plan in plans:
            rehearse(turn.input, turn.record, plan)
        yield from ask(turn.input, turn.record, plans, [label(item) for item in items], intent)
        return True
    if is_confirmed:
        return False
    rehearse(turn.input, turn.record, steps)
    if _writes(turn.input, steps):
        yield from ask(turn.input, turn.record, [steps], [], intent)
        return True
    if wanted_writes:
        yield from run_reads(turn, steps, operation)  # those that waited for writes that can't be done
    end_rest(steps)
    return False


def _writes(turn_input: TurnInput, steps: Sequence[Step]) -> bool:
    return any(step.status == "planned" and not is_read(turn_input, step) for step in steps)


def ask(
    turn_input: TurnInput, record: TurnRecord, plans: Sequence[Sequence[Step]], labels: Sequence[str], intent: Intent
) -> Generator[TurnEvent]:
    """Stores the plans as the one thing that waits for the user, and asks."""
    specs = [spec_of(turn_input, step) for plan in plans for step in plan if step.status == "planned"]
    is_destructive = any(spec is not None and spec.access in ("delete", "external") for spec in specs)
    kept = [[_storable(step, plan) for step in plan] for plan in plans]
    for plan in kept:
        _look_up_again(plan)
    record.question = ask_about_plan(turn_input, record, kept, labels, is_destructive=is_destructive, intent=intent)
    yield record.say(record.question.question)


def label(item: Mapping[str, Any]) -> str:
    """A record as an alternative: `Jack Russel (lead, ABC Corp)`."""
    told = [item.get("entity_type"), item.get("company"), item.get("stage") or item.get("status")]
    return f"{item.get('display_name') or item.get('name')} ({', '.join(str(one) for one in told if one)})"


def rehearse(turn_input: TurnInput, record: TurnRecord, steps: Sequence[Step]) -> None:
    """Words each step that is still planned, and tries the writes out: what can't be done is known before the question."""
    rehearsal, values = Rehearsal(turn_input), values_of(steps)
    for step in steps:
        skip_dependants(steps)
        if step.status != "planned":
            continue
        try:
            arguments = resolved(step.arguments, values)
        except SeveralRecordsError:
            arguments = {}
        except AishaError as error:
            step.end("skipped", error.message)
            continue
        step.description = described(turn_input, record, step.tool, arguments)
        if arguments or not step.arguments:
            _try_out(turn_input, record, step, arguments, rehearsal, values)
        if step.status != "planned" and step.flow is not None:
            skip_flow(steps, step.flow)


def skip_flow(steps: Sequence[Step], flow: str) -> None:
    """A flow is done whole or not at all."""
    for step in steps:
        if step.flow == flow and step.status == "planned":
            step.end("skipped", "another step of the same flow can't be done")


def _try_out(
    turn_input: TurnInput,
    record: TurnRecord,
    step: Step,
    arguments: Mapping[str, Any],
    rehearsal: Rehearsal,
    values: dict[int, Any],
) -> None:
    call = turn_input.deps.registry.create_call(step.tool, as_words(arguments), rehearsal.context())
    spec = call.spec
    if spec is None or call.result.status is not ToolStatus.PENDING:
        step.end("failed", why(call))
        return
    decision = decide(turn_input.principal, spec, rules=turn_input.profile.rules)
    if decision.verdict == "deny":
        step.end("rejected", decision.reason)
    elif spec.access != "read" and not any(references(arguments)) and rehearsal.run(step.id, call, spec):
        if call.result.ok:
            values[step.id] = call.result.value
            record.add_names(found_in(call.result))
        else:
            step.end("failed", why(call))


def _ambiguity(steps: Sequence[Step]) -> SeveralRecordsError | None:
    """The first reference that may mean several records. Steps that refer to nothing are ended."""
    values = values_of(steps)
    for step in steps:
        try:
            if step.status == "planned":
                resolved(step.arguments, values)
        except SeveralRecordsError as several:
            return several
        except AishaError as error:
            step.end("skipped", error.message)
    return None


def _with_record(steps: Sequence[Step], step_id: int, item: Mapping[str, Any]) -> list[Step]:
    record = item.get(RECORD, item)
    return [replace(step, value={RECORD: record}) if step.id == step_id else replace(step) for step in steps]


def _storable(step: Step, plan: Sequence[Step]) -> Step:
    """With the values that are known by now: what is asked about is what runs."""
    try:
        return replace(step, arguments=resolved(step.arguments, values_of(plan)))
    except (SeveralRecordsError, AishaError):
        return replace(step)


def _look_up_again(plan: Sequence[Step]) -> None:
    """Searches that steps still refer to run again after the answer: their results are not stored."""
    needed = {number for step in plan if step.status == "planned" for number, _ in references(step.arguments)}
    for step in plan:
        if step.id in needed and step.status == "executed":
            step.end("planned")
