"""The report on a plan, which flow-chat's response has in addition to a chat's."""

from collections.abc import Sequence
from typing import Any

from aisha.application.flow.planning.analysis import Analysis
from aisha.application.flow.steps import Intent, Step
from aisha.application.turn.confirming.settle import RUN_PLAN
from aisha.application.turn.record import TurnRecord
from aisha.domain.conversations.conversation import Alternative
from aisha.domain.conversations.events import FlowReported


def report(
    record: TurnRecord,
    steps: Sequence[Step],
    intent: Intent,
    analysis: Analysis | None = None,
    alternatives: Sequence[Alternative] = (),
) -> FlowReported:
    """Return the current state of the plan. While a plan waits for the user, the steps are those of the question."""
    pending = record.question
    # What is shown must be what the question is about.
    if pending is not None and pending.tool == RUN_PLAN:
        steps = _common_steps([[Step(**stored) for stored in plan] for plan in pending.arguments["plans"]])
    return FlowReported(
        user_intent=intent.text,
        confidence=intent.confidence,
        analysis=analysis.json_value() if analysis else None,
        steps=tuple(_step_json(step) for step in steps),
        alternatives=tuple(alternatives),
    )


def _common_steps(plans: Sequence[Sequence[Step]]) -> list[Step]:
    """Return the steps of the first plan, with the arguments that are the same in all plans."""
    first, *others = plans
    common = []
    for step in first:
        same_steps = [next((other for other in plan if other.id == step.id), None) for plan in others]
        arguments = {
            name: value
            for name, value in step.arguments.items()
            if all(same is not None and same.arguments.get(name) == value for same in same_steps)
        }
        # A description has the names of the records of the first plan.
        description = step.tool.replace("_", " ").capitalize() if others else step.description
        common.append(Step(step.id, step.tool, arguments, description, step.status, step.reason))
    return common


def _step_json(step: Step) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": step.id,
        "tool": step.tool,
        # Those of the call have values in place of references.
        "arguments": step.call.arguments if step.call is not None else step.arguments,
        "description": step.description or step.tool.replace("_", " ").capitalize(),
        "status": step.status,
    }
    if step.reason:
        body["reason"] = step.reason
    if step.status == "executed" and step.value is not None:
        body["result"] = step.value
    return body
