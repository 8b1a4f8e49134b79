"""The wire format of Amazon Bedrock's Converse API.

Source: the API reference of `ConverseStream` of the service bedrock-runtime, and the guide to its prompt caching.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from aisha.adapters.llm.answer_limits import tokens_of
from aisha.adapters.llm.apis.answer_reader import AnswerReader, Call, usage_of
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
from aisha.domain.models import ModelMessage, Usage
from aisha.domain.tools import ToolSpec

CACHE_POINT = {"cachePoint": {"type": "default"}}


class ConverseReader(AnswerReader):
    """Assembles an answer, which is complete once the message has its end."""

    refusals = ("guardrail_intervened", "content_filtered")

    def __init__(self) -> None:
        super().__init__()
        self._calls: dict[int, Call] = {}
        self._usage: Mapping[str, Any] = {}

    def take(self, event: Mapping[str, Any]) -> str:
        if delta := event.get("contentBlockDelta"):
            piece = delta["delta"]
            if "toolUse" in piece:
                self.add_piece(self._calls[delta["contentBlockIndex"]].pieces, piece["toolUse"]["input"])
            return self.note_text(piece.get("text") or "")
        if start := event.get("contentBlockStart"):
            if call := start["start"].get("toolUse"):
                self._calls[start["contentBlockIndex"]] = self.add_call(call["toolUseId"], call["name"])
        elif stop := event.get("contentBlockStop"):
            if ended := self._calls.get(stop["contentBlockIndex"]):
                ended.is_closed = True
        elif end := event.get("messageStop"):
            self.stop_reason = end["stopReason"]
            self.finished = True
        elif metadata := event.get("metadata"):
            self._usage = metadata["usage"]
        return ""

    def has_cut_calls(self) -> bool:
        return self.stop_reason != "tool_use"

    def usage(self, price: Price | None) -> Usage:
        # The provider counts the tokens of its cache separately.
        fresh, output, cached, written = (
            tokens_of(self._usage.get(name))
            for name in ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
        )
        return usage_of(price, fresh, output, cached, written)


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
