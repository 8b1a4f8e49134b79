"""Contract of `MemoryStore`: embedded, and OpenSearch's against a fake serverless collection and a real server.

The tests against the server run where `AISHA_TEST_OPENSEARCH_ENDPOINT` is set.
"""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from msgspec.structs import replace

from aisha.adapters.memory.embedded import EmbeddedMemoryStore, reembed
from aisha.adapters.memory.opensearch import OpenSearchMemoryStore
from aisha.adapters.memory.opensearch_client import connect
from aisha.adapters.memory.opensearch_index import MemoryIndex, reindex
from aisha.domain.errors import InvalidInputError, NotFoundError, UnavailableError
from aisha.domain.memory import MemoryChunk, MemoryQuery
from aisha.domain.ports import Embedder, MemoryStore
from tests.fakes.aws.serverless_collection import ServerlessCollection

ENDPOINT = os.environ.get("AISHA_TEST_OPENSEARCH_ENDPOINT", "")
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SPACE, DIMENSIONS = "angles", 3
QUERY = MemoryQuery("anything")


def at(degrees: float) -> list[float]:
    """Return a vector of this angle to `at(0)`, so that their cosine is known."""
    return [math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0.0]


def chunk(text: str, tenant: str = "demo", **fields: Any) -> MemoryChunk:
    return replace(MemoryChunk(f"mem_{text.replace(' ', '_')}", tenant, text, NOW, "alice", "lead", "lead_1"), **fields)


class Angles:
    """An embedder for texts that end with an angle."""

    threshold = 0.5

    def __init__(self, name: str = SPACE, dimensions: int = DIMENSIONS) -> None:
        self.name, self.dimensions = name, dimensions
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        return [[*at(float(text.split()[-1])), *[0.0] * (self.dimensions - 3)] for text in texts]


@dataclass
class Place:
    """A place for memories: `open` returns a store there as another process would, `renew` embeds all of it anew."""

    open: Callable[[str, int], MemoryStore]
    renew: Callable[[Embedder], int]


@contextmanager
def _embedded(folder: Path) -> Iterator[Place]:
    stores: list[EmbeddedMemoryStore] = []

    def open_store(space: str, dimensions: int) -> MemoryStore:
        stores.append(EmbeddedMemoryStore(folder, space, dimensions))
        return stores[-1]

    yield Place(open_store, lambda embedder: reembed(folder, embedder))
    for store in stores:
        store.close()


@contextmanager
def _opensearch(_: Path) -> Iterator[Place]:
    client, alias = connect(ENDPOINT, "none", "us-east-1"), f"memory-test-{uuid4().hex[:12]}"

    def open_store(space: str, dimensions: int) -> MemoryStore:
        return OpenSearchMemoryStore(MemoryIndex(client, space, dimensions, alias=alias))

    yield Place(open_store, lambda embedder: reindex(client, embedder, alias=alias))
    client.indices.delete(index=f"{alias}-v*")
    if client.indices.exists_index_template(name=alias):
        client.indices.delete_index_template(name=alias)
    client.close()


@contextmanager
def _serverless(_: Path) -> Iterator[Place]:
    with pytest.MonkeyPatch.context() as patch, ServerlessCollection() as collection:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "testing")
        client = connect(collection.url, "aoss", "us-east-1")

        def open_store(space: str, dimensions: int) -> MemoryStore:
            return OpenSearchMemoryStore(MemoryIndex(client, space, dimensions, service="aoss"))

        yield Place(open_store, lambda embedder: reindex(client, embedder, service="aoss"))
        client.close()


PLACES = {"embedded": _embedded, "opensearch": _opensearch, "serverless": _serverless}
KEEPING_IDS = ["embedded", *([pytest.param("opensearch", marks=pytest.mark.real)] if ENDPOINT else [])]
"""Stores that take ids; a serverless collection makes its own."""


