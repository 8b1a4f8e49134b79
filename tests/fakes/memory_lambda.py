"""Memory's queue in SQS, with the limits of the template, and what Lambda does with it."""

import json
from collections.abc import Callable
from typing import Any

import boto3

from aisha.adapters.queue.sqs import SqsWorkQueue
from infra.local import template
from infra.local.lambda_events import LambdaContext
from tests.fakes.api_gateway import ROOT, function

REGION = "us-east-1"


class MemoryLambda:
    """Polls the queue as Lambda does. What fails becomes visible again after `visibility` seconds.

    `handles` are those of the messages handed out last.
    """

    def __init__(self, visibility: int = 0) -> None:
        self.client: Any = boto3.client("sqs", region_name=REGION)
        document = template._Loader(ROOT.joinpath("template.yaml").read_text(encoding="utf-8")).get_single_data()
        tries = document["Resources"]["MemoryQueue"]["Properties"]["RedrivePolicy"]["maxReceiveCount"]
        self.dead_url = self.client.create_queue(QueueName="dead")["QueueUrl"]
        attributes = self.client.get_queue_attributes(QueueUrl=self.dead_url, AttributeNames=["QueueArn"])["Attributes"]
        redrive = json.dumps({"deadLetterTargetArn": attributes["QueueArn"], "maxReceiveCount": tries})
        limits = {"RedrivePolicy": redrive, "VisibilityTimeout": str(visibility)}
        self.url = self.client.create_queue(QueueName="memory", Attributes=limits)["QueueUrl"]
        self.queue = SqsWorkQueue({"memory": self.url}, REGION)
        self.handles: list[str] = []
        self.handler: Callable[..., dict[str, Any]] = function("ingest").handler

    def poll(self, keep: bool = False) -> list[str]:
        """Gives the function a batch; returns the bodies that it failed. With `keep` Lambda dies before it deletes any."""
        found = self.receive()
        if not found:
            return []
        event = {"Records": [_record(message) for message in found]}
        failed = {one["itemIdentifier"] for one in self.handler(event, _context())["batchItemFailures"]}
        for message in found:
            if message["MessageId"] not in failed and not keep:
                self.client.delete_message(QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"])
        return [message["Body"] for message in found if message["MessageId"] in failed]

    def receive(self) -> list[dict[str, Any]]:
        """What is visible now, ten at most; each that comes counts as tried."""
        found: list[dict[str, Any]] = self.client.receive_message(
            QueueUrl=self.url, MaxNumberOfMessages=10, MessageSystemAttributeNames=["All"]
        ).get("Messages", [])
        self.handles = [message["ReceiptHandle"] for message in found] or self.handles
        return found

    def waiting(self, url: str | None = None) -> int:
        """Messages that are visible in the queue, or in the one at `url`."""
        return self._count(url, "ApproximateNumberOfMessages")

    def in_flight(self) -> int:
        """Messages that were handed out and are not visible yet."""
        return self._count(None, "ApproximateNumberOfMessagesNotVisible")

    def _count(self, url: str | None, name: str) -> int:
        counts = self.client.get_queue_attributes(QueueUrl=url or self.url, AttributeNames=[name])
        return int(counts["Attributes"][name])


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
