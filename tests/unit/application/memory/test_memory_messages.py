"""The messages of memory's queue, which keeps no order between them."""

from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

import pytest

from aisha.adapters.memory.embedded import EmbeddedMemoryStore
from aisha.application.memory.ingest import MAX_CHUNKS, Deletion, ingest, messages
from aisha.domain.errors import NotFoundError
from aisha.domain.memory import MemoryChunk
from tests.fakes.models.words_embedder import WordsEmbedder

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def chunk(number: int, lead: str = "") -> MemoryChunk:
    return MemoryChunk(
        id=f"chunk_{number}",
        tenant="demo",
        text=f"What was done number {number}",
        created_at=NOW,
        entity_type="lead" if lead else None,
        entity_id=lead or None,
    )


def test_in_whatever_order_messages_come_what_was_just_stored_stays(tmp_path: Path) -> None:
    chunks = [chunk(number) for number in range(2 * MAX_CHUNKS)] + [chunk(90, "lead_1"), chunk(91)]
    forget = [Deletion(what="chunk", id="chunk_91"), Deletion(what="record", entity_type="lead", id="lead_1")]
    sent = list(messages("demo", chunks, forget))
    assert len(sent) == 3
    embedder = WordsEmbedder()
    for number, order in enumerate(permutations(sent)):
        store = EmbeddedMemoryStore(tmp_path / str(number), embedder.name, embedder.dimensions)
        for message in order:
            ingest(message, store, embedder)
        for one in chunks:
            assert store.get("demo", one.id).id == one.id


def test_deletions_alone_are_a_message(tmp_path: Path) -> None:
    embedder = WordsEmbedder()
    store = EmbeddedMemoryStore(tmp_path, embedder.name, embedder.dimensions)
    [message] = messages("demo", [chunk(1)])
    ingest(message, store, embedder)
    [message] = messages("demo", [], [Deletion(what="chunk", id="chunk_1")])
    ingest(message, store, embedder)
    with pytest.raises(NotFoundError):
        store.get("demo", "chunk_1")
    assert list(messages("demo", [])) == []
