"""A memory queue that records its messages."""

from collections.abc import Mapping
from typing import Any

from aisha.application.memory.ingest import ChunkJson, MemoryMessage
from aisha.domain.errors import UnavailableError


class RecordingWorkQueue:
    """A `WorkQueue` that records the messages of the queue `memory`; it raises while `is_away`."""

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
        return [(item.what, item.id) for message in self.messages for item in message.forget]
