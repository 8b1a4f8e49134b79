"""Queues in Amazon SQS."""

import json
from collections.abc import Mapping
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from aisha.domain.errors import NotFoundError, PayloadTooLargeError, UnavailableError

MAX_BYTES = 256 * 1024
CONNECT_SECONDS, READ_SECONDS = 1.0, 2.0
"""Short, since a turn waits for the send and can go on without it."""


class SqsWorkQueue:
    """A `WorkQueue`. `urls` has the queues' addresses by name. No connection is made before the first message."""

    def __init__(self, urls: Mapping[str, str], region: str) -> None:
        self._urls = dict(urls)
        config = Config(
            connect_timeout=CONNECT_SECONDS, read_timeout=READ_SECONDS, retries={"mode": "standard", "max_attempts": 2}
        )
        self._client: Any = boto3.client("sqs", region_name=region, config=config)

    def send(self, queue: str, message: Mapping[str, Any]) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        if queue not in self._urls:
            raise NotFoundError(f"There is no queue {queue}")
        if len(text.encode()) > MAX_BYTES:
            raise PayloadTooLargeError(f"A message for the queue {queue} has at most {MAX_BYTES // 1024} KiB")
        try:
            self._client.send_message(QueueUrl=self._urls[queue], MessageBody=text)
        except (BotoCoreError, ClientError) as error:
            raise UnavailableError(f"The queue {queue} does not answer", detail={"reason": str(error)}) from error
