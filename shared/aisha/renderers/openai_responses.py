"""A turn in the shape of OpenAI's Responses API, whole and as its stream of typed events."""

import json
from collections.abc import Iterator
from typing import Any


def response(whole: dict[str, Any]) -> dict[str, Any]:
    """Return a chat completion of ours as a response."""
    (choice,) = whole["choices"]
    usage = whole["usage"]
    return _begun(whole) | {
        "status": "completed",
        "output": [_item(whole, choice["message"])],
        "usage": {
            "input_tokens": usage["prompt_tokens"],
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": usage["completion_tokens"],
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": usage["total_tokens"],
        },
    }


def response_stream(whole: dict[str, Any]) -> Iterator[str]:
    """Yield the typed events of a response whose text comes in one piece."""
    done = response(whole)
    begun, (item,) = _begun(whole) | {"status": "in_progress", "output": []}, done["output"]
    place = {"output_index": 0, "item_id": item["id"]}
    events: list[tuple[str, dict[str, Any]]] = [
        ("response.created", {"response": begun}),
        ("response.in_progress", {"response": begun}),
    ]
    if item["type"] == "function_call":
        empty = item | {"status": "in_progress", "arguments": ""}
        events += [
            ("response.output_item.added", {"output_index": 0, "item": empty}),
            ("response.function_call_arguments.delta", place | {"delta": item["arguments"]}),
            ("response.function_call_arguments.done", place | {"arguments": item["arguments"], "name": item["name"]}),
        ]
    else:
        (part,) = item["content"]
        place |= {"content_index": 0}
        events += [
            (
                "response.output_item.added",
                {"output_index": 0, "item": item | {"status": "in_progress", "content": []}},
            ),
            ("response.content_part.added", place | {"part": part | {"text": ""}}),
            ("response.output_text.delta", place | {"delta": part["text"], "logprobs": []}),
            ("response.output_text.done", place | {"text": part["text"], "logprobs": []}),
            ("response.content_part.done", place | {"part": part}),
        ]
    events += [
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": done}),
    ]
    for number, (kind, members) in enumerate(events):
        event = {"type": kind, "sequence_number": number, **members}
        yield f"event: {kind}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"


def _begun(whole: dict[str, Any]) -> dict[str, Any]:
    conversation, message = whole["conversation_id"], whole["id"].removeprefix("chatcmpl-")
    return {
        "id": f"resp_{conversation.removeprefix('conv_')}_{message}",
        "object": "response",
        "created_at": whole["created"],
        "model": whole["model"],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": False,
        "temperature": None,
        "tool_choice": "auto",
        "tools": [],
        "top_p": None,
        "conversation_id": conversation,
    }


def _item(whole: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    name = whole["id"].removeprefix("chatcmpl-")
    if calls := message.get("tool_calls"):
        function = calls[0]["function"]
        return {
            "id": f"fc_{name}",
            "type": "function_call",
            "status": "completed",
            "call_id": calls[0]["id"],
            **function,
        }
    part = {"type": "output_text", "text": message["content"], "annotations": []}
    return {"id": f"msg_{name}", "type": "message", "status": "completed", "role": "assistant", "content": [part]}
