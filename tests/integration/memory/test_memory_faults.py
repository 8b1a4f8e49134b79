"""A memory that does not answer or stores a part of a batch: chats go on, and every message is stored once.

tests/real/test_memory_server.py has the same faults with a real server.
"""

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from moto import mock_aws

from aisha.adapters.memory.opensearch import OpenSearchMemoryStore
from aisha.adapters.memory.opensearch_client import connect
from aisha.adapters.memory.opensearch_index import MemoryIndex
from aisha.application.memory.ingest import messages
from aisha.bootstrap import Services
from aisha.domain.memory import MemoryChunk
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import serving
from tests.fakes.aws.memory_lambda import MemoryLambda
from tests.fakes.aws.serverless_collection import ServerlessCollection
from tests.fakes.memory_turns import RememberingChat
from tests.fakes.models.words_embedder import WordsEmbedder
from tests.fakes.stores.in_memory import FixedClock

pytestmark = pytest.mark.slow

NOW = FixedClock().now()


class Memory:
    """A memory in a collection that does not answer while `is_away`."""

    def __init__(self, collection: ServerlessCollection) -> None:
        self.collection = collection
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            closed = f"http://127.0.0.1:{probe.getsockname()[1]}"
        self._connected, self._away = _store(collection.url), _store(closed)
        self.services = Services(settings=read_settings({}), memory_store=self._connected, embedder=WordsEmbedder())

    @property
    def is_away(self) -> bool:
        return self.services.memory_store is self._away

    @is_away.setter
    def is_away(self, is_away: bool) -> None:
        self.services.memory_store = self._away if is_away else self._connected

    def store(self) -> OpenSearchMemoryStore:
        return self._away if self.is_away else self._connected

    def texts(self) -> list[str]:
        indexes = self.collection.indexes.values()
        return sorted(document["text"] for index in indexes for document in index["documents"].values())

    def close(self) -> None:
        self._connected.close()
        self._away.close()


def _store(url: str) -> OpenSearchMemoryStore:
    embedder = WordsEmbedder()
    client = connect(url, "aoss", "us-east-1")
    return OpenSearchMemoryStore(MemoryIndex(client, embedder.name, embedder.dimensions, service="aoss"))


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_SQS"):
        monkeypatch.delenv(name, raising=False)
    with (
        mock_aws(),
        ServerlessCollection() as collection,
        closing(Memory(collection)) as opened,
        serving(opened.services),
    ):
        yield opened


@pytest.fixture
def chat(memory: Memory) -> Iterator[RememberingChat]:
    with ThreadPoolExecutor(4) as workers:
        yield RememberingChat(memory.store, MemoryLambda(), workers)


def chunk(text: str) -> MemoryChunk:
    return MemoryChunk(f"mem_{text}", "demo", text, NOW, "alice", "lead", "lead_1", {"action": "call"})


def test_with_memory_away_chats_go_on_with_a_warning_and_the_queue_keeps_all(
    chat: RememberingChat, memory: Memory
) -> None:
    jack = chat.lead("Jack")
    memory.is_away = True
    for title in ("Tour", "Review"):
        answer = chat.plan(jack, title)
        assert answer["status"] == "completed", answer["response"]
        assert answer["warnings"] == ["memory_search was left out: OpenSearch does not answer"]
    assert len(chat.activities()) == 2
    for _ in range(3):
        # A message that forgets what the record had before, and one that remembers it, for each turn.
        assert len(chat.memory_lambda.poll()) == 4
    assert (chat.memory_lambda.waiting(), chat.memory_lambda.waiting(chat.memory_lambda.dead_url)) == (4, 0)
    memory.is_away = False
    assert chat.memory_lambda.poll() == []
    assert len(memory.texts()) == 2
    assert chat.memory_lambda.waiting() == 0
    assert chat.plan(jack, "Visit")["warnings"] == []


def test_of_a_batch_only_what_was_not_stored_comes_again(memory: Memory) -> None:
    lambda_, refused = MemoryLambda(), ["Called Mia"]
    for text in ("Called Jack", "Called Mia", "Called Tom"):
        for message in messages("demo", [chunk(text), chunk(f"{text}, again")]):
            lambda_.queue.send("memory", message)
    memory.collection.refuse = lambda document: 429 if document["text"] in refused else None
    (failed,) = lambda_.poll()
    assert [remembered["text"] for remembered in json.loads(failed)["remember"]] == ["Called Mia", "Called Mia, again"]
    assert len(memory.texts()) == 5, "the rest of the batch was stored"
    refused.clear()
    assert lambda_.poll() == []
    assert len(memory.texts()) == len(set(memory.texts())) == 6
    assert lambda_.waiting() == 0


def test_a_message_in_work_is_invisible_and_comes_again_after_its_timeout(memory: Memory) -> None:
    lambda_ = MemoryLambda(visibility=300)
    for message in messages("demo", [chunk("Called Jack")]):
        lambda_.queue.send("memory", message)
    memory.is_away = True
    assert len(lambda_.poll()) == 1
    assert (lambda_.waiting(), lambda_.in_flight()) == (0, 1)
    assert lambda_.receive() == []
    memory.is_away = False
    _make_visible(lambda_)
    assert lambda_.poll(keep=True) == [], "the message was handled, but Lambda died before it deleted it"
    _make_visible(lambda_)
    assert lambda_.poll() == []
    assert memory.texts() == ["Called Jack"]
    assert (lambda_.waiting(), lambda_.in_flight(), lambda_.waiting(lambda_.dead_url)) == (0, 0, 0)


def _make_visible(lambda_: MemoryLambda) -> None:
    """End the visibility timeout of all received messages."""
    for handle in lambda_.handles:
        lambda_.client.change_message_visibility(QueueUrl=lambda_.url, ReceiptHandle=handle, VisibilityTimeout=0)


def test_only_a_chunk_that_the_server_never_stores_ends_among_the_dead_letters(memory: Memory) -> None:
    lambda_ = MemoryLambda()
    memory.collection.refuse = lambda document: 400 if "poison" in document["text"] else None
    for text in ("Called Jack", "poison", "Called Tom"):
        for message in messages("demo", [chunk(text)]):
            lambda_.queue.send("memory", message)
    tries: list[Any] = [lambda_.poll() for _ in range(6)]
    assert [len(failed) for failed in tries] == [1, 1, 1, 1, 1, 0]
    assert (lambda_.waiting(), lambda_.waiting(lambda_.dead_url)) == (0, 1)
    assert memory.texts() == ["Called Jack", "Called Tom"]
