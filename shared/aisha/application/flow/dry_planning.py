"""A plan read off the calls that a model makes: for the offline planner, which plans with tools and writes no JSON.

The model is asked as in any turn. Its reads run; its writes are only tried out, and it goes on as if they were done. So
later steps may build on earlier ones, and nothing has happened yet.
"""

import json
from collections.abc import Generator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.flow.catalogue import tools_for
from aisha.application.flow.dry_run import Rehearsal
from aisha.application.flow.question import described
from aisha.application.flow.running import is_read, run_side_by_side, why
from aisha.application.flow.steps import Step
from aisha.application.models.completion import collect
from aisha.application.prompt import build_prompt
from aisha.application.redaction.summaries import shown_to_model
from aisha.application.tooling.policy import decide
from aisha.application.turn.converse import history_messages
from aisha.application.turn.model_call import ask_model
from aisha.application.turn.prompt_request import prompt_facts
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.conversation import Message
from aisha.domain.events import TurnEvent
from aisha.domain.models import ModelFinished, ModelMessage, ToolCallRequest, TurnFacts
from aisha.domain.tool_results import found_in
from aisha.domain.tools import ToolStatus

_WAITS = '{"error": "Tool execution failed", "reason": "it waits for the user\'s confirmation"}'


class Derived(Struct):
    """The steps, and what the model said in the end: an answer that is true only when nothing is left to be written."""

    steps: list[Step] = field(default_factory=list)
    text: str = ""
    finished: ModelFinished = field(default_factory=lambda: ModelFinished("none", "none"))


def derive(turn: Turn, operation: str) -> Generator[TurnEvent, None, Derived]:
    """The plan for the turn's message. Raises `ModelUnavailableError` and `DeadlineExceededError`."""
    return (yield from _derive(turn, operation, turn.input.request.message, turn.input.session.messages))


def derive_for(turn: Turn, question: Derived, choice: int, operation: str) -> Generator[TurnEvent, None, Derived]:
    """The plan that follows when the user answers the model's question with the `choice`th of its choices, from 1."""
    sequence = turn.input.session.conversation.sequence
    asked = (
        Message("", sequence - 1, "user", turn.input.request.message, turn.input.now),
        Message("", sequence, "assistant", question.text, turn.input.now, provider_state=question.finished.state),
    )
    return (yield from _derive(turn, operation, str(choice), (*turn.input.session.messages, *asked)))


def _derive(turn: Turn, operation: str, said: str, before: tuple[Message, ...]) -> Generator[TurnEvent, None, Derived]:
    plan, rehearsal, tools = Derived(), Rehearsal(turn.input), tools_for(turn.input)
    facts = TurnFacts(said, turn.input.entities, before, tools or turn.input.tools)
    messages = [
        ModelMessage("system", build_prompt(prompt_facts(turn, tools))),
        *history_messages(before),
        ModelMessage("user", said, is_typed=True),
    ]
    for _ in range(turn.input.deps.limits.max_flow_rounds):
        plan.text, plan.finished = collect(ask_model(turn, messages, tools, facts=facts))
        requests = plan.finished.tool_calls
        if not requests:
            break
        results = yield from _taken_on(turn, requests, plan, rehearsal, operation)
        messages.append(ModelMessage("assistant", plan.text, requests))
        messages += [
            ModelMessage("tool", text, tool_call_id=one.id) for one, text in zip(requests, results, strict=True)
        ]
    _show_afterwards(plan.steps)
    return plan


def _show_afterwards(steps: Sequence[Step]) -> None:
    """Reads after the last write run again when it is done: the user wants to see what has become of it."""
    writes = [place for place, step in enumerate(steps) if step.status == "planned"]
    for step in steps[writes[-1] + 1 :] if writes else ():
        if step.status == "executed":
            step.description = step.tool.replace("_", " ").capitalize()
            step.status, step.value, step.call = "planned", None, None


def _taken_on(
    turn: Turn, requests: Sequence[ToolCallRequest], plan: Derived, rehearsal: Rehearsal, operation: str
) -> Generator[TurnEvent, None, list[str]]:
    """One round of calls as steps of the plan, with what the model is told of each."""
    steps = [_step_of(request, len(plan.steps) + place) for place, request in enumerate(requests, 1)]
    plan.steps += steps
    reads = [step for step in steps if _runs_now(turn.input, step, rehearsal)]
    yield from run_side_by_side(turn, reads, reads, operation)
    told = []
    for step in steps:
        if step in reads:
            told.append(shown_to_model(step.call) if step.call is not None else _WAITS)
        else:
            told.append(_tried_out(turn.input, turn.record, step, rehearsal))
    return told


def _step_of(request: ToolCallRequest, number: int) -> Step:
    try:
        arguments = json.loads(request.arguments or "{}")
    except ValueError:
        arguments = None
    return Step(number, request.name, arguments if isinstance(arguments, dict) else {"arguments": request.arguments})


def _runs_now(turn_input: TurnInput, step: Step, rehearsal: Rehearsal) -> bool:
    """A read of what exists."""
    return is_read(turn_input, step) and rehearsal.with_references(step.arguments) == step.arguments


def _tried_out(turn_input: TurnInput, record: TurnRecord, step: Step, rehearsal: Rehearsal) -> str:
    call = turn_input.deps.registry.create_call(step.tool, step.arguments, rehearsal.context())
    known, spec = replace(step), call.spec
    step.arguments = rehearsal.with_references(step.arguments)
    if spec is not None and call.result.status is ToolStatus.PENDING:
        decision = decide(turn_input.principal, spec, rules=turn_input.profile.rules)
        if decision.verdict == "deny":
            call.reject(decision.reason, decision.error)
        elif not rehearsal.run(step.id, call, spec):
            step.description = described(turn_input, record, known.tool, known.arguments)
            return _WAITS
    if call.result.ok:
        record.add_names(found_in(call.result))
        step.description = described(turn_input, record, known.tool, known.arguments)
    else:
        step.description = described(turn_input, record, known.tool, known.arguments)
        step.end("rejected" if call.result.status is ToolStatus.REJECTED else "failed", why(call))
    return shown_to_model(call)
