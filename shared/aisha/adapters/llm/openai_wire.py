"""What chat completions look like on the wire: a request's parts as JSON, an answer put together from its pieces."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from aisha.application.tooling.registry import openai_function
from aisha.domain.models import ModelMessage, ToolCallRequest, Usage
from aisha.domain.tools import ToolSpec

encode = json.JSONEncoder(separators=(",", ":")).encode
"""JSON in ASCII: half a surrogate pair in someone's message must not stop the request."""


def message_json(message: ModelMessage) -> str:
    """One message of the prompt. Arguments go back as the model wrote them, also when they were no JSON."""
    written: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        written["content"] = message.content or None
        written["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        written["tool_call_id"] = message.tool_call_id
    return encode(written)


class ToolsJson:
    """Tool specs as the JSON text of a request's `tools`. A spec is written once: the text is kept as long as the spec."""

    def __init__(self) -> None:
        self._written: dict[str, tuple[ToolSpec, str]] = {}

    def of(self, specs: Sequence[ToolSpec]) -> str:
        return f"[{','.join([self._text(spec) for spec in specs])}]"

    def _text(self, spec: ToolSpec) -> str:
        kept = self._written.get(spec.name)
        if kept is None or kept[0] is not spec:
            kept = self._written[spec.name] = (spec, encode(openai_function(spec)))
        return kept[1]


def server_sent_data(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The `data` of each server-sent event, whole however the bytes were cut; comments and other fields are dropped.

    An event that the stream ended in is not given out. Source: the HTML standard, section 9.2.6.
    """
    rest = b""
    data: list[bytes] = []
    for chunk in chunks:
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].strip())
            elif data and not line.strip():
                yield b"\n".join(data)
                data = []


@dataclass(slots=True)
class _Call:
    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class CompletionReader:
    """Puts an answer together. `finished` is True once the model said why it stopped: before that nothing of it counts."""

    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    finish_reason: str | None = None
    error: bool = False
    has_text: bool = False
    _calls: list[_Call] = field(default_factory=list)
    _current: dict[int, _Call] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        return self.finish_reason is not None

    def take(self, chunk: dict[str, Any]) -> str:
        """Takes one chunk (or a whole answer that was not streamed) and returns the text in it."""
        if chunk.get("error"):
            self.error = True
            return ""
        self.model = chunk.get("model") or self.model
        if usage := chunk.get("usage"):
            self.usage = Usage(usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0)
        if not (choices := chunk.get("choices")):
            return ""
        choice = choices[0]
        self.finish_reason = choice.get("finish_reason") or self.finish_reason
        delta = choice.get("delta") or choice.get("message") or {}
        for position, piece in enumerate(delta.get("tool_calls") or ()):
            self._take_call(piece, piece.get("index", position))
        text: str = delta.get("content") or ""
        self.has_text = self.has_text or bool(text)
        return text

    def _take_call(self, piece: dict[str, Any], index: int) -> None:
        call, call_id = self._current.get(index), piece.get("id")
        # Some compatible servers number every call 0 and tell them apart by id alone.
        if call is None or (call_id and call.arguments and call_id != call.id):
            call = self._current[index] = _Call(call_id or f"call_{len(self._calls)}")
            self._calls.append(call)
        function = piece.get("function") or {}
        call.name = call.name or function.get("name") or ""
        if arguments := function.get("arguments"):
            call.arguments.append(arguments)

    def problem(self) -> str | None:
        """Why the answer can't be used, or None. Calls of an answer that hit its length limit are partial JSON."""
        if self.error:
            return "it reported an error while answering"
        if not self.finished:
            return "its answer was cut off"
        if self._calls and self.finish_reason in ("length", "content_filter"):
            return "its answer was cut off at a limit"
        if not self._calls and not self.has_text:
            return "its answer was empty"
        return None

    def tool_calls(self) -> tuple[ToolCallRequest, ...]:
        return tuple(ToolCallRequest(call.id, call.name, "".join(call.arguments) or "{}") for call in self._calls)
