"""Memory in OpenSearch: complete and partial failures, slow servers, signed requests."""

import math
import socket
from collections.abc import Iterator
from datetime import UTC, datetime

import botocore.session
import pytest

from aisha.adapters.memory import opensearch
from aisha.adapters.memory.opensearch import OpenSearchMemoryStore
from aisha.adapters.memory.opensearch_client import connect
from aisha.adapters.memory.opensearch_index import MemoryIndex, reindex
from aisha.domain.errors import UnavailableError
from aisha.domain.memory import MemoryChunk, MemoryQuery
from tests.fakes.aws.serverless_collection import ServerlessCollection

QUERY = MemoryQuery("anything", limit=50)
CHUNKS = [MemoryChunk(f"mem_{n}", "demo", f"case {n}", datetime(2026, 3, 2, tzinfo=UTC)) for n in range(10)]
VECTORS = [[math.cos(n / 10), math.sin(n / 10)] for n in range(10)]


class Ones:
    """An embedder with the same vector for every text."""

    name, dimensions, threshold = "ones", 2, 0.5

    def embed(self, texts: object) -> list[list[float]]:
        raise UnavailableError("no vectors today")


@pytest.fixture(autouse=True)
def _credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")


@pytest.fixture
def collection() -> Iterator[ServerlessCollection]:
    with ServerlessCollection() as server:
        yield server


@pytest.fixture
def store(collection: ServerlessCollection) -> Iterator[OpenSearchMemoryStore]:
    opensearch = OpenSearchMemoryStore(
        MemoryIndex(connect(collection.url, "aoss", "eu-west-1"), "pairs", 2, service="aoss")
    )
    yield opensearch
    opensearch.close()


def test_refused_chunks_are_stored_by_the_next_call_and_none_twice(
    collection: ServerlessCollection, store: OpenSearchMemoryStore
) -> None:
    collection.refuse = lambda document: 429 if document["id"] in ("mem_3", "mem_7") else None
    with pytest.raises(UnavailableError) as caught:
        store.add(CHUNKS, VECTORS)
    assert caught.value.detail == {"failed": 2, "statuses": [429]}
    assert len(store.search("demo", VECTORS[0], QUERY)) == 8
    collection.refuse = lambda _: None
    assert store.add(CHUNKS, VECTORS) == 2
    assert [hit.chunk for hit in store.search("demo", VECTORS[0], QUERY)] == CHUNKS


def test_a_chunk_that_was_stored_twice_at_once_is_found_once(
    collection: ServerlessCollection, store: OpenSearchMemoryStore
) -> None:
    store.add(CHUNKS, VECTORS)
    documents = next(iter(collection.indexes.values()))["documents"]
    documents |= {f"again_{key}": {**document, "key": f"again_{key}"} for key, document in documents.items()}
    assert [hit.chunk for hit in store.search("demo", VECTORS[0], QUERY)] == CHUNKS
    assert store.delete_tenant("demo") == 20
    assert store.search("demo", VECTORS[0], QUERY) == []


def test_a_search_does_not_wait_for_a_silent_server(
    collection: ServerlessCollection, store: OpenSearchMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add(CHUNKS, VECTORS)
    monkeypatch.setattr(opensearch, "SEARCH_SECONDS", 0.05)
    collection.hangs = True
    with pytest.raises(UnavailableError, match="too long"):
        store.search("demo", VECTORS[0], QUERY)


def test_a_server_that_does_not_exist_is_unavailable() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        client = connect(f"http://127.0.0.1:{held.getsockname()[1]}", "none", "eu-west-1")
        store = OpenSearchMemoryStore(MemoryIndex(client, "pairs", 2))
        with pytest.raises(UnavailableError, match="does not answer"):
            store.search("demo", VECTORS[0], QUERY)
        with pytest.raises(UnavailableError, match="does not answer"):
            store.delete_user("demo", "alice")
    store.close()


@pytest.mark.parametrize("service", ["none", "es"])
def test_a_collection_refuses_a_signature_for_another_service(collection: ServerlessCollection, service: str) -> None:
    client = connect(collection.url, "es" if service == "es" else "none", "eu-west-1")
    with pytest.raises(UnavailableError) as caught:
        OpenSearchMemoryStore(MemoryIndex(client, "pairs", 2, service="aoss")).add(CHUNKS, VECTORS)
    assert caught.value.detail == {"status": 403}
    signed = collection.requests[0][2].get("authorization", "")
    assert ("/eu-west-1/es/aws4_request" in signed) == (service == "es")
    client.close()


def test_without_credentials_nothing_can_be_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(botocore.session.Session, "get_credentials", lambda _: None)
    with pytest.raises(UnavailableError, match="credentials"):
        connect("https://memory.example", "es", "eu-west-1")


def test_a_reindex_that_breaks_off_leaves_the_old_version(
    collection: ServerlessCollection, store: OpenSearchMemoryStore
) -> None:
    store.add(CHUNKS, VECTORS)
    client = connect(collection.url, "aoss", "eu-west-1")
    for _ in range(2):
        with pytest.raises(UnavailableError, match="no vectors today"):
            reindex(client, Ones(), service="aoss")
        assert len(store.search("demo", VECTORS[0], QUERY)) == 10
    client.close()
    assert sorted(collection.indexes) == ["aisha-memory-v000001", "aisha-memory-v000002"]
