"""The wire format of Anthropic's Messages API.

Source: the API reference of `POST /v1/messages` and its guide to streaming.
"""

from collections.abc import Sequence
from operator import is_not
from typing import Any

from msgspec import Struct, field

from aisha.adapters.llm.answer_limits import count_arguments, count_calls, name_of, text_of, tokens_of
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
from aisha.domain.json_text import compact_json
from aisha.domain.models import ModelMessage, ToolCallRequest, Usage
from aisha.domain.tools import ToolSpec

_CACHED = {"cache_control": {"type": "ephemeral"}}


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
    return [first | _CACHED, *rest]


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


class ToolsJson:
    """Writes tool specs as the JSON of a request's `tools`, and caches it for the same list of specs.

    The last tool asks the provider to cache the tools, which come before all else of the prompt, for the next call.
    """

    def __init__(self) -> None:
        self._specs: tuple[ToolSpec, ...] = ()
        self._json = "[]"

    def of(self, specs: Sequence[ToolSpec]) -> str:
        # Compared by identity, which takes microseconds: specs are frozen.
        if len(specs) != len(self._specs) or any(map(is_not, specs, self._specs)):
            self._specs = tuple(specs)
            self._json = compact_json([*map(_tool, specs[:-1]), *(_tool(spec) | _CACHED for spec in specs[-1:])])
        return self._json


def _tool(spec: ToolSpec) -> dict[str, Any]:
    function = openai_function(spec)["function"]
    return {
        "name": function["name"],
        "description": function["description"],
        "input_schema": function["parameters"],
    }


class _Block(Struct):
    kind: str
    start: Block
    pieces: list[str] = field(default_factory=list)
    signature: str = ""
    is_closed: bool = False


class MessageReader(Struct):
    """Assembles an answer. `finished` is True once the message has its end: before that none of it counts."""

    model_asked: str
    model: str | None = None
    stop_reason: str | None = None
    finished: bool = False
    error: bool = False
    has_text: bool = False
    _blocks: dict[int, _Block] = field(default_factory=dict)
    _usage: dict[str, Any] = field(default_factory=dict)
    _pieces_length: int = 0

    def take(self, event: dict[str, Any]) -> str:
        """Take one event and return the text in it. Events of unknown types are ignored."""
        kind = event["type"]
        if kind == "content_block_delta":
            return self._take_delta(self._blocks[event["index"]], event["delta"])
        if kind == "content_block_start":
            block = event["content_block"]
            if block["type"] == "tool_use":
                block |= {"id": name_of(block["id"]), "name": name_of(block["name"])}
            self._blocks[event["index"]] = _Block(block["type"], block)
            count_calls(len(self._blocks))
            return self._note_text(block.get("text") or "") if block["type"] == "text" else ""
        if kind == "content_block_stop":
            self._blocks[event["index"]].is_closed = True
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

    def _take_delta(self, block: _Block, delta: dict[str, Any]) -> str:
        kind = delta["type"]
        if kind == "text_delta":
            return self._note_text(text_of(delta["text"]))
        if kind == "input_json_delta":
            self._add(block, delta["partial_json"])
        elif kind == "thinking_delta":
            self._add(block, delta["thinking"])
        elif kind == "signature_delta":
            block.signature += text_of(delta["signature"])
            count_arguments(len(block.signature))
        return ""

    def _add(self, block: _Block, piece: Any) -> None:
        block.pieces.append(text_of(piece))
        self._pieces_length += len(piece)
        count_arguments(self._pieces_length)

    def _note_text(self, text: str) -> str:
        self.has_text = self.has_text or bool(text)
        return text

    def _count(self, usage: dict[str, Any] | None) -> None:
        # The counts of `message_delta` are cumulative: they replace those of `message_start`.
        self._usage |= {name: value for name, value in (usage or {}).items() if value is not None}

    def problem(self) -> str | None:
        """Return why the answer can't be used, or None. A call that was not closed is partial JSON."""
        if self.error:
            return "it reported an error while answering"
        if not self.finished or any(not call.is_closed for call in self._calls()):
            return "its answer was cut off"
        if self._calls() and self.stop_reason != "tool_use":
            return "its answer was cut off at a limit"
        if self.stop_reason == "refusal" and not self.has_text:
            return "it refused to answer"
        if not self._calls() and not self.has_text:
            return "its answer was empty"
        return None

    def _calls(self) -> list[_Block]:
        return [block for block in self._blocks.values() if block.kind == "tool_use"]

    def tool_calls(self) -> tuple[ToolCallRequest, ...]:
        """Return the calls in the model's order; the first carries the model's thinking, which must be sent back."""
        thoughts = [
            _thought(block) for block in self._blocks.values() if block.kind in ("thinking", "redacted_thinking")
        ]
        return tuple(
            ToolCallRequest(
                call.start["id"],
                call.start["name"],
                # A call without arguments may come without a piece of JSON.
                "".join(call.pieces) or compact_json(call.start.get("input") or {}),
                {self.model_asked: thoughts} if thoughts and not number else None,
            )
            for number, call in enumerate(self._calls())
        )

    def usage(self, price: Price | None) -> Usage:
        """Return tokens of all kinds together; the provider counts those of its cache separately."""
        fresh, output, cached, written = (
            tokens_of(self._usage.get(name))
            for name in ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        )
        cost = price.cost(fresh, output, cached, written) if price else 0.0
        return Usage(fresh + cached + written, output, cost)


def _thought(block: _Block) -> Block:
    if block.kind == "redacted_thinking":
        return block.start
    return {
        "type": "thinking",
        "thinking": block.start.get("thinking", "") + "".join(block.pieces),
        "signature": block.signature or block.start.get("signature", ""),
    }
