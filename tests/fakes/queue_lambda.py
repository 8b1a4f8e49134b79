"""A queue of SQS, and what Lambda does with it."""

import json
from collections.abc import Callable
from typing import Any

import boto3

from infra.local.server.lambda_events import LambdaContext
from tests.fakes.api_gateway import function

REGION = "us-east-1"


class QueueLambda:
    """Polls the queue at `url` for a function as Lambda does. What fails becomes visible again after the queue's own time.

    `handles` are those of the messages handed out last.
    """

    def __init__(self, name: str, url: str) -> None:
        self.client: Any = boto3.client("sqs", region_name=REGION)
        self.url = url
        self.handles: list[str] = []
        self.handler: Callable[..., dict[str, Any]] = function(name).handler

    def poll(self, keep: bool = False) -> list[str]:
        """Gives the function a batch; returns the bodies that it failed. With `keep` Lambda dies before it deletes any."""
        found = self.receive()
        if not found:  # What was received too often went to the dead letters.
            return []
        event = {"Records": [_record(message) for message in found]}
        answer = self.handler(event, LambdaContext("QueueFunction", 512, "req-1", 0))
        failed = {one["itemIdentifier"] for one in answer["batchItemFailures"]}
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


def make_queue(name: str, tries: int, visibility: int = 0) -> tuple[str, str]:
    """The addresses of a queue and of its dead letters; `visibility` in seconds."""
    client: Any = boto3.client("sqs", region_name=REGION)
    dead_url = client.create_queue(QueueName="dead")["QueueUrl"]
    arn = client.get_queue_attributes(QueueUrl=dead_url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    redrive = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": tries})
    limits = {"RedrivePolicy": redrive, "VisibilityTimeout": str(visibility)}
    return client.create_queue(QueueName=name, Attributes=limits)["QueueUrl"], dead_url


def _record(message: dict[str, Any]) -> dict[str, Any]:
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message["Attributes"],
        "messageAttributes": {},
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:us-east-1:123456789012:any",
        "awsRegion": REGION,
    }
