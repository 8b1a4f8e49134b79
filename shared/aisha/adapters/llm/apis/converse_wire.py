"""The wire format of Amazon Bedrock's Converse API.

Source: the API reference of `ConverseStream` of the service bedrock-runtime, and the guide to its prompt caching.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from aisha.adapters.llm.apis.json_answers import JSON_ONLY
from aisha.adapters.llm.apis.message_blocks import (
    OPENING,
    Block,
    alternating_turns,
    arguments_object,
    clean_id,
    clean_text,
)
from aisha.adapters.llm.terms import Price
from aisha.application.tooling.arguments.schemas import schema_for_model
from aisha.domain.models import ModelMessage, ToolCallRequest, Usage
from aisha.domain.tools import ToolSpec

CACHE_POINT = {"cachePoint": {"type": "default"}}
_GUARDED = ("guardrail_intervened", "content_filtered")


class ConverseReader(Struct):
    """Assembles an answer. `finished` is True once the message has its end: before that none of it counts."""

    stop_reason: str | None = None
    has_text: bool = False
    _calls: dict[int, Block] = field(default_factory=dict)
    _closed: set[int] = field(default_factory=set)
    _usage: Mapping[str, int] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        return self.stop_reason is not None

    def take(self, event: Mapping[str, Any]) -> str:
        """Take one event and return the text in it. Events of unknown types are ignored."""
        if delta := event.get("contentBlockDelta"):
            piece = delta["delta"]
            if "toolUse" in piece:
                self._calls[delta["contentBlockIndex"]]["pieces"].append(piece["toolUse"]["input"])
            text = str(piece.get("text") or "")
            self.has_text = self.has_text or bool(text)
            return text
        if start := event.get("contentBlockStart"):
            if call := start["start"].get("toolUse"):
                self._calls[start["contentBlockIndex"]] = {**call, "pieces": []}
        elif stop := event.get("contentBlockStop"):
            self._closed.add(stop["contentBlockIndex"])
        elif end := event.get("messageStop"):
            self.stop_reason = end["stopReason"]
        elif metadata := event.get("metadata"):
            self._usage = metadata["usage"]
        return ""

    def problem(self) -> str | None:
        """Return why the answer can't be used, or None. A call that was not closed is partial JSON."""
        if not self.finished or self._calls.keys() - self._closed:
            return "its answer was cut off"
        if self._calls and self.stop_reason != "tool_use":
            return "its answer was cut off at a limit"
        if self._calls or self.has_text:
            return None
        return "it refused to answer" if self.stop_reason in _GUARDED else "its answer was empty"

    def tool_calls(self) -> tuple[ToolCallRequest, ...]:
        # A call without arguments comes without a piece of JSON.
        return tuple(
            ToolCallRequest(call["toolUseId"], call["name"], "".join(call["pieces"]) or "{}")
            for call in self._calls.values()
        )

    def usage(self, price: Price | None) -> Usage:
        """Return tokens of all kinds together; the provider counts those of its cache separately."""
        fresh, output, cached, written = (
            self._usage.get(name) or 0
            for name in ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
        )
        cost = price.cost(fresh, output, cached, written) if price else 0.0
        return Usage(fresh + cached + written, output, cost)


def system_blocks(messages: Sequence[ModelMessage], *, json_mode: bool, is_cached: bool) -> list[Block]:
    """Return the system messages, which are a field of their own here; the first, which is stable, is cached."""
    texts = [
        clean_text(message.content) for message in messages if message.role == "system" and message.content.strip()
    ]
    if json_mode:
        texts.append(JSON_ONLY)
    blocks: list[Block] = [{"text": text} for text in texts]
    if is_cached and len(blocks) > 1:
        blocks.insert(1, CACHE_POINT)
    return blocks


def conversation(messages: Sequence[ModelMessage]) -> list[dict[str, Any]]:
    """Return the other messages: user and assistant by turns, results of tools as blocks of the user's."""
    return alternating_turns(messages, _blocks, {"text": OPENING})


def _blocks(message: ModelMessage) -> list[Block]:
    """Return the blocks of a message; it may have none, since the API refuses blank text."""
    if message.tool_call_id is not None:
        content = [{"text": clean_text(message.content) or "(no result)"}]
        return [{"toolResult": {"toolUseId": _id(message.tool_call_id), "content": content}}]
    blocks: list[Block] = [{"text": clean_text(message.content)}] if message.content.strip() else []
    for call in message.tool_calls:
        blocks.append(
            {"toolUse": {"toolUseId": _id(call.id), "name": call.name, "input": arguments_object(call.arguments)}}
        )
    return blocks


def called_tools(messages: Sequence[ModelMessage]) -> list[Block]:
    """Return the tools that the messages call, none of them to be called again."""
    names = dict.fromkeys(call.name for message in messages for call in message.tool_calls)
    schema = {"json": {"type": "object"}}
    return [
        {"toolSpec": {"name": name, "description": "Not to be called now.", "inputSchema": schema}} for name in names
    ]


def tool_spec(spec: ToolSpec) -> Block:
    """Return the spec as the API's tool."""
    schema = {"json": schema_for_model(spec.parameters)}
    return {"toolSpec": {"name": spec.name, "description": spec.description, "inputSchema": schema}}


def _id(call_id: str) -> str:
    """Return the id as the API takes it: of its allowed characters, the last 64."""
    return clean_id(call_id)[-64:]
