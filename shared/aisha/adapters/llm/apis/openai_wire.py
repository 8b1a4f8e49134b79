"""The wire format of chat completions: parts of a request as JSON, and an answer assembled from its pieces."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from aisha.adapters.llm.answer_limits import count_arguments, count_calls, name_of, text_of, tokens_of
from aisha.adapters.llm.terms import Price
from aisha.application.tooling.formats import openai_function
from aisha.domain.json_text import compact_json
from aisha.domain.models import ModelMessage, ToolCallRequest, Usage
from aisha.domain.tools import ToolSpec

UNSIGNED = {"google": {"thought_signature": "skip_thought_signature_validator"}}
"""A placeholder for the signature that Gemini requires of a call in the running turn that another model made.

Source: the Gemini API's guide to thought signatures.
"""


def one_system_message(messages: Sequence[ModelMessage]) -> Sequence[ModelMessage]:
    """Return the messages with those of the system at the start as one: some servers' templates take no more."""
    count = next((place for place, message in enumerate(messages) if message.role != "system"), len(messages))
    if count < 2:
        return messages
    return [ModelMessage("system", "\n\n".join(message.content for message in messages[:count])), *messages[count:]]


def message_json(message: ModelMessage, provider: str = "openai") -> str:
    """Return one message of the prompt as JSON.

    Arguments go back as the model wrote them, even if they were no JSON.
    """
    entry: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        entry["content"] = message.content or None
        entry["tool_calls"] = [_call_json(call, provider) for call in message.tool_calls]
    if message.tool_call_id is not None:
        entry["tool_call_id"] = message.tool_call_id
    return compact_json(entry)


def _call_json(call: ToolCallRequest, provider: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }
    if provider == "gemini":
        entry["extra_content"] = (call.extra or {}).get("gemini") or UNSIGNED
    return entry


class ToolsJson:
    """Writes tool specs as the JSON of a request's `tools`; it caches the text of each spec and of the last request."""

    def __init__(self) -> None:
        self._texts: dict[str, tuple[ToolSpec, str]] = {}
        self._last: tuple[Sequence[ToolSpec], str] = ((), "[]")

    def of(self, specs: Sequence[ToolSpec]) -> str:
        # The rounds of a turn mostly send the same specs, so that comparing them compares identities.
        last, text = self._last
        if last != specs:
            text = f"[{','.join([self._text(spec) for spec in specs])}]"
            self._last = specs, text
        return text

    def _text(self, spec: ToolSpec) -> str:
        entry = self._texts.get(spec.name)
        if entry is None or entry[0] is not spec:
            entry = self._texts[spec.name] = (spec, compact_json(openai_function(spec)))
        return entry[1]


class _Call(Struct):
    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    extra: Any = None


class CompletionReader(Struct):
    """Assembles an answer. `finished` is True once the model said why it stopped: before that none of it counts."""

    provider: str = "openai"
    model: str | None = None
    finish_reason: str | None = None
    error: bool = False
    has_text: bool = False
    _usage: dict[str, Any] = field(default_factory=dict)
    _calls: list[_Call] = field(default_factory=list)
    _current: dict[int, _Call] = field(default_factory=dict)
    _arguments_length: int = 0

    @property
    def finished(self) -> bool:
        return self.finish_reason is not None

    def take(self, chunk: dict[str, Any]) -> str:
        """Take one chunk (or a whole answer that was not streamed) and return the text in it."""
        if chunk.get("error"):
            self.error = True
            return ""
        self.model = name_of(chunk.get("model") or self.model or "") or None
        if isinstance(usage := chunk.get("usage"), dict) and usage:
            self._usage = usage
        # The last chunk of a stream holds the usage alone.
        if not (choices := chunk.get("choices")):
            return ""
        choice = choices[0]
        self.finish_reason = choice.get("finish_reason") or self.finish_reason
        delta = choice.get("delta") or choice.get("message") or {}
        for position, piece in enumerate(delta.get("tool_calls") or ()):
            self._take_call(piece, piece.get("index", position))
        text = text_of(delta.get("content") or "")
        self.has_text = self.has_text or bool(text)
        return text

    def _take_call(self, piece: dict[str, Any], index: int) -> None:
        call, call_id = self._current.get(index), piece.get("id")
        # Some compatible servers number every call 0 and tell them apart by id alone.
        if call is None or (call_id and call.arguments and call_id != call.id):
            call = self._current[index] = _Call(name_of(call_id or f"call_{len(self._calls)}"))
            self._calls.append(call)
            count_calls(len(self._calls))
        call.extra = piece.get("extra_content") or call.extra
        function = piece.get("function") or {}
        call.name = call.name or name_of(function.get("name") or "")
        if arguments := function.get("arguments"):
            call.arguments.append(text_of(arguments))
            self._arguments_length += len(arguments)
            count_arguments(self._arguments_length)

    def problem(self) -> str | None:
        """Return why the answer can't be used, or None.

        Calls of an answer that hit its length limit are partial JSON.
        """
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
        return tuple(
            ToolCallRequest(
                call.id,
                call.name,
                "".join(call.arguments) or "{}",
                {self.provider: call.extra} if call.extra else None,
            )
            for call in self._calls
        )

    def usage(self, price: Price | None) -> Usage:
        """Return tokens as the provider counted them; those of its cache are part of `prompt_tokens`."""
        read, written = tokens_of(self._usage.get("prompt_tokens")), tokens_of(self._usage.get("completion_tokens"))
        details = self._usage.get("prompt_tokens_details")
        cached = min(read, tokens_of(details.get("cached_tokens"))) if isinstance(details, dict) else 0
        return Usage(read, written, price.cost(read - cached, written, cached) if price else 0.0)
