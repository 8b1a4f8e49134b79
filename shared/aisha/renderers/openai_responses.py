"""A turn in the shape of OpenAI's Responses API, whole and as its stream of typed events."""

import json
from collections.abc import Iterator
from typing import Any


def response(completion: dict[str, Any]) -> dict[str, Any]:
    """Return a chat completion of ours as a response."""
    (choice,) = completion["choices"]
    usage = completion["usage"]
    return _begun(completion) | {
        "status": "completed",
        "output": [_item(completion, choice["message"])],
        "usage": {
            "input_tokens": usage["prompt_tokens"],
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": usage["completion_tokens"],
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": usage["total_tokens"],
        },
    }


def response_stream(completion: dict[str, Any]) -> Iterator[str]:
    """Yield the typed events of a response whose text comes in one piece."""
    finished = response(completion)
    begun, (item,) = _begun(completion) | {"status": "in_progress", "output": []}, finished["output"]
    place = {"output_index": 0, "item_id": item["id"]}
    # The order is OpenAI's: an item is added, filled and done before the response is completed.
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
        ("response.completed", {"response": finished}),
    ]
    for number, (kind, members) in enumerate(events):
        event = {"type": kind, "sequence_number": number, **members}
        yield f"event: {kind}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"


def _begun(completion: dict[str, Any]) -> dict[str, Any]:
    # The id holds the conversation, which `previous_response_id` alone then continues.
    conversation, message = completion["conversation_id"], completion["id"].removeprefix("chatcmpl-")
    return {
        "id": f"resp_{conversation.removeprefix('conv_')}_{message}",
        "object": "response",
        "created_at": completion["created"],
        "model": completion["model"],
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


def _item(completion: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    name = completion["id"].removeprefix("chatcmpl-")
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
