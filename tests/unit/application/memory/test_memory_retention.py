"""Retention of memory: the daily sweep deletes older chunks of every tenant."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from aisha.adapters.memory.embedded import EmbeddedMemoryStore
from aisha.adapters.queue.in_process import InProcessWorkQueue
from aisha.application.memory.ingest import ingest
from aisha.application.sweep import SweepDependencies, dispatch
from aisha.domain.errors import InvalidInputError, UnavailableError
from aisha.domain.memory import MemoryChunk, MemoryQuery
from aisha.settings import read_settings
from tests.fakes.models.words_embedder import WordsEmbedder
from tests.fakes.stores.in_memory import FixedClock, in_memory_ports

CLOCK = FixedClock()
EMBEDDER = WordsEmbedder()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedMemoryStore]:
    memory = EmbeddedMemoryStore(tmp_path, EMBEDDER.name, EMBEDDER.dimensions)
    for tenant in ("demo", "never-swept"):
        for days in (1, 29, 31, 4000):
            old = MemoryChunk(f"mem_{days}", tenant, f"called {days} days ago", CLOCK.now() - timedelta(days=days))
            memory.add([old], EMBEDDER.embed([old.text]))
    yield memory
    memory.close()


def stored_ids(store: EmbeddedMemoryStore, tenant: str) -> list[str]:
    query = MemoryQuery("called days ago", threshold=-1)
    (vector,) = EMBEDDER.embed([query.text])
    return sorted(hit.chunk.id for hit in store.search(tenant, vector, query))


def sweep(store: EmbeddedMemoryStore | None, days: int, task: str = "sweep") -> list[Any]:
    """Run a dispatch without tenants and return the messages that failed in all attempts."""
    queue = InProcessWorkQueue({"memory": lambda message: ingest(message, store, EMBEDDER), "sweep": lambda _: None})
    dispatch(task, SweepDependencies(in_memory_ports(CLOCK), queue, memory_days=days))
    queue.finish()
    return list(queue.dead)


def test_the_daily_sweep_deletes_what_is_older_in_every_tenant(store: EmbeddedMemoryStore) -> None:
    for _ in range(2):
        assert sweep(store, 30) == []
        for tenant in ("demo", "never-swept"):
            assert stored_ids(store, tenant) == ["mem_1", "mem_29"]


def test_by_default_two_years_are_kept_and_with_0_all(store: EmbeddedMemoryStore) -> None:
    assert sweep(store, 0) == []
    assert "mem_4000" in stored_ids(store, "demo")
    sweep(store, read_settings({}).memory_days)
    assert stored_ids(store, "demo") == ["mem_1", "mem_29", "mem_31"]


def test_sending_what_is_due_deletes_nothing(store: EmbeddedMemoryStore) -> None:
    sweep(store, 30, "deliver")
    assert "mem_4000" in stored_ids(store, "demo")


def test_where_there_is_no_memory_the_message_is_done_all_the_same() -> None:
    assert sweep(None, 30) == []


def test_tenants_are_swept_although_the_queue_of_memory_does_not_answer() -> None:
    sent: list[str] = []

    class Away:
        def send(self, queue: str, message: Mapping[str, Any]) -> None:
            if queue == "memory":
                raise UnavailableError("The queue does not answer")
            sent.append(message["tenant"])

    assert dispatch("sweep", SweepDependencies(in_memory_ports(CLOCK), Away(), memory_days=30), ["demo"]) == ["demo"]
    assert set(sent) == {"demo"}


@pytest.mark.parametrize("message", [{"forget_before": "yesterday"}, {"forget_before": "2026-03-02T09:00:00"}])
def test_an_invalid_time_or_one_without_zone_deletes_nothing(store: EmbeddedMemoryStore, message: Any) -> None:
    with pytest.raises(InvalidInputError):
        ingest(message, store, EMBEDDER)
    assert len(stored_ids(store, "demo")) == 4
