"""Memory's queue in SQS (moto's) and the function that empties it: done once, tried again, set aside."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from aisha import bootstrap
from aisha.adapters.memory.embedded import EmbeddedMemoryStore
from aisha.adapters.queue.in_process import InProcessWorkQueue
from aisha.adapters.queue.sqs import SqsWorkQueue
from aisha.application.ingest import Forgotten, messages
from aisha.domain.errors import NotFoundError, PayloadTooLargeError, UnavailableError
from aisha.domain.memory import MemoryChunk
from infra.local import template
from infra.local.lambda_events import LambdaContext
from tests.fakes.api_gateway import ROOT, function
from tests.fakes.words_embedder import WordsEmbedder

REGION, NOW = "us-east-1", datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
QUERY = "SELECT text FROM chunks ORDER BY text"


def chunk(text: str, **fields: Any) -> MemoryChunk:
    return MemoryChunk(f"mem_{text}", "demo", text, NOW, "alice", "lead", "lead_1", {"action": "call"}, **fields)


class Embedder(WordsEmbedder):
    """One that does not answer while it is `down`."""

    down = False

    def embed(self, texts: Any) -> list[list[float]]:
        if self.down:
            raise UnavailableError("The embedder does not answer")
        return super().embed(texts)


class Lambda:
    """Polls the queue as Lambda does, with the limits of the template: what fails becomes visible again at once."""

    def __init__(self, client: Any, embedder: Embedder, store: EmbeddedMemoryStore) -> None:
        self._client, self.embedder, self.store = client, embedder, store
        document = template._Loader(ROOT.joinpath("template.yaml").read_text(encoding="utf-8")).get_single_data()
        tries = document["Resources"]["MemoryQueue"]["Properties"]["RedrivePolicy"]["maxReceiveCount"]
        self.dead_url = client.create_queue(QueueName="dead")["QueueUrl"]
        attributes = client.get_queue_attributes(QueueUrl=self.dead_url, AttributeNames=["QueueArn"])["Attributes"]
        redrive = json.dumps({"deadLetterTargetArn": attributes["QueueArn"], "maxReceiveCount": tries})
        made = client.create_queue(QueueName="memory", Attributes={"RedrivePolicy": redrive, "VisibilityTimeout": "0"})
        self.url = made["QueueUrl"]
        self.queue = SqsWorkQueue({"memory": self.url}, REGION)
        self.handler: Callable[..., dict[str, Any]] = function("ingest").handler

    def poll(self, keep: bool = False) -> list[str]:
        """Gives the function a batch; returns the bodies that it failed. With `keep` Lambda dies before it deletes any."""
        found = self._client.receive_message(
            QueueUrl=self.url, MaxNumberOfMessages=10, MessageSystemAttributeNames=["All"]
        ).get("Messages", [])
        if not found:
            return []
        event = {"Records": [_record(message) for message in found]}
        failed = {one["itemIdentifier"] for one in self.handler(event, _context())["batchItemFailures"]}
        for message in found:
            if message["MessageId"] not in failed and not keep:
                self._client.delete_message(QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"])
        return [message["Body"] for message in found if message["MessageId"] in failed]

    def waiting(self, url: str) -> int:
        counts = self._client.get_queue_attributes(QueueUrl=url, AttributeNames=["ApproximateNumberOfMessages"])
        return int(counts["Attributes"]["ApproximateNumberOfMessages"])

    def texts(self) -> list[str]:
        hits = self.store._database.execute(QUERY).fetchall()
        return [text for (text,) in hits]


def _record(message: dict[str, Any]) -> dict[str, Any]:
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message["Attributes"],
        "messageAttributes": {},
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:us-east-1:123456789012:memory",
        "awsRegion": REGION,
    }


def _context() -> LambdaContext:
    return LambdaContext("IngestFunction", 512, "req-1", 0)


@pytest.fixture
def aws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lambda]:
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_SQS"):
        monkeypatch.delenv(name, raising=False)
    embedder, store = Embedder(), EmbeddedMemoryStore(tmp_path, Embedder.name, Embedder.dimensions)
    monkeypatch.setattr(bootstrap, "memory_store", lambda: store)
    monkeypatch.setattr(bootstrap, "embedder", lambda: embedder)
    with mock_aws():
        yield Lambda(boto3.client("sqs", region_name=REGION), embedder, store)
    store.close()


def send(aws: Lambda, *chunks: MemoryChunk, forget: tuple[Forgotten, ...] = ()) -> None:
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


def test_what_fails_comes_again_and_is_done_then(aws: Lambda) -> None:
    send(aws, chunk("Called Jack"))
    aws.embedder.down = True
    assert len(aws.poll()) == 1
    assert aws.texts() == []
    aws.embedder.down = False
    assert aws.poll() == []
    assert aws.texts() == ["Called Jack"]


@pytest.mark.parametrize(
    "poison",
    ["not JSON", "[]", '"text"', '{"remember": []}', '{"tenant": "demo", "remember": [{"id": "m"}]}',
     '{"tenant": "demo", "drop": "tables"}'],
)  # fmt: skip
def test_a_poison_message_is_set_aside_after_five_tries_and_stops_no_other(aws: Lambda, poison: str) -> None:
    aws._client.send_message(QueueUrl=aws.url, MessageBody=poison)
    send(aws, chunk("Called Jack"))
    assert aws.poll() == [poison]
    assert aws.texts() == ["Called Jack"]
    for _ in range(4):
        assert aws.poll() == [poison]
        assert aws.waiting(aws.dead_url) == 0
    assert aws.poll() == []
    assert (aws.waiting(aws.url), aws.waiting(aws.dead_url)) == (0, 1)


def test_what_is_to_be_forgotten_is_gone_however_often_it_is_said(aws: Lambda) -> None:
    send(aws, chunk("Called Jack"), chunk("Met Mia"))
    aws.poll()
    for _ in range(2):
        send(aws, forget=(Forgotten(what="chunk", id="mem_Called Jack"),))
        assert aws.poll() == []
    assert aws.texts() == ["Met Mia"]
    send(aws, forget=(Forgotten(what="record", id="lead_1", entity_type="lead"),))
    aws.poll()
    assert aws.texts() == []


def test_the_queue_says_what_it_does_not_take(aws: Lambda) -> None:
    with pytest.raises(NotFoundError, match="no queue elsewhere"):
        aws.queue.send("elsewhere", {})
    with pytest.raises(PayloadTooLargeError, match="256 KiB"):
        aws.queue.send("memory", {"text": "x" * 300_000})
    aws._client.delete_queue(QueueUrl=aws.url)
    with pytest.raises(UnavailableError, match="does not answer"):
        aws.queue.send("memory", {})


def test_the_local_queue_has_the_same_handler_and_tries_as_often(aws: Lambda) -> None:
    tried: list[Any] = []

    def handler(message: Any) -> None:
        tried.append(message)
        bootstrap.ingest_memory(message)

    queue = InProcessWorkQueue({"memory": handler})
    queue.send("memory", {"tenant": ""})
    for message in messages("demo", [chunk("Called Jack")]):
        queue.send("memory", message)
    queue.finish()
    assert len(tried) == 5 + 1
    assert list(queue.dead) == [("memory", {"tenant": ""})]
    assert aws.texts() == ["Called Jack"]
    with pytest.raises(NotFoundError):
        queue.send("elsewhere", {})
