"""The yardstick: an agent loop as an engineer writes it by hand on the openai SDK, with nothing around it."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from openai import OpenAI

MOST_ROUNDS = 4


class PlainLoop:
    """`functions` are called with the arguments that the model wrote; what they return goes back as JSON."""

    def __init__(
        self, client: OpenAI, model: str, tools: list[dict[str, Any]], functions: Mapping[str, Callable[..., str]]
    ) -> None:
        self._client = client
        self._model = model
        self._tools: Any = tools
        self._functions = functions

    def run(self, system: str, question: str) -> str:
        """The reply to one question."""
        messages: list[Any] = [{"role": "system", "content": system}, {"role": "user", "content": question}]
        text = ""
        for _ in range(MOST_ROUNDS):
            text, calls = self._ask(messages)
            if not calls:
                break
            messages.append({"role": "assistant", "content": text or None, "tool_calls": calls})
            for call in calls:
                function = self._functions[call["function"]["name"]]
                result = function(**json.loads(call["function"]["arguments"]))
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        return text

    def _ask(self, messages: list[Any]) -> tuple[str, list[dict[str, Any]]]:
        stream = self._client.chat.completions.create(
            model=self._model,
            messages=messages,
            tools=self._tools,
            stream=True,
            stream_options={"include_usage": True},
        )
        text = ""
        calls: dict[int, dict[str, Any]] = {}
        for chunk in stream:
            if not chunk.choices:
                continue
            delta = chunk.choices[0].delta
            if delta.content:
                text += delta.content
            for piece in delta.tool_calls or ():
                call = calls.setdefault(
                    piece.index, {"id": piece.id, "type": "function", "function": {"name": "", "arguments": ""}}
                )
                if piece.function and piece.function.name:
                    call["function"]["name"] += piece.function.name
                if piece.function and piece.function.arguments:
                    call["function"]["arguments"] += piece.function.arguments
        return text, list(calls.values())
