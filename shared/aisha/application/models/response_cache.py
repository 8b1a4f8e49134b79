"""Cache of models' answers: the same prompt, asked again by the same user, costs nothing (N-123).

One entry is one model call, not a turn. The tools run anew each time, so records are never out of date, and a call
whose tools returned something else has another prompt. Off by default.
"""

import hashlib
import json
from collections.abc import Callable, Generator
from threading import Lock
from time import monotonic

from cachetools import TTLCache
from msgspec import Struct
from msgspec.structs import replace

from aisha.application.models.completion import closing_events
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk, Usage
from aisha.domain.ports import ChatModel

MAX_ANSWERS = 500


class Answer(Struct, frozen=True):
    text: str
    finished: ModelFinished


class ResponseCache:
    """Answers by key, each for `seconds`, in this process. When it is full, the least recently used one is removed."""

    def __init__(self, seconds: float, *, clock: Callable[[], float] = monotonic) -> None:
        self._answers: TTLCache[str, Answer] = TTLCache(MAX_ANSWERS, seconds, timer=clock)
        # `TTLCache` is not safe for threads.
        self._lock = Lock()

    def get(self, key: str) -> Answer | None:
        with self._lock:
            return self._answers.get(key)

    def put(self, key: str, answer: Answer) -> None:
        with self._lock:
            self._answers[key] = answer


class CachedModel:
    """A `ChatModel` that asks `model` only for what the cache has no answer to.

    `name` is the model's, as in `openai:gpt-5-mini`. A cached answer has no tokens and no cost. An answer that calls a
    tool that writes is not cached.
    """

    def __init__(self, name: str, model: ChatModel, cache: ResponseCache) -> None:
        self._name, self._model, self._cache = name, model, cache

    def stream(self, request: ModelRequest) -> Generator[ModelEvent]:
        """Yield the events of `model`; the text of a cached answer comes in one piece."""
        key = f"{self._name}:{_prompt_hash(request)}"
        if answer := self._cache.get(key):
            if answer.text:
                yield TextChunk(answer.text)
            yield answer.finished
            return
        texts = []
        for event in closing_events(self._model.stream(request)):
            if isinstance(event, TextChunk):
                texts.append(event.text)
            elif not _writes(request, event):
                self._cache.put(key, Answer("".join(texts), replace(event, usage=Usage(), request_id=None)))
            yield event


def _writes(request: ModelRequest, finished: ModelFinished) -> bool:
    """Return whether a call is of a tool that may write, or of one that was not offered."""
    reads = {spec.name for spec in request.tools if spec.access == "read"}
    return any(call.name not in reads for call in finished.tool_calls)


def _prompt_hash(request: ModelRequest) -> str:
    """Return a hash of all that the answer depends on, for one user.

    The prompt's time of day counts by its hour, or no prompt would be the same a minute later.
    """
    caller = request.caller
    minute, hour = f"{caller.now:%H:%M}", f"{caller.now:%H}"
    key_parts = [
        [caller.principal.tenant, caller.principal.user, caller.now.date().isoformat()],
        [
            [
                message.role,
                message.content.replace(minute, hour) if message.role == "system" else message.content,
                [[call.id, call.name, call.arguments] for call in message.tool_calls],
                message.tool_call_id,
            ]
            for message in request.messages
        ],
        [spec.name for spec in request.tools],
        [request.temperature, request.json_mode, request.max_tokens],
    ]
    return hashlib.sha256(json.dumps(key_parts).encode()).hexdigest()
