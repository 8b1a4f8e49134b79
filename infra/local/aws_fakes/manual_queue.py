"""A queue in this process whose messages are handed out when somebody says so: for a command, the bench and tests."""

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any


class ManualQueue:
    """`WorkQueue` that keeps messages until `drain` gives them to a worker; `sent` counts them all.

    What a worker sends is handed out at once, as by a real queue: it may still be at work on its own message.
    """

    def __init__(self) -> None:
        self.waiting: deque[Mapping[str, Any]] = deque()
        self.sent = 0
        self._under_way = 0
        self._changed = threading.Condition()

    def send(self, queue: str, message: Mapping[str, Any]) -> None:  # noqa: ARG002 - there is one
        with self._changed:
            self.waiting.append(json.loads(json.dumps(message)))
            self.sent += 1
            self._changed.notify()

    def drain(self, work: Callable[[Mapping[str, Any]], object], workers: int = 1) -> None:
        """Until nothing waits and nothing is under way. Raises what a worker raises."""
        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(self._work, work) for _ in range(workers)]:
                done.result()

    def _work(self, work: Callable[[Mapping[str, Any]], object]) -> None:
        while (message := self._take()) is not None:
            try:
                work(message)
            finally:
                with self._changed:
                    self._under_way -= 1
                    self._changed.notify_all()

    def _take(self) -> Mapping[str, Any] | None:
        with self._changed:
            while not self.waiting:
                if not self._under_way:
                    return None
                self._changed.wait()
            self._under_way += 1
            return self.waiting.popleft()
