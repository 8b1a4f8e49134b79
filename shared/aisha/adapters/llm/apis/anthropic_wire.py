"""The wire format of Anthropic's Messages API.

Source: the API reference of `POST /v1/messages` and its guide to streaming.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from aisha.adapters.llm.answer_limits import count_arguments, count_calls, name_of, text_of, tokens_of
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
from aisha.application.tooling.formats import openai_function
from aisha.domain.json_values import compact_json
from aisha.domain.models import ModelMessage, ToolCallRequest, Usage
from aisha.domain.tools import ToolSpec

CACHED = {"cache_control": {"type": "ephemeral"}}
"""The mark of the last block or tool that the provider is to cache for the next call."""


def system_blocks(messages: Sequence[ModelMessage], *, json_mode: bool) -> str | list[Block] | None:
    """Return the system messages, which are a field of their own here; of several the first is stable, and cached.

    None without any.
    """
    texts = [clean_text(message.content) for message in messages if message.role == "system" and message.content]
    if json_mode:
        texts = ["\n\n".join([*texts, JSON_ONLY])]
    if len(texts) < 2:
        return texts[0] if texts else None
    first, *rest = map(_text, texts)
    return [first | CACHED, *rest]


def conversation(messages: Sequence[ModelMessage], model: str) -> list[dict[str, Any]]:
    """Return the other messages: user and assistant by turns, results of tools as blocks of the user's."""
    return alternating_turns(messages, lambda message: _blocks(message, model), _text(OPENING))


def _blocks(message: ModelMessage, model: str) -> list[Block]:
    """Return the blocks of a message; it may have none, since the API refuses blank text."""
    if message.tool_call_id is not None:
        return [
            {
                "type": "tool_result",
                "tool_use_id": clean_id(message.tool_call_id),
                "content": clean_text(message.content),
            },
        ]
    blocks = [_text(message.content)] if message.content.strip() else []
    for call in message.tool_calls:
        # Thinking is tied to the model that did it, and goes back before what followed from it.
        blocks = [*(call.extra or {}).get(model, ()), *blocks]
        blocks.append(
            {"type": "tool_use", "id": clean_id(call.id), "name": call.name, "input": arguments_object(call.arguments)}
        )
    return blocks


def _text(text: str) -> Block:
    return {"type": "text", "text": clean_text(text)}


def tool_json(spec: ToolSpec) -> dict[str, Any]:
    """Return the spec as the API's tool."""
    function = openai_function(spec)["function"]
    return {
        "name": function["name"],
        "description": function["description"],
        "input_schema": function["parameters"],
    }


class _Thought(Struct):
    start: Block
    pieces: list[str] = field(default_factory=list)
    signature: str = ""


class MessageReader(AnswerReader):
    """Assembles an answer, which is complete once the message has its end."""

    refusals = ("refusal",)

    def __init__(self, requested_model: str) -> None:
        super().__init__()
        self._requested_model = requested_model
        self._calls: dict[int, Call] = {}
        self._thoughts: dict[int, _Thought] = {}
        self._usage: dict[str, Any] = {}

    def take(self, event: dict[str, Any]) -> str:
        kind = event["type"]
        if kind == "content_block_delta":
            return self._take_delta(event["index"], event["delta"])
        if kind == "content_block_start":
            return self._begin_block(event["index"], event["content_block"])
        if kind == "content_block_stop":
            if call := self._calls.get(event["index"]):
                call.is_closed = True
        elif kind == "message_start":
            self.model = name_of(event["message"].get("model") or "") or None
            self._count(event["message"].get("usage"))
        elif kind == "message_delta":
            self.stop_reason = event["delta"].get("stop_reason") or self.stop_reason
            self._count(event.get("usage"))
        elif kind == "message_stop":
            self.finished = self.stop_reason is not None
        elif kind == "error":
            self.error = True
        return ""

    def _begin_block(self, index: int, block: Block) -> str:
        kind = block["type"]
        if kind == "text":
            return self.note_text(block.get("text") or "")
        if kind == "tool_use":
            call = self._calls[index] = self.add_call(block["id"], block["name"])
            if block.get("input"):
                self.add_piece(call.pieces, compact_json(block["input"]))
        elif kind in ("thinking", "redacted_thinking"):
            self._thoughts[index] = _Thought(block)
            count_calls(len(self._thoughts))
        return ""

    def _take_delta(self, index: int, delta: dict[str, Any]) -> str:
        kind = delta["type"]
        if kind == "text_delta":
            return self.note_text(delta["text"])
        if kind == "input_json_delta":
            self.add_piece(self._calls[index].pieces, delta["partial_json"])
        elif kind == "thinking_delta":
            self.add_piece(self._thoughts[index].pieces, delta["thinking"])
        elif kind == "signature_delta":
            thought = self._thoughts[index]
            thought.signature += text_of(delta["signature"])
            count_arguments(len(thought.signature))
        return ""

    def _count(self, usage: dict[str, Any] | None) -> None:
        # The counts of `message_delta` are cumulative: they replace those of `message_start`.
        self._usage |= {name: value for name, value in (usage or {}).items() if value is not None}

    def has_cut_calls(self) -> bool:
        return self.stop_reason != "tool_use"

    def tool_calls(self) -> tuple[ToolCallRequest, ...]:
        # The first call carries the model's thinking, which must be sent back with it.
        if self.calls and self._thoughts:
            self.calls[0].extra = {self._requested_model: [_thought(thought) for thought in self._thoughts.values()]}
        return super().tool_calls()

    def usage(self, price: Price | None) -> Usage:
        # The provider counts the tokens of its cache separately.
        fresh, output, cached, written = (
            tokens_of(self._usage.get(name))
            for name in ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        )
        return usage_of(price, fresh, output, cached, written)


def _thought(thought: _Thought) -> Block:
    block = thought.start
    if block["type"] == "redacted_thinking":
        return block
    return {
        "type": "thinking",
        "thinking": block.get("thinking", "") + "".join(thought.pieces),
        "signature": thought.signature or block.get("signature", ""),
    }
