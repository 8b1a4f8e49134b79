"""The wire format of chat completions: parts of a request as JSON, and an answer assembled from its pieces."""

from collections.abc import Sequence
from typing import Any

from aisha.adapters.llm.answer_limits import name_of, tokens_of
from aisha.adapters.llm.apis.answer_reader import AnswerReader, Call, usage_of
from aisha.adapters.llm.terms import Price
from aisha.domain.json_values import compact_json
from aisha.domain.models import ModelMessage, ToolCallRequest, Usage

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


class CompletionReader(AnswerReader):
    """Assembles an answer, which is complete once the model said why it stopped."""

    def __init__(self, provider: str = "openai") -> None:
        super().__init__()
        self._provider = provider
        self._usage: dict[str, Any] = {}
        self._current: dict[int, Call] = {}

    def take(self, chunk: dict[str, Any]) -> str:
        """Take one chunk, or a whole answer that was not streamed."""
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
        self.stop_reason = choice.get("finish_reason") or self.stop_reason
        self.finished = self.stop_reason is not None
        delta = choice.get("delta") or choice.get("message") or {}
        for position, piece in enumerate(delta.get("tool_calls") or ()):
            self._take_call(piece, piece.get("index", position))
        return self.note_text(delta.get("content") or "")

    def _take_call(self, piece: dict[str, Any], index: int) -> None:
        call, call_id = self._current.get(index), piece.get("id")
        function = piece.get("function") or {}
        # Some compatible servers number every call 0 and tell them apart by id alone.
        if call is None or (call_id and call.pieces and call_id != call.id):
            # The format has no end of a call but the answer's own.
            call = self.add_call(call_id or f"call_{len(self.calls)}", "", is_closed=True)
            self._current[index] = call
        if extra := piece.get("extra_content"):
            call.extra = {self._provider: extra}
        call.name = call.name or name_of(function.get("name") or "")
        if arguments := function.get("arguments"):
            self.add_piece(call.pieces, arguments)

    def has_cut_calls(self) -> bool:
        return self.stop_reason in ("length", "content_filter")

    def usage(self, price: Price | None) -> Usage:
        # Tokens of the cache are part of `prompt_tokens`.
        read, written = tokens_of(self._usage.get("prompt_tokens")), tokens_of(self._usage.get("completion_tokens"))
        details = self._usage.get("prompt_tokens_details")
        cached = min(read, tokens_of(details.get("cached_tokens"))) if isinstance(details, dict) else 0
        return usage_of(price, read - cached, written, cached)
