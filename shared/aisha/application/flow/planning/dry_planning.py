"""A plan derived from a model's tool calls, for the offline planner, which calls tools and writes no JSON.

The model is called as in any turn. Its reads run; its writes run as a dry run, and the model continues as if they were
done. So later steps can refer to earlier ones before anything is written.
"""

from collections.abc import Generator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.flow.execution.dry_run import DryRun
from aisha.application.flow.execution.single_steps import error_text, is_read, run_in_parallel
from aisha.application.flow.planning.catalogue import tools_for
from aisha.application.flow.question import describe_call
from aisha.application.flow.steps import Step
from aisha.application.models.completion import collect
from aisha.application.prompt import build_prompt
from aisha.application.redaction.summaries import shown_to_model
from aisha.application.tooling.gate.policy import decide
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.rounds.converse import history_messages
from aisha.application.turn.rounds.model_call import ask_model
from aisha.application.turn.rounds.prompt_request import prompt_facts
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.conversations.conversation import Message
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.conversations.tool_results import found_in
from aisha.domain.json_values import finite_json
from aisha.domain.models import ModelFinished, ModelMessage, ToolCallRequest, TurnFacts
from aisha.domain.tools import ToolStatus

_WAITS = '{"error": "Tool execution failed", "reason": "it waits for the user\'s confirmation"}'


class DerivedPlan(Struct):
    """The steps and the model's final text, which is true only if no step is left to be written."""

    steps: list[Step] = field(default_factory=list)
    text: str = ""
    finished: ModelFinished = field(default_factory=lambda: ModelFinished("none", "none"))


def derive_plan(turn: Turn, operation: str) -> Generator[TurnEvent, None, DerivedPlan]:
    """Return the plan for the turn's message. Raises `ModelUnavailableError` and `DeadlineExceededError`."""
    return (yield from _derive(turn, operation, turn.input.request.message, turn.input.session.messages))


def derive_plan_for_choice(
    turn: Turn, question: DerivedPlan, choice: int, operation: str
) -> Generator[TurnEvent, None, DerivedPlan]:
    """Return the plan that follows if the user answers the model's question by a choice's number, counted from 1.

    It begins with what is planned beside the question.
    """
    sequence = turn.input.session.conversation.sequence
    exchange = (
        Message("", sequence - 1, "user", turn.input.request.message, turn.input.now),
        Message("", sequence, "assistant", question.text, turn.input.now, provider_state=question.finished.state),
    )
    steps = [replace(step) for step in question.steps]
    return (yield from _derive(turn, operation, str(choice), (*turn.input.session.messages, *exchange), steps))


def _derive(
    turn: Turn, operation: str, message: str, before: tuple[Message, ...], steps: Sequence[Step] = ()
) -> Generator[TurnEvent, None, DerivedPlan]:
    plan, dry_run, tools = DerivedPlan(list(steps)), DryRun(turn.input), tools_for(turn.input)
    facts = TurnFacts(message, turn.input.entities, before, tools or turn.input.tools)
    messages = [
        ModelMessage("system", build_prompt(prompt_facts(turn, tools))),
        *history_messages(before),
        ModelMessage("user", message, is_typed=True),
    ]
    # In the planner's view its writes are done, so it continues until it has the final text or no rounds are left.
    for _ in range(turn.input.deps.limits.max_flow_rounds):
        plan.text, plan.finished = collect(ask_model(turn, messages, tools, facts=facts))
        requests = plan.finished.tool_calls
        if not requests:
            break
        results = yield from _run_round(turn, requests, plan, dry_run, operation)
        messages.append(ModelMessage("assistant", plan.text, requests))
        messages += [
            ModelMessage("tool", text, tool_call_id=request.id) for request, text in zip(requests, results, strict=True)
        ]
    _repeat_last_reads(plan.steps)
    return plan


def _repeat_last_reads(steps: Sequence[Step]) -> None:
    """Plan the reads after the last write again: they show its result."""
    writes = [place for place, step in enumerate(steps) if step.status == "planned"]
    for step in steps[writes[-1] + 1 :] if writes else ():
        if step.status == "executed":
            step.description = step.tool.replace("_", " ").capitalize()
            step.status, step.value, step.call = "planned", None, None


def _run_round(
    turn: Turn, requests: Sequence[ToolCallRequest], plan: DerivedPlan, dry_run: DryRun, operation: str
) -> Generator[TurnEvent, None, list[str]]:
    """Add one round of calls to the plan as steps. Return the result of each, as JSON for the model."""
    steps = [_step_of(request, len(plan.steps) + place) for place, request in enumerate(requests, 1)]
    plan.steps += steps
    reads = [step for step in steps if _runs_now(turn.input, step, dry_run)]
    yield from run_in_parallel(turn, reads, reads, operation)
    results = []
    for step in steps:
        if step in reads:
            results.append(shown_to_model(step.call) if step.call is not None else _WAITS)
        else:
            results.append(_try_out(turn.input, turn.record, step, dry_run))
    return results


def _step_of(request: ToolCallRequest, number: int) -> Step:
    try:
        arguments = finite_json(request.arguments or "{}")
    except ValueError:
        arguments = None
    arguments = arguments if isinstance(arguments, dict) else {"arguments": request.arguments}
    return Step(number, request.name, arguments, doubt=request.doubt)


def _runs_now(turn_input: TurnInput, step: Step, dry_run: DryRun) -> bool:
    """Return whether the step reads a record that exists, not one that only the dry run has created."""
    return is_read(turn_input, step) and dry_run.with_references(step.arguments) == step.arguments


def _try_out(turn_input: TurnInput, record: TurnRecord, step: Step, dry_run: DryRun) -> str:
    call = turn_input.deps.registry.create_call(step.tool, step.arguments, dry_run.context())
    arguments, spec = step.arguments, call.spec
    step.arguments = dry_run.with_references(step.arguments)
    is_tried = True
    if spec is not None and call.result.status is ToolStatus.PENDING:
        decision = decide(turn_input.principal, spec, rules=turn_input.rules)
        if decision.verdict == "deny":
            call.reject(decision.reason, decision.error)
        else:
            is_tried = dry_run.run(step.id, call, spec)
    if call.result.ok:
        record.add_names(found_in(call.result))
    # Only now: the description has the names of the records that the call has found or created.
    step.description = describe_call(turn_input, record, step.tool, arguments)
    if not is_tried:
        return _WAITS
    if not call.result.ok:
        step.end("rejected" if call.result.status is ToolStatus.REJECTED else "failed", error_text(call))
    return shown_to_model(call)
