"""Storage and search of chunks: thresholds, validation, and memory that is not set up."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from aisha.adapters.memory.embedded import EmbeddedMemoryStore
from aisha.application.memory.retrieval import fuse, recall, remember
from aisha.bootstrap import Services
from aisha.domain.errors import InvalidInputError, UnavailableError
from aisha.domain.memory import MemoryChunk, MemoryQuery
from aisha.settings import read_settings
from tests.fakes.models.words_embedder import ThreeWordsEmbedder

NOW = datetime(2026, 3, 2, tzinfo=UTC)
LOCAL = {"AISHA_MEMORY": "embedded", "AISHA_EMBEDDER": "minilm"}


def chunk(text: str, **fields: Any) -> MemoryChunk:
    return MemoryChunk(f"mem_{text}", "demo", text, NOW, **fields)


@pytest.fixture
def store(tmp_path: Path) -> Any:
    memory = EmbeddedMemoryStore(tmp_path, ThreeWordsEmbedder.name, ThreeWordsEmbedder.dimensions)
    yield memory
    memory.close()


def texts(hits: Sequence[Any]) -> list[str]:
    return [hit.chunk.text for hit in hits]


def test_recall_takes_the_embedders_threshold_unless_the_query_has_one(store: EmbeddedMemoryStore) -> None:
    assert remember(store, ThreeWordsEmbedder(), [chunk("demo"), chunk("demo price"), chunk("price")]) == 3
    assert remember(store, ThreeWordsEmbedder(), [chunk("demo")]) == 0
    assert texts(recall(store, ThreeWordsEmbedder(), "demo", MemoryQuery("demo"))) == ["demo"]
    assert texts(recall(store, ThreeWordsEmbedder(), "demo", MemoryQuery("demo", threshold=0.5))) == [
        "demo",
        "demo price",
    ]
    assert recall(store, ThreeWordsEmbedder(), "other", MemoryQuery("demo")) == []


def test_memory_that_is_not_set_up_says_so() -> None:
    with pytest.raises(UnavailableError, match="not set up") as caught:
        recall(None, None, "demo", MemoryQuery("demo"))
    assert caught.value.suggestion == "Set AISHA_MEMORY and AISHA_EMBEDDER"
    with pytest.raises(UnavailableError):
        remember(None, ThreeWordsEmbedder(), [chunk("demo")])


def test_memory_that_can_not_be_read_is_unavailable(store: EmbeddedMemoryStore) -> None:
    remember(store, ThreeWordsEmbedder(), [chunk("demo")])
    store.close()
    with pytest.raises(UnavailableError):
        recall(store, ThreeWordsEmbedder(), "demo", MemoryQuery("demo"))


def test_fusion_puts_first_what_both_rankings_have_in_front() -> None:
    assert fuse(["a", "b", "c"], ["c", "b"]) == ["c", "b", "a"]
    assert fuse(["a", "b"], ["b", "a"]) == ["a", "b"]
    assert fuse(["a"], ["z"], []) == ["a", "z"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text": " "}, "needs a text"),
        ({"limit": 0}, "1 to 50"),
        ({"limit": 51}, "1 to 50"),
        ({"threshold": 75}, "-1 to 1"),
    ],
)
def test_wrong_queries(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        MemoryQuery(**{"text": "demo", **fields})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text": ""}, "text"),
        ({"tenant": ""}, "tenant"),
        ({"id": ""}, "id"),
        ({"text": "x" * 8001}, "split"),
        ({"created_at": datetime(2026, 3, 2)}, "time zone"),  # noqa: DTZ001
    ],
)
def test_wrong_chunks(fields: dict[str, Any], message: str) -> None:
    valid: dict[str, Any] = {"id": "mem_1", "tenant": "demo", "text": "demo", "created_at": NOW}
    with pytest.raises(InvalidInputError, match=message):
        MemoryChunk(**{**valid, **fields})


def test_a_hash_covers_the_content_but_not_id_time_or_order_of_metadata() -> None:
    chunk = MemoryChunk("mem_1", "demo", "demo", NOW, metadata={"action": "call", "outcome": "won"})
    same = MemoryChunk("mem_2", "demo", " demo ", NOW + timedelta(1), metadata={"outcome": "won", "action": "call"})
    assert chunk.content_hash == same.content_hash
    assert chunk.content_hash != MemoryChunk("mem_1", "demo", "demo", NOW, metadata={"outcome": "lost"}).content_hash


def test_the_settings_choose_the_memory(tmp_path: Path) -> None:
    environment = {**LOCAL, "AISHA_MEMORY_FOLDER": str(tmp_path / "memory")}
    services = Services(settings=read_settings(environment))
    store, embedder = services.memory_store, services.embedder
    remember(store, embedder, [chunk("The customer signed after a second demo.", entity_type="lead")])
    hits = recall(store, embedder, "demo", MemoryQuery("Another demo convinced the buyer", entity_type="lead"))
    assert texts(hits) == ["The customer signed after a second demo."]
    assert isinstance(store, EmbeddedMemoryStore)
    services.close()


def test_without_settings_there_is_no_memory() -> None:
    services = Services(settings=read_settings({}))
    assert (services.memory_store, services.embedder) == (None, None)


@pytest.mark.parametrize(
    ("environment", "missing"),
    [
        (LOCAL, "AISHA_MEMORY_FOLDER"),
        ({"AISHA_MEMORY": "opensearch", "AISHA_EMBEDDER": "minilm"}, "AISHA_OPENSEARCH_ENDPOINT"),
        ({"AISHA_MEMORY": "embedded", "AISHA_MEMORY_FOLDER": "here"}, "AISHA_EMBEDDER"),
        ({"AISHA_EMBEDDER": "openai"}, "OPENAI_API_KEY"),
    ],
)
def test_half_a_memory_is_refused_at_start(environment: dict[str, str], missing: str) -> None:
    with pytest.raises(ValidationError, match=missing):
        read_settings(environment)
