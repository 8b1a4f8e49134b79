"""A model with scripted answers that records its requests."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from aisha.domain.errors import AishaError
from aisha.domain.models import ModelEvent, ModelFinished, ModelMessage, ModelRequest, TextChunk, ToolCallRequest, Usage

Step = str | Sequence[ToolCallRequest] | AishaError | Callable[[ModelRequest], Any]


class ScriptedModel:
    """A `ChatModel` that plays one step per call: a text, tool calls, an error, or a function of the request."""

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
    """Return a tool call as a model writes it."""
    return ToolCallRequest(call_id or f"call_{name}", name, json.dumps(arguments))


def system_text(request: ModelRequest) -> str:
    """Return the system prompt of a request."""
    return "\n\n".join(message.content for message in request.messages if message.role == "system")


def spoken(request: ModelRequest) -> list[ModelMessage]:
    """Return the messages of a request without the system prompt."""
    return [message for message in request.messages if message.role != "system"]


def tool_results(request: ModelRequest) -> list[Any]:
    """Return the results of earlier calls in a request, as JSON values."""
    return [json.loads(message.content) for message in request.messages if message.role == "tool"]