@pytest.fixture(params=[*KEEPING_IDS, "serverless"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    with PLACES[request.param](tmp_path) as opened:
        yield opened


@pytest.fixture
def store(place: Place) -> MemoryStore:
    return place.open(SPACE, DIMENSIONS)


def add(store: MemoryStore, *chunks: MemoryChunk) -> int:
    return store.add(chunks, Angles().embed([one.text for one in chunks]))


def search(store: MemoryStore, query: MemoryQuery = QUERY, tenant: str = "demo") -> list[str]:
    return [hit.chunk.text for hit in store.search(tenant, at(0), query)]


def test_the_nearest_come_first_with_their_cosines(store: MemoryStore) -> None:
    add(store, chunk("far 80"), chunk("near 10"), chunk("opposite 180"), chunk("middle 60"))
    hits = store.search("demo", at(0), QUERY)
    assert [hit.chunk.text for hit in hits] == ["near 10", "middle 60", "far 80", "opposite 180"]
    assert [hit.score for hit in hits] == pytest.approx([0.98481, 0.5, 0.17365, -1.0], abs=1e-4)


def test_what_was_stored_comes_back_whole(store: MemoryStore) -> None:
    berlin = timezone(timedelta(hours=1))
    metadata = {"entity_type": "lead", "entity_id": "lead_9", "action": "update_lead", "outcome": "won"}
    full = chunk(
        "Größe „XL“ 🎉 5",
        entity_id="lead_9",
        metadata=metadata,
        created_at=datetime(2026, 3, 2, 10, 15, 30, 123456, berlin),
    )
    bare = MemoryChunk("mem_bare", "demo", "bare 50", NOW)
    add(store, full, bare)
    assert [hit.chunk for hit in store.search("demo", at(0), QUERY)] == [full, bare]
    assert store.get("demo", full.id) == full


def test_memory_that_was_never_written_is_empty(store: MemoryStore) -> None:
    assert search(store) == []
    assert store.delete_tenant("demo") == 0
    with pytest.raises(NotFoundError, match="mem_1"):
        store.get("demo", "mem_1")
    assert add(store, chunk("first 1")) == 1


def test_the_same_content_is_one_memory_of_a_tenant(store: MemoryStore) -> None:
    first = chunk("same 10")
    again = replace(first, id="mem_other", created_at=NOW + timedelta(days=1))
    assert add(store, first, again) == 1
    assert add(store, again, chunk("new 20")) == 1
    assert add(store, replace(first, tenant="other")) == 1
    others = [
        replace(first, id="mem_bobs", user="bob"),
        replace(first, id="mem_lead_2", entity_id="lead_2"),
        replace(first, id="mem_won", metadata={"outcome": "won"}),
    ]
    assert add(store, *others) == 3
    assert search(store, MemoryQuery("anything", user="alice", entity_id="lead_1", limit=50)).count("same 10") == 2
    assert search(store, tenant="other") == ["same 10"]
    assert store.get("demo", first.id).created_at == NOW


def test_what_was_corrected_takes_the_place_of_what_it_corrects(store: MemoryStore) -> None:
    first = chunk("wants a boat 10", id="mem_note")
    later = replace(first, text="wants a coat 20", created_at=NOW + timedelta(minutes=1))
    add(store, first, chunk("another 30"), replace(first, tenant="other"))
    assert add(store, later) == 1
    assert search(store) == ["wants a coat 20", "another 30"]
    assert add(store, first, later) == 0, "an old message that comes again corrects nothing"
    assert search(store) == ["wants a coat 20", "another 30"]
    assert store.get("demo", "mem_note") == later
    assert search(store, tenant="other") == ["wants a boat 10"]
    assert add(store, replace(first, created_at=NOW + timedelta(minutes=2))) == 1
    assert search(store) == ["wants a boat 10", "another 30"]


def test_of_two_with_one_id_in_one_call_the_newer_stays(store: MemoryStore) -> None:
    first = chunk("wants a boat 10", id="mem_note")
    later = replace(first, text="wants a coat 20", created_at=NOW + timedelta(minutes=1))
    add(store, later, first)
    assert search(store) == ["wants a coat 20"]


@pytest.mark.parametrize("place", KEEPING_IDS, indirect=True)
def test_two_who_add_the_same_at_once_add_it_once(store: MemoryStore) -> None:
    """Without the serverless collection, which takes no ids: it stores simultaneous copies twice, and finds one."""
    chunks = [chunk(f"case {degrees}") for degrees in range(30)]
    with ThreadPoolExecutor(6) as pool:
        added = list(pool.map(lambda _: add(store, *chunks), range(6)))
    assert sum(added) == 30
    assert len(search(store, MemoryQuery("anything", limit=50))) == 30


def test_nothing_of_another_tenant_is_found_got_or_deleted(store: MemoryStore) -> None:
    theirs = chunk("theirs 0", tenant="other")
    add(store, theirs, chunk("ours 40"))
    assert search(store) == ["ours 40"]
    with pytest.raises(NotFoundError):
        store.get("demo", theirs.id)
    with pytest.raises(NotFoundError):
        store.delete("demo", theirs.id)
    assert store.delete_record("demo", "lead", "lead_1") == 1
    assert store.delete_user("demo", "alice") == 0
    assert search(store, tenant="other") == ["theirs 0"]


def test_a_rare_type_fills_the_limit_behind_many_nearer_neighbours(store: MemoryStore) -> None:
    crowd = [chunk(f"case {degrees / 10}", entity_id=f"lead_{degrees}") for degrees in range(300)]
    rare = [chunk(f"rare {degrees}", entity_type="account", entity_id="acc_1") for degrees in (40, 50, 60)]
    add(store, *crowd, *rare, *[replace(one, tenant="other") for one in crowd])
    assert search(store, MemoryQuery("anything", entity_type="account")) == ["rare 40", "rare 50", "rare 60"]


def test_filters_hold_together(store: MemoryStore) -> None:
    add(
        store,
        chunk("mine 1"),
        chunk("bobs 2", user="bob"),
        chunk("another 3", entity_id="lead_2"),
        chunk("account 4", entity_type="account"),
        chunk("nobodys 5", user=None),
    )
    assert search(store, MemoryQuery("x", entity_type="lead", entity_id="lead_1", user="alice")) == ["mine 1"]
    assert search(store, MemoryQuery("x", entity_type="lead", user="bob")) == ["bobs 2"]
    assert search(store, MemoryQuery("x", entity_id="lead_2")) == ["another 3"]
    assert search(store, MemoryQuery("x", entity_type="note")) == []


def test_limit_and_threshold(store: MemoryStore) -> None:
    add(store, *[chunk(f"case {degrees}") for degrees in range(0, 180, 10)])
    assert search(store) == ["case 0", "case 10", "case 20", "case 30", "case 40"]
    assert search(store, MemoryQuery("x", limit=2)) == ["case 0", "case 10"]
    assert search(store, MemoryQuery("x", threshold=0.9, limit=50)) == ["case 0", "case 10", "case 20"]
    assert search(store, MemoryQuery("x", threshold=-0.2, limit=50))[-1] == "case 100"


def test_shared_words_decide_between_near_neighbours(store: MemoryStore) -> None:
    texts = [f"Called about prices {degrees}" for degrees in range(1, 8)]
    add(store, *[chunk(text) for text in texts], chunk("Sent the Hamburg proposals 8"), chunk("Hamburg proposal 89"))
    query = MemoryQuery("proposal for Hamburg", threshold=0.5, limit=1)
    assert search(store, query) == ["Sent the Hamburg proposals 8"]
    assert "Hamburg proposal 89" not in search(store, replace(query, limit=50))


def test_a_record_a_user_and_a_tenant_can_be_forgotten(store: MemoryStore) -> None:
    add(
        store,
        chunk("one 1"),
        chunk("two 2", user="bob"),
        chunk("three 3", entity_id="lead_2"),
        chunk("four 4", entity_id="lead_2", user="bob"),
        chunk("five 5", entity_type="contact", user=None),
        chunk("theirs 6", tenant="other"),
    )
    assert search(store) == ["one 1", "two 2", "three 3", "four 4", "five 5"]
    assert store.delete_record("demo", "lead", "lead_1") == 2
    assert search(store) == ["three 3", "four 4", "five 5"]
    assert store.delete_user("demo", "bob") == 1
    assert search(store) == ["three 3", "five 5"]
    assert store.delete_tenant("demo") == 2
    assert search(store) == []
    assert search(store, tenant="other") == ["theirs 6"]


def test_what_is_older_than_an_instant_is_forgotten_in_every_tenant(store: MemoryStore) -> None:
    moscow = timezone(timedelta(hours=3))
    add(
        store,
        chunk("older 1", created_at=NOW - timedelta(seconds=1)),
        chunk("theirs 2", tenant="other", created_at=NOW - timedelta(days=3)),
        # 2026-03-02 11:59 there is 08:59 UTC: before, though its text sorts behind.
        chunk("elsewhere 3", created_at=(NOW - timedelta(minutes=1)).astimezone(moscow)),
        chunk("exactly 4"),
        chunk("later 5", created_at=(NOW + timedelta(minutes=1)).astimezone(timezone(-timedelta(hours=8)))),
    )
    assert len(search(store)) == 4
    assert store.delete_before(NOW.astimezone(moscow)) == 3
    assert search(store) == ["exactly 4", "later 5"]
    assert search(store, tenant="other") == []
    assert store.delete_before(NOW) == 0


def test_what_was_forgotten_can_be_remembered_again(store: MemoryStore) -> None:
    add(store, chunk("one 1"), chunk("two 2"))
    store.delete("demo", "mem_one_1")
    with pytest.raises(NotFoundError):
        store.delete("demo", "mem_one_1")
    assert search(store) == ["two 2"]
    assert add(store, chunk("one 1")) == 1
    assert search(store) == ["one 1", "two 2"]


def test_an_id_that_looks_like_a_number_is_only_an_id(store: MemoryStore) -> None:
    add(store, chunk("one 1"), chunk("two 2", id="1"))
    assert store.get("demo", "1").text == "two 2"
    with pytest.raises(NotFoundError):
        store.get("demo", "2")


@pytest.mark.parametrize("vectors", [[], [[1.0, 0.0]], [at(0), at(0)], [[0.0, 0.0, 0.0]], [[math.nan, 0.0, 0.0]]])
def test_vectors_that_do_not_fit_are_refused(store: MemoryStore, vectors: list[list[float]]) -> None:
    with pytest.raises(InvalidInputError):
        store.add([chunk("one 1")], vectors)
    assert search(store) == []


def test_a_vectors_length_says_nothing(store: MemoryStore) -> None:
    store.add([chunk("long 0")], [[250.0, 0.0, 0.0]])
    assert store.search("demo", [0.001, 0.0, 0.0], QUERY)[0].score == pytest.approx(1.0)


def test_another_process_sees_what_this_one_does(place: Place, store: MemoryStore) -> None:
    add(store, chunk("one 1"))
    other = place.open(SPACE, DIMENSIONS)
    assert search(other) == ["one 1"]
    add(store, chunk("two 2"))
    assert search(other) == ["one 1", "two 2"]
    other.delete_record("demo", "lead", "lead_1")
    assert search(store) == []


def test_another_embedders_vectors_are_not_compared_but_made_anew(place: Place, store: MemoryStore) -> None:
    chunks = [chunk(f"case {degrees}", entity_id=f"lead_{degrees}") for degrees in range(0, 90)]
    add(store, *chunks)
    newer = Angles("wider angles", 5)
    opened = place.open(newer.name, newer.dimensions)
    with pytest.raises(UnavailableError, match="angles"):
        opened.search("demo", [*at(0), 0.0, 0.0], QUERY)
    with pytest.raises(UnavailableError, match="angles"):
        opened.add([chunk("new 1")], [[*at(1), 0.0, 0.0]])
    assert place.renew(newer) == 90
    assert sorted(newer.asked) == sorted(one.text for one in chunks)
    hits = place.open(newer.name, newer.dimensions).search("demo", [*at(0), 0.0, 0.0], QUERY)
    assert [hit.chunk for hit in hits] == chunks[:5]
