"""A fake of Anthropic's Messages API on 127.0.0.1 with scripted answers. It can misbehave like `ModelServer`."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.fakes.models.model_server import Answer, ModelServer


class AnthropicServer(ModelServer):
    """A `ModelServer` that speaks POST /v1/messages. `Answer.finish_reason` is one of this API's stop reasons."""

    path = "/v1/messages"

    @property
    def url(self) -> str:
        return self.address

    def error(self, status: int) -> dict[str, Any]:
        return {"type": "error", "error": {"type": "some_error", "message": f"secret details of a {status}"}}

    def events(self, answer: Answer, body: dict[str, Any]) -> list[bytes]:
        return [
            b"event: %b\ndata: %b\n\n" % (event["type"].encode(), json.dumps(event, separators=(",", ":")).encode())
            for event in _events(replace(answer, model=body["model"]))
        ]

    def whole(self, answer: Answer) -> dict[str, Any]:
        raise NotImplementedError("the assistant always asks for a stream")


def _events(answer: Answer) -> Iterator[dict[str, Any]]:
    read, written = answer.usage or (0, 0)
    usage = {"input_tokens": read - answer.cached, "cache_read_input_tokens": answer.cached, "output_tokens": 1}
    yield {"type": "message_start", "message": _message(answer) | {"usage": usage}}
    yield {"type": "ping"}
    number = 0
    if answer.thought:
        yield from _block(number, {"type": "thinking", "thinking": "", "signature": ""}, _thoughts(answer))
        number += 1
    if answer.text:
        yield from _block(number, {"type": "text", "text": ""}, _texts(answer))
        number += 1
    for call_id, name, arguments in answer.calls:
        pieces = [{"type": "input_json_delta", "partial_json": piece} for piece in _cut(arguments, answer)]
        yield from _block(number, {"type": "tool_use", "id": call_id, "name": name, "input": {}}, pieces)
        number += 1
    reason = answer.finish_reason or ("tool_use" if answer.calls else "end_turn")
    delta = {"stop_reason": reason, "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": written}}
    yield {"type": "message_stop"}


def _message(answer: Answer) -> dict[str, Any]:
    return {
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }


def _block(index: int, start: dict[str, Any], deltas: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    yield {"type": "content_block_start", "index": index, "content_block": start}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _thoughts(answer: Answer) -> list[dict[str, Any]]:
    thought = [{"type": "thinking_delta", "thinking": piece} for piece in _cut(answer.thought, answer)]
    return [*thought, {"type": "signature_delta", "signature": "EqQBCgIYAhIM1gbcDa9GJwZA2b3h"}]


def _texts(answer: Answer) -> list[dict[str, Any]]:
    return [{"type": "text_delta", "text": piece} for piece in _cut(answer.text, answer)]


def _cut(text: str, answer: Answer) -> list[str]:
    return [text[start : start + answer.characters] for start in range(0, len(text), answer.characters)]
