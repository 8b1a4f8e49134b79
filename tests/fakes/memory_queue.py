"""Memory's queue as a list."""

from collections.abc import Mapping
from typing import Any

from aisha.application.memory.ingest import ChunkJson, MemoryMessage
from aisha.domain.errors import UnavailableError


class Sent:
    """`WorkQueue` that keeps what it is given, or does not answer."""

    def __init__(self, *, is_away: bool = False) -> None:
        self.messages: list[MemoryMessage] = []
        self.is_away = is_away

    def send(self, queue: str, message: Mapping[str, Any]) -> None:
        if self.is_away:
            raise UnavailableError("The queue does not answer")
        assert queue == "memory"
        self.messages.append(MemoryMessage.model_validate(message))

    @property
    def chunks(self) -> list[ChunkJson]:
        return [chunk for message in self.messages for chunk in message.remember]

    @property
    def texts(self) -> list[str]:
        return [chunk.text for chunk in self.chunks]

    @property
    def forgotten(self) -> list[tuple[str, str]]:
        return [(one.what, one.id) for message in self.messages for one in message.forget]
