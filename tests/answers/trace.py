"""Print how the offline planner handles messages: segments, steps, tool calls and answer.

usage: python -m tests.answers.trace MESSAGE...; the messages are one conversation with the demo data.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from aisha.adapters.llm.planner import planner
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.steps import steps_of
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.state import DialogueState
from aisha.domain.language.reader import Segment
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.product_tools import product_tools


def trace(messages: list[str]) -> Iterator[str]:
    """Yield the lines on each message, in order."""
    stage, conversation = Stage(product_tools(), NOW), None
    lines: list[str] = []

    def watched(plan: Plan, state: DialogueState, message: str) -> list[Step]:
        steps = steps_of(plan, state, message)
        # The planner starts again from the top in each round: the first one shows how it reads.
        if not lines:
            lines.extend(_segment_line(segment) for segment in plan.read(message).segments)
            lines.extend(_step_line(step) for step in steps)
        return steps

    # The planner looks the name up at each call.
    vars(planner)["steps_of"] = watched
    try:
        for message in messages:
            lines.clear()
            answer = stage.say(message, conversation)
            conversation = answer["conversationId"]
            yield f"> {message}"
            yield from lines
            yield from (_call_line(call) for call in answer["toolCalls"])
            yield f"answer ({answer['status']}): {answer['response']}"
    finally:
        vars(planner)["steps_of"] = steps_of


def _segment_line(segment: Segment) -> str:
    others = ", ".join(f"{act} {share:.2f}" for act, share in segment.others[:2])
    beside = f", else {others}" if others else ""
    return f"segment: {segment.act} {segment.probability:.2f}{beside}; {_slots(segment)} {segment.text!r}"


def _step_line(step: Step) -> str:
    doubt = f"; doubt: {step.doubt}" if step.doubt else ""
    return f"step:    {step.ask.act}; {_slots(step.ask.segment)}{doubt}"


def _call_line(call: dict[str, Any]) -> str:
    return f"call:    {call['name']} {json.dumps(call['arguments'], ensure_ascii=False)} -> {call['status']}"


def _slots(segment: Segment) -> str:
    return " ".join(f"{span.tag}={span.text!r}" for span in segment.spans)


if __name__ == "__main__":
    print("\n".join(trace(sys.argv[1:])))
