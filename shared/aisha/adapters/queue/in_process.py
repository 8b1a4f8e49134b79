"""Queues in this process, for a laptop and tests: one worker, in the order of the messages."""

import json
import logging
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

from aisha.domain.errors import NotFoundError

Handler = Callable[[Mapping[str, Any]], object]
MAX_TRIES = 5
"""Tries of one message, as many as the queues in template.yaml allow."""
MAX_DEAD = 100
_LOGGER = logging.getLogger(__name__)


class InProcessWorkQueue:
    """Hands each message to its queue's handler, five times at most; `dead` has the last ones that always failed.

    Messages that wait when the process is killed are lost. The worker's thread starts at the first message.
    """

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self._handlers = dict(handlers)
        self._lock = Lock()
        self._worker: ThreadPoolExecutor | None = None
        self.dead: deque[tuple[str, Mapping[str, Any]]] = deque(maxlen=MAX_DEAD)

    def send(self, queue: str, message: Mapping[str, Any]) -> None:
        if queue not in self._handlers:
            raise NotFoundError(f"There is no queue {queue}")
        # As with a real queue, later changes to the message do not reach the handler, and only JSON can be sent.
        copied: Mapping[str, Any] = json.loads(json.dumps(message))
        with self._lock:
            if self._worker is None:
                self._worker = ThreadPoolExecutor(1, thread_name_prefix="queue")
            self._worker.submit(self._handle, queue, copied)

    def finish(self) -> None:
        """Wait until all messages are done, including those that handlers send meanwhile."""
        while True:
            # The next message starts a new worker: messages that handlers send are waited for in the next round.
            with self._lock:
                worker, self._worker = self._worker, None
            if worker is None:
                return
            worker.shutdown(wait=True)

    def _handle(self, queue: str, message: Mapping[str, Any]) -> None:
        for _ in range(MAX_TRIES):
            try:
                self._handlers[queue](message)
            except Exception as error:
                # Python deletes `error` at the end of this block.
                reason = error
            else:
                return
        self.dead.append((queue, message))
        _LOGGER.warning("A message of the queue %s could not be done: %s", queue, reason)
