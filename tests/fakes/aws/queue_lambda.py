"""A queue of a fake SQS, and the Lambda that polls it."""

import json
from collections.abc import Callable
from typing import Any

import boto3

from infra.local.server.lambda_events import LambdaContext
from tests.fakes.aws.api_gateway import function

REGION = "us-east-1"


class QueueLambda:
    """Polls the queue at `url` for a function, as Lambda does.

    Failed messages become visible again after the queue's visibility timeout. `handles` are the receipt handles of the
    messages received last.
    """

    def __init__(self, name: str, url: str) -> None:
        self.client: Any = boto3.client("sqs", region_name=REGION)
        self.url = url
        self.handles: list[str] = []
        self.handler: Callable[..., dict[str, Any]] = function(name).handler

    def poll(self, keep: bool = False) -> list[str]:
        """Give the function a batch and return the bodies of the messages that failed.

        With `keep` no message is deleted, as if Lambda had died.
        """
        messages = self.receive()
        if not messages:  # A message that was received too often is in the dead letters.
            return []
        event = {"Records": [_record(message) for message in messages]}
        answer = self.handler(event, LambdaContext("QueueFunction", 512, "req-1", 0))
        failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
        for message in messages:
            if message["MessageId"] not in failed and not keep:
                self.client.delete_message(QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"])
        return [message["Body"] for message in messages if message["MessageId"] in failed]

    def receive(self) -> list[dict[str, Any]]:
        """Receive up to ten visible messages; each receipt counts as a try."""
        messages: list[dict[str, Any]] = self.client.receive_message(
            QueueUrl=self.url, MaxNumberOfMessages=10, MessageSystemAttributeNames=["All"]
        ).get("Messages", [])
        self.handles = [message["ReceiptHandle"] for message in messages] or self.handles
        return messages

    def waiting(self, url: str | None = None) -> int:
        """Return the number of visible messages in the queue, or in the one at `url`."""
        return self._count(url, "ApproximateNumberOfMessages")

    def in_flight(self) -> int:
        """Return the number of messages that were received and are not visible again yet."""
        return self._count(None, "ApproximateNumberOfMessagesNotVisible")

    def _count(self, url: str | None, name: str) -> int:
        counts = self.client.get_queue_attributes(QueueUrl=url or self.url, AttributeNames=[name])
        return int(counts["Attributes"][name])


def make_queue(name: str, tries: int, visibility: int = 0) -> tuple[str, str]:
    """Create a queue and its dead-letter queue and return their URLs. `visibility` is in seconds."""
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
