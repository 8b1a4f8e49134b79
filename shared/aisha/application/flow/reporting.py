"""What flow-chat's response says beyond a chat's."""

from collections.abc import Sequence
from typing import Any

from aisha.application.flow.analysis import Analysis
from aisha.application.flow.steps import Intent, Step
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.settle import RUN_PLAN
from aisha.domain.conversation import Alternative
from aisha.domain.events import FlowReported


def report(
    record: TurnRecord,
    steps: Sequence[Step],
    intent: Intent,
    analysis: Analysis | None = None,
    alternatives: Sequence[Alternative] = (),
) -> FlowReported:
    """The plan as it stands. While it waits for the user, the steps are those of the question."""
    pending = record.question
    if pending is not None and pending.tool == RUN_PLAN:
        shown = _common([[Step.restored(kept) for kept in plan] for plan in pending.arguments["plans"]])
    else:
        shown = list(steps)
    return FlowReported(
        user_intent=intent.text,
        confidence=intent.confidence,
        analysis=analysis.json_value() if analysis else None,
        steps=tuple(_json(step) for step in shown),
        alternatives=tuple(alternatives),
    )


def _common(plans: Sequence[Sequence[Step]]) -> list[Step]:
    """The steps of the first plan, with the arguments that are the same in all of them."""
    first, *others = plans
    shown = []
    for step in first:
        twins = [next((one for one in plan if one.id == step.id), None) for plan in others]
        kept = {
            name: value
            for name, value in step.arguments.items()
            if all(twin is not None and twin.arguments.get(name) == value for twin in twins)
        }
        wording = step.description if not others else step.tool.replace("_", " ").capitalize()
        shown.append(Step(step.id, step.tool, kept, wording, step.status, step.reason))
    return shown


def _json(step: Step) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": step.id,
        "tool": step.tool,
        "arguments": step.call.arguments if step.call is not None else step.arguments,
        "description": step.description or step.tool.replace("_", " ").capitalize(),
        "status": step.status,
    }
    if step.reason:
        shown["reason"] = step.reason
    if step.status == "executed" and step.value is not None:
        shown["result"] = step.value
    return shown
