"""A turn's text in the shape of OpenAI's chat completions; its tools are not part of it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from aisha.domain.conversations.events import TextDelta, ToolCallFinished, TurnEvent, TurnStarted, UsageReported
from aisha.domain.errors import AishaError
from aisha.domain.models import Usage
from aisha.renderers.json_response import render
from aisha.renderers.problem import openai_error
from aisha.renderers.server_sent_events import DONE, data
from aisha.renderers.turn_stream import turn_stream

_SINCE = 1_767_225_600
"""2026-01-01: the shape requires an instant, and the model has none."""


def completion(events: Iterable[TurnEvent], model: str, created: int, request_id: str) -> dict[str, Any]:
    """Return the answer of a whole turn. `created` is in seconds since 1970. Raises the error of a `TurnFailed`."""
    turn = render(events, request_id)
    used = turn["usage"]
    # The turn's own calls have run: a client that saw them would try to run them itself.
    message = {"role": "assistant", "content": turn["response"]}
    return {
        "id": _id(turn["messageId"]),
        "object": "chat.completion",
        "created": created,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": _usage(Usage(used["inputTokens"], used["outputTokens"])),
        "conversation_id": turn["conversationId"],
    }


def with_structure(body: dict[str, Any], tool: str | None, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the completion with a JSON object as its text, or with the call of a tool that has it as arguments."""
    text = json.dumps(value, ensure_ascii=False)
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if tool is not None:
        call = {"id": f"call_{body['id']}", "type": "function", "function": {"name": tool, "arguments": text}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    reason = "stop" if tool is None else "tool_calls"
    return body | {"choices": [{"index": 0, "message": message, "finish_reason": reason}]}


def chunks_of(body: dict[str, Any], *, with_usage: bool = False) -> Iterator[str]:
    """Yield a whole completion as a stream of Server-Sent Events: its message in one chunk, then the end."""
    common = {name: body[name] for name in ("id", "created", "model", "conversation_id")}
    common["object"] = "chat.completion.chunk"
    (choice,) = body["choices"]
    delta = dict(choice["message"])
    if "tool_calls" in delta:
        delta["tool_calls"] = [{"index": index, **call} for index, call in enumerate(delta["tool_calls"])]
    yield data(common | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield data(common | {"choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    # As OpenAI does it: a last chunk without choices.
    if with_usage:
        yield data(common | {"choices": [], "usage": body["usage"]})
    yield DONE


def completion_stream(
    events: Iterable[TurnEvent], model: str, created: int, request_id: str, *, with_usage: bool = False
) -> Iterator[str]:
    """Yield the answer in chunks as Server-Sent Events; see `turn_stream`."""
    return turn_stream(events, _Chunks(model, created, request_id, with_usage=with_usage))


class _Chunks:
    """The chunks of one answer. The texts of two rounds become paragraphs of one."""

    def __init__(self, model: str, created: int, request_id: str, *, with_usage: bool) -> None:
        self._request_id = request_id
        self._common: dict[str, Any] = {"object": "chat.completion.chunk", "created": created, "model": model}
        self._usage = Usage()
        self._with_usage = with_usage
        self._has_text = self._begins_paragraph = False

    def of(self, event: TurnEvent) -> Iterator[dict[str, Any]]:
        match event:
            case TurnStarted():
                self._common |= {"id": _id(event.message_id), "conversation_id": event.conversation_id}
                yield self._chunk({"role": "assistant", "content": ""})
            case TextDelta():
                text = f"\n\n{event.text.lstrip()}" if self._begins_paragraph else event.text
                self._has_text, self._begins_paragraph = True, False
                yield self._chunk({"content": text})
            case ToolCallFinished():
                # Text after tool results is another round's; before the first text there is nothing to separate.
                self._begins_paragraph = self._has_text
            case UsageReported():
                self._usage = event.usage
            case _:
                pass

    def end(self) -> Iterator[dict[str, Any]]:
        yield self._chunk({}, "stop")
        if self._with_usage:
            yield self._common | {"choices": [], "usage": _usage(self._usage)}

    def broken_off(self, error: AishaError) -> Iterator[dict[str, Any]]:
        """Yield the error as OpenAI's clients expect it."""
        yield {"error": openai_error(error) | {"request_id": self._request_id}}

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        return self._common | {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def _id(message_id: str) -> str:
    return f"chatcmpl-{message_id.removeprefix('msg_')}"


def _usage(usage: Usage) -> dict[str, int]:
    input_tokens, output_tokens = usage.input_tokens, usage.output_tokens
    return {
        "prompt_tokens": input_tokens,
        "completion_tokens": output_tokens,
        "total_tokens": input_tokens + output_tokens,
    }


def model(name: str) -> dict[str, Any]:
    """Return the description of a model."""
    return {"id": name, "object": "model", "created": _SINCE, "owned_by": name}


def models(name: str) -> dict[str, Any]:
    """Return the list with the only model."""
    return {"object": "list", "data": [model(name)]}
