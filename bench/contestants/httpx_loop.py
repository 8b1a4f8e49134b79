"""The minimal loop on httpx and `json`, without any SDK."""

import json
from collections.abc import Iterator
from typing import Any

import httpx

from bench.contestants.conversation import KEY, MAX_ROUNDS, MODEL, Conversation


class HttpxLoop:
    """`whole` asks for answers in one piece, `streamed` yields the text as it comes."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._client = httpx.Client(headers={"Authorization": f"Bearer {KEY}"}, timeout=60)
        self._url = f"{conversation.url}/chat/completions"

    def whole(self) -> str:
        messages, text = self._opening(), ""
        for _ in range(MAX_ROUNDS):
            answer = self._client.post(self._url, json=self._body(messages)).raise_for_status().json()
            message = answer["choices"][0]["message"]
            text = message["content"] or ""
            if not (calls := message.get("tool_calls")):
                break
            messages.append(message)
            messages += [self._result(call) for call in calls]
        return text

    def streamed(self) -> Iterator[str]:
        messages = self._opening()
        for _ in range(MAX_ROUNDS):
            calls: dict[int, dict[str, Any]] = {}
            body = self._body(messages) | {"stream": True, "stream_options": {"include_usage": True}}
            with self._client.stream("POST", self._url, json=body) as response:
                response.raise_for_status()
                for line in response.iter_lines():
                    if not line.startswith("data: ") or line == "data: [DONE]":
                        continue
                    for choice in json.loads(line[6:])["choices"]:
                        if text := choice["delta"].get("content"):
                            yield text
                        for piece in choice["delta"].get("tool_calls") or ():
                            _add(calls, piece)
            if not calls:
                break
            messages.append({"role": "assistant", "content": None, "tool_calls": list(calls.values())})
            messages += [self._result(call) for call in calls.values()]

    def _body(self, messages: list[Any]) -> dict[str, Any]:
        return {"model": MODEL, "messages": messages, "tools": self._conversation.tools}

    def _opening(self) -> list[Any]:
        return [
            {"role": "system", "content": self._conversation.system},
            {"role": "user", "content": self._conversation.question},
        ]

    def _result(self, call: dict[str, Any]) -> dict[str, Any]:
        content = self._conversation.run(call["function"]["name"], **json.loads(call["function"]["arguments"]))
        return {"role": "tool", "tool_call_id": call["id"], "content": content}


def _add(calls: dict[int, dict[str, Any]], piece: dict[str, Any]) -> None:
    if (call := calls.get(piece["index"])) is None:
        calls[piece["index"]] = piece | {"type": "function"}
        return
    call["function"]["arguments"] += piece["function"]["arguments"]
