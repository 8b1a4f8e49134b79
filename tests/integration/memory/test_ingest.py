"""Memory's queue in SQS (moto's) and the function that empties it: repeats, retries and dead letters."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from moto import mock_aws

from aisha.adapters.memory.embedded import EmbeddedMemoryStore
from aisha.adapters.queue.in_process import InProcessWorkQueue
from aisha.application.memory.ingest import Deletion, ingest, messages
from aisha.bootstrap import Services
from aisha.domain.errors import NotFoundError, PayloadTooLargeError, UnavailableError
from aisha.domain.memory import MemoryChunk
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import serving
from tests.fakes.aws.memory_lambda import MemoryLambda
from tests.fakes.models.words_embedder import WordsEmbedder

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def chunk(text: str, **fields: Any) -> MemoryChunk:
    return MemoryChunk(f"mem_{text}", "demo", text, NOW, "alice", "lead", "lead_1", {"action": "call"}, **fields)


class Embedder(WordsEmbedder):
    """An embedder that does not answer while it is `down`."""

    down = False

    def embed(self, texts: Any) -> list[list[float]]:
        if self.down:
            raise UnavailableError("The embedder does not answer")
        return super().embed(texts)


class Lambda(MemoryLambda):
    """The function of memory's queue, with the memory that it fills."""

    def __init__(self, embedder: Embedder, store: EmbeddedMemoryStore) -> None:
        super().__init__()
        self.embedder, self.store = embedder, store

    def texts(self) -> list[str]:
        return [text for (text,) in self.store._database.execute("SELECT text FROM chunks ORDER BY text")]


@pytest.fixture
def aws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lambda]:
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_SQS"):
        monkeypatch.delenv(name, raising=False)
    embedder, store = Embedder(), EmbeddedMemoryStore(tmp_path, Embedder.name, Embedder.dimensions)
    services = Services(settings=read_settings({}), memory_store=store, embedder=embedder)
    with mock_aws(), serving(services):
        yield Lambda(embedder, store)
    store.close()


def send(aws: Lambda, *chunks: MemoryChunk, forget: tuple[Deletion, ...] = ()) -> None:
    for message in messages("demo", chunks, forget):
        aws.queue.send("memory", message)


def test_what_is_sent_is_remembered(aws: Lambda) -> None:
    send(aws, *[chunk(f"Called {name}") for name in "abcdefghijkl"])
    assert aws.waiting(aws.url) == 2, "ten chunks a message at most"
    assert aws.poll() == []
    assert len(aws.texts()) == 12
    assert aws.waiting(aws.url) == 0


def test_a_message_that_is_delivered_again_is_remembered_once(aws: Lambda) -> None:
    send(aws, chunk("Called Jack"))
    aws.poll(keep=True)
    assert aws.waiting(aws.url) == 1
    aws.poll()
    send(aws, chunk("Called Jack"))
    aws.poll()
    assert aws.texts() == ["Called Jack"]
    assert aws.waiting(aws.url) == 0


def test_a_message_that_failed_is_tried_again(aws: Lambda) -> None:
    send(aws, chunk("Called Jack"))
    aws.embedder.down = True
    assert len(aws.poll()) == 1
    assert aws.texts() == []
    aws.embedder.down = False
    assert aws.poll() == []
    assert aws.texts() == ["Called Jack"]


@pytest.mark.parametrize(
    "poison",
    [
        "not JSON",
        "[]",
        '"text"',
        '{"remember": []}',
        '{"tenant": "demo", "remember": [{"id": "m"}]}',
        '{"tenant": "demo", "drop": "tables"}',
    ],
)
def test_a_poison_message_is_set_aside_after_five_tries_and_stops_no_other(aws: Lambda, poison: str) -> None:
    aws.client.send_message(QueueUrl=aws.url, MessageBody=poison)
    send(aws, chunk("Called Jack"))
    assert aws.poll() == [poison]
    assert aws.texts() == ["Called Jack"]
    for _ in range(4):
        assert aws.poll() == [poison]
        assert aws.waiting(aws.dead_url) == 0
    assert aws.poll() == []
    assert (aws.waiting(aws.url), aws.waiting(aws.dead_url)) == (0, 1)


def test_a_deletion_that_is_repeated_does_no_harm(aws: Lambda) -> None:
    send(aws, chunk("Called Jack"), chunk("Met Mia"))
    aws.poll()
    for _ in range(2):
        send(aws, forget=(Deletion(what="chunk", id="mem_Called Jack"),))
        assert aws.poll() == []
    assert aws.texts() == ["Met Mia"]
    send(aws, forget=(Deletion(what="record", id="lead_1", entity_type="lead"),))
    aws.poll()
    assert aws.texts() == []


def test_the_queue_refuses_unknown_names_and_large_messages(aws: Lambda) -> None:
    with pytest.raises(NotFoundError, match="no queue elsewhere"):
        aws.queue.send("elsewhere", {})
    with pytest.raises(PayloadTooLargeError, match="256 KiB"):
        aws.queue.send("memory", {"text": "x" * 300_000})
    aws.client.delete_queue(QueueUrl=aws.url)
    with pytest.raises(UnavailableError, match="does not answer"):
        aws.queue.send("memory", {})


def test_the_local_queue_has_the_same_handler_and_tries_as_often(aws: Lambda) -> None:
    tries: list[Any] = []

    def handler(message: Any) -> None:
        tries.append(message)
        ingest(message, aws.store, aws.embedder)

    queue = InProcessWorkQueue({"memory": handler})
    queue.send("memory", {"tenant": ""})
    for message in messages("demo", [chunk("Called Jack")]):
        queue.send("memory", message)
    queue.finish()
    assert len(tries) == 5 + 1
    assert list(queue.dead) == [("memory", {"tenant": ""})]
    assert aws.texts() == ["Called Jack"]
    with pytest.raises(NotFoundError):
        queue.send("elsewhere", {})
