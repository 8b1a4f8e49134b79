"""A clock that goes on by itself."""

import threading
from datetime import datetime, timedelta


class TickingClock:
    """A clock that a test sets; each reading is a millisecond later, so that records created in turn have an order."""

    def __init__(self, now: datetime):
        self._now = now
        self._lock = threading.Lock()

    def now(self) -> datetime:
        with self._lock:
            self._now += timedelta(milliseconds=1)
            return self._now

    def advance(self, by: timedelta) -> None:
        with self._lock:
            self._now += by
