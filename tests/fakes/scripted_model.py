"""A model that says what a test wrote down, and remembers what it was asked."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from aisha.domain.errors import AishaError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk, ToolCallRequest, Usage

Step = str | Sequence[ToolCallRequest] | AishaError | Callable[[ModelRequest], Any]


class ScriptedModel:
    """`ChatModel` that plays one step a call: a text, tool calls, an error, or a function of the request giving one."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.requests: list[ModelRequest] = []

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        self.requests.append(request)
        step: Any = self.steps.pop(0)
        if callable(step):
            step = step(request)
        if isinstance(step, AishaError):
            raise step
        if isinstance(step, str):
            for start in range(0, len(step), 7):
                yield TextChunk(step[start : start + 7])
            step = ()
        yield ModelFinished("scripted", "scripted-1", tuple(step), Usage(100, 10, 0.001))


def ask(name: str, call_id: str | None = None, /, **arguments: Any) -> ToolCallRequest:
    """A tool call as a model writes it."""
    return ToolCallRequest(call_id or f"call_{name}", name, json.dumps(arguments))


def tool_results(request: ModelRequest) -> list[Any]:
    """What the request tells of earlier calls, as JSON values."""
    return [json.loads(message.content) for message in request.messages if message.role == "tool"]
