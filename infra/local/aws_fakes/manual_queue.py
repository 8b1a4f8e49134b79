"""A queue in this process that delivers its messages on demand: for a command, the bench and tests."""

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any


class ManualQueue:
    """A `WorkQueue` that stores messages until `drain` gives them to workers; `sent` counts all of them.

    A worker's own messages are delivered at once, as by a real queue, even before it has finished.
    """

    def __init__(self) -> None:
        self.waiting: deque[Mapping[str, Any]] = deque()
        self.sent = 0
        self._busy = 0
        self._changed = threading.Condition()

    def send(self, queue: str, message: Mapping[str, Any]) -> None:  # noqa: ARG002 - all queues are one
        with self._changed:
            # As from a real queue, a worker gets a copy, and only JSON can be sent.
            self.waiting.append(json.loads(json.dumps(message)))
            self.sent += 1
            self._changed.notify()

    def drain(self, work: Callable[[Mapping[str, Any]], object], workers: int = 1) -> None:
        """Deliver messages until none waits and no worker is busy. Raises the errors of workers."""
        with ThreadPoolExecutor(workers) as pool:
            for future in [pool.submit(self._work, work) for _ in range(workers)]:
                future.result()

    def _work(self, work: Callable[[Mapping[str, Any]], object]) -> None:
        while (message := self._take()) is not None:
            try:
                work(message)
            finally:
                with self._changed:
                    self._busy -= 1
                    self._changed.notify_all()

    def _take(self) -> Mapping[str, Any] | None:
        with self._changed:
            while not self.waiting:
                if not self._busy:
                    return None
                self._changed.wait()
            self._busy += 1
            return self.waiting.popleft()
