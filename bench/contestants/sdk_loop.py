"""The yardstick: an agent loop as an engineer writes it by hand on the openai SDK, with nothing around it."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from openai import AsyncOpenAI, OpenAI

from bench.contestants.conversation import KEY, MAX_ROUNDS, MODEL, Conversation

OPTIONS: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}


class SdkLoop:
    """`whole` asks for answers in one piece, `streamed` yields the text as it comes."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._client = OpenAI(api_key=KEY, base_url=conversation.url)

    def whole(self) -> str:
        messages, text = self._opening(), ""
        for _ in range(MAX_ROUNDS):
            answer = self._client.chat.completions.create(model=MODEL, messages=messages, tools=self._tools)
            message = answer.choices[0].message
            text = message.content or ""
            if not message.tool_calls:
                break
            messages.append(message)
            messages += [self._result(call) for call in message.tool_calls]
        return text

    def streamed(self) -> Iterator[str]:
        messages = self._opening()
        for _ in range(MAX_ROUNDS):
            calls: dict[int, dict[str, Any]] = {}
            for chunk in self._client.chat.completions.create(
                model=MODEL, messages=messages, tools=self._tools, **OPTIONS
            ):
                if not chunk.choices:
                    continue
                delta = chunk.choices[0].delta
                if delta.content:
                    yield delta.content
                for piece in delta.tool_calls or ():
                    _add(calls, piece)
            if not calls:
                break
            messages.append({"role": "assistant", "content": None, "tool_calls": list(calls.values())})
            messages += [self._answered(call) for call in calls.values()]

    def at_once(self, turns: int) -> list[str]:
        """Run turns side by side, a thread each over one client."""
        with ThreadPoolExecutor(turns) as threads:
            return list(threads.map(lambda _: self.whole(), range(turns)))

    @property
    def _tools(self) -> Any:
        return self._conversation.tools

    def _opening(self) -> list[Any]:
        return [
            {"role": "system", "content": self._conversation.system},
            {"role": "user", "content": self._conversation.question},
        ]

    def _result(self, call: Any) -> dict[str, Any]:
        content = self._conversation.run(call.function.name, **json.loads(call.function.arguments))
        return {"role": "tool", "tool_call_id": call.id, "content": content}

    def _answered(self, call: dict[str, Any]) -> dict[str, Any]:
        content = self._conversation.run(call["function"]["name"], **json.loads(call["function"]["arguments"]))
        return {"role": "tool", "tool_call_id": call["id"], "content": content}


def _add(calls: dict[int, dict[str, Any]], piece: Any) -> None:
    call = calls.setdefault(
        piece.index, {"id": piece.id, "type": "function", "function": {"name": "", "arguments": ""}}
    )
    if piece.function and piece.function.name:
        call["function"]["name"] += piece.function.name
    if piece.function and piece.function.arguments:
        call["function"]["arguments"] += piece.function.arguments


class AsyncSdkLoop(SdkLoop):
    """`SdkLoop` on the asynchronous client."""

    def __init__(self, conversation: Conversation) -> None:
        super().__init__(conversation)
        self._runner = asyncio.Runner()
        self._async_client = AsyncOpenAI(api_key=KEY, base_url=conversation.url)

    def whole(self) -> str:
        return self._runner.run(self._whole())

    def at_once(self, turns: int) -> list[str]:
        async def all_of_them() -> list[str]:
            return await asyncio.gather(*[self._whole() for _ in range(turns)])

        return self._runner.run(all_of_them())

    async def _whole(self) -> str:
        messages, text = self._opening(), ""
        for _ in range(MAX_ROUNDS):
            answer = await self._async_client.chat.completions.create(model=MODEL, messages=messages, tools=self._tools)
            message = answer.choices[0].message
            text = message.content or ""
            if not message.tool_calls:
                break
            messages.append(message)
            messages += [self._result(call) for call in message.tool_calls]
        return text
