"""Answers of models kept for a while: the same prompt, asked again by the same user, costs nothing (N-123).

What is kept is one model call, not a turn: its tools run anew each time, so records are never older than they are, and
a call whose tools found something else is another prompt. Off by default.
"""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.models.model_events import closing_events
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk, Usage
from aisha.domain.ports import ChatModel

MOST = 500
"""Answers kept; the one that was not asked for longest goes first."""


class Answer(Struct, frozen=True):
    text: str
    finished: ModelFinished


class ResponseCache:
    """Answers by key, each for `seconds`, in this process."""

    def __init__(self, seconds: float, *, clock: Callable[[], float] = monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._kept: OrderedDict[str, tuple[float, Answer]] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: str) -> Answer | None:
        with self._lock:
            until, answer = self._kept.get(key, (0.0, None))
            if answer is None or self._clock() >= until:
                return None
            self._kept.move_to_end(key)
            return answer

    def keep(self, key: str, answer: Answer) -> None:
        with self._lock:
            self._kept[key] = self._clock() + self._seconds, answer
            self._kept.move_to_end(key)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)


class CachedModel:
    """`model`, called `name` as in `openai:gpt-5-mini`, asked only for what was not answered lately.

    A kept answer has no tokens and no cost. One that calls a tool that writes is not kept.
    """

    def __init__(self, name: str, model: ChatModel, cache: ResponseCache) -> None:
        self._name, self._model, self._cache = name, model, cache

    def stream(self, request: ModelRequest) -> Generator[ModelEvent]:
        """As `model`; a kept answer's text comes in one piece."""
        key = f"{self._name}:{_prompt_hash(request)}"
        if known := self._cache.find(key):
            if known.text:
                yield TextChunk(known.text)
            yield known.finished
            return
        texts = []
        for event in closing_events(self._model.stream(request)):
            if isinstance(event, TextChunk):
                texts.append(event.text)
            elif not _writes(request, event):
                self._cache.keep(key, Answer("".join(texts), replace(event, usage=Usage(), request_id=None)))
            yield event


def _writes(request: ModelRequest, finished: ModelFinished) -> bool:
    """Whether a call is of a tool that may write, or of one that was not offered."""
    reads = {spec.name for spec in request.tools if spec.access == "read"}
    return any(call.name not in reads for call in finished.tool_calls)


def _prompt_hash(request: ModelRequest) -> str:
    """Of all that the answer depends on, for one user; the prompt's minute counts as its hour."""
    scene = request.scene
    minute, hour = f"{scene.now:%H:%M}", f"{scene.now:%H}"
    asked = [
        [scene.principal.tenant, scene.principal.user, scene.now.date().isoformat()],
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
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()
