"""What goes to memory, as messages of a queue: at least once, in any order, and the same again changes nothing."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import batched
from typing import Any, Literal

from pydantic import AwareDatetime, ConfigDict, Field, ValidationError

from aisha.application.memory.retrieval import remember
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, NotFoundError, UnavailableError
from aisha.domain.memory import MemoryChunk
from aisha.domain.ports import Embedder, MemoryStore

_log = logging.getLogger(__name__)
QUEUE = "memory"
"""The queue's name."""
MOST_CHUNKS = 10
"""Of one message, so that it stays far below the 256 KiB that a queue takes."""


class _Strict(DeferredModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ChunkJson(_Strict):
    """A chunk without its tenant, which is the message's."""

    id: str
    text: str
    created_at: AwareDatetime
    user: str | None = None
    entity_type: str | None = None
    entity_id: str | None = None
    metadata: dict[str, str] = Field(default_factory=dict)


class Forgotten(_Strict):
    """What is to be forgotten: one chunk, or all about a record."""

    what: Literal["chunk", "record"]
    id: str
    entity_type: str | None = None


class MemoryMessage(_Strict):
    """Chunks to keep, and what to forget, of one tenant."""

    tenant: str = Field(min_length=1)
    remember: list[ChunkJson] = Field(default_factory=list, max_length=MOST_CHUNKS)
    forget: list[Forgotten] = Field(default_factory=list)


class RetentionMessage(_Strict):
    """What is older than this is to be forgotten, whoever's it is."""

    forget_before: AwareDatetime


def retention_message(days: int, now: datetime) -> Mapping[str, Any]:
    """What to send to the queue so that memories are kept for so many days."""
    return RetentionMessage(forget_before=now - timedelta(days=days)).model_dump(mode="json")


def messages(
    tenant: str, chunks: Sequence[MemoryChunk], forget: Sequence[Forgotten] = ()
) -> Iterator[Mapping[str, Any]]:
    """What to send to the queue; nothing when there is nothing to do."""
    batches = [[_json(chunk) for chunk in batch] for batch in batched(chunks, MOST_CHUNKS)]
    if not batches and forget:
        batches = [[]]
    for place, batch in enumerate(batches):
        message = MemoryMessage(tenant=tenant, remember=batch, forget=list(forget) if place == 0 else [])
        yield message.model_dump(mode="json", exclude_none=True)


def ingest(message: Mapping[str, Any], store: MemoryStore | None, embedder: Embedder | None) -> int:
    """Does what a message asks for; returns how many chunks were new.

    Raises `InvalidInputError` for what is no such message, `UnavailableError` when there is no memory or it does not
    answer: the same message can be done again.
    """
    try:
        if "forget_before" in message:
            too_old = RetentionMessage.model_validate(message).forget_before
            # Where there is no memory there is none that is too old.
            _log.info("%d memories were too old", store.delete_before(too_old) if store is not None else 0)
            return 0
        work = MemoryMessage.model_validate(message)
    except ValidationError as error:
        raise InvalidInputError(f"This is no message for memory: {error.error_count()} members do not fit") from None
    chunks = [MemoryChunk(tenant=work.tenant, **dict(chunk)) for chunk in work.remember]
    # What a turn leaves is newer than what it outdates: an activity may have been reopened and completed anew.
    for one in work.forget:
        _forget(store, work.tenant, one)
    return remember(store, embedder, chunks)


def _forget(store: MemoryStore | None, tenant: str, one: Forgotten) -> None:
    if store is None:
        raise UnavailableError("Memory is not set up here")
    if one.what == "record":
        store.delete_record(tenant, one.entity_type or "", one.id)
        return
    try:
        store.delete(tenant, one.id)
    except NotFoundError:
        return  # It was forgotten before, or never kept.


def _json(chunk: MemoryChunk) -> ChunkJson:
    created: datetime = chunk.created_at
    return ChunkJson(
        id=chunk.id, text=chunk.text, created_at=created, user=chunk.user, entity_type=chunk.entity_type,
        entity_id=chunk.entity_id, metadata=dict(chunk.metadata),
    )  # fmt: skip
