"""Messages of memory's queue: they come at least once and in any order, and a repeated one changes nothing."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import batched
from typing import Any, Literal

from pydantic import AwareDatetime, ConfigDict, Field, ValidationError

from aisha.application.memory.retrieval import remember
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, NotFoundError, UnavailableError
from aisha.domain.memory import MemoryChunk
from aisha.domain.ports import Embedder, MemoryStore

_LOGGER = logging.getLogger(__name__)
QUEUE = "memory"
MAX_CHUNKS = 10
"""Chunks in a message, which keep it far below the 256 KiB that SQS takes."""
MAX_MESSAGE_CHUNKS = 50
"""Chunks in a message with deletions, which takes all that they would delete: a turn rarely has more than one."""


class _Strict(DeferredModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ChunkJson(_Strict):
    """A chunk in a message, which has its tenant."""

    id: str
    text: str
    created_at: AwareDatetime
    user: str | None = None
    entity_type: str | None = None
    entity_id: str | None = None
    metadata: dict[str, str] = Field(default_factory=dict)


class Deletion(_Strict):
    """A deletion of one chunk, or of all chunks about a record."""

    what: Literal["chunk", "record"]
    id: str
    entity_type: str | None = None


class MemoryMessage(_Strict):
    """Chunks of one tenant to store and to delete."""

    tenant: str = Field(min_length=1)
    remember: list[ChunkJson] = Field(default_factory=list, max_length=MAX_MESSAGE_CHUNKS)
    forget: list[Deletion] = Field(default_factory=list)


class RetentionMessage(_Strict):
    """The deletion of all tenants' chunks from before a time."""

    forget_before: AwareDatetime


def retention_message(days: int, now: datetime) -> Mapping[str, Any]:
    """Return the message that deletes chunks older than `days`."""
    return RetentionMessage(forget_before=now - timedelta(days=days)).model_dump(mode="json")


def messages(
    tenant: str, chunks: Sequence[MemoryChunk], forget: Sequence[Deletion] = ()
) -> Iterator[Mapping[str, Any]]:
    """Yield the messages that store and delete these chunks; none when there is nothing to do.

    The queue keeps no order between messages, so a deletion travels with all the chunks that it would delete.
    """
    affected = [chunk for chunk in chunks if any(_would_delete(deletion, chunk) for deletion in forget)]
    others = [chunk for chunk in chunks if chunk not in affected]
    if forget:
        yield _message(tenant, affected, forget)
    for batch in batched(others, MAX_CHUNKS):
        yield _message(tenant, batch)


def _would_delete(deletion: Deletion, chunk: MemoryChunk) -> bool:
    if deletion.what == "chunk":
        return chunk.id == deletion.id
    return (chunk.entity_type, chunk.entity_id) == (deletion.entity_type, deletion.id)


def _message(tenant: str, chunks: Sequence[MemoryChunk], forget: Sequence[Deletion] = ()) -> Mapping[str, Any]:
    message = MemoryMessage(
        tenant=tenant, remember=[ChunkJson.from_attributes(chunk) for chunk in chunks], forget=list(forget)
    )
    return message.model_dump(mode="json", exclude_none=True)


def ingest(message: Mapping[str, Any], store: MemoryStore | None, embedder: Embedder | None) -> int:
    """Process a message and return the number of new chunks.

    Raises `InvalidInputError` for a malformed message, and `UnavailableError` when there is no memory or it does not
    answer: the message can be processed again.
    """
    try:
        if "forget_before" in message:
            limit = RetentionMessage.model_validate(message).forget_before
            # The sweep sends this message also where there is no memory.
            _LOGGER.info("%d memories were too old", store.delete_before(limit) if store is not None else 0)
            return 0
        work = MemoryMessage.model_validate(message)
    except ValidationError as error:
        raise InvalidInputError(f"This is no message for memory: {error.error_count()} members do not fit") from None
    chunks = [MemoryChunk(tenant=work.tenant, **dict(chunk)) for chunk in work.remember]
    # Delete first: an activity that was reopened and completed again has the same chunk id in both lists.
    for deletion in work.forget:
        _delete(store, work.tenant, deletion)
    return remember(store, embedder, chunks)


def _delete(store: MemoryStore | None, tenant: str, deletion: Deletion) -> None:
    if store is None:
        raise UnavailableError("Memory is not set up here")
    if deletion.what == "record":
        store.delete_record(tenant, deletion.entity_type or "", deletion.id)
        return
    with suppress(NotFoundError):  # A repeated message finds nothing any more.
        store.delete(tenant, deletion.id)
