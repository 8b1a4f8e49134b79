"""How long a provider is waited for."""

import heapq
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from threading import Condition, Lock, Thread
from types import TracebackType
from typing import Protocol, Self

import httpx2

from aisha.domain.errors import DeadlineExceededError

PATIENCE = 0.5
"""How much of the time that is left may pass before there is something to show: the rest is for the next of the chain."""


def remaining(deadline: float) -> float:
    """Seconds until `deadline`, of `time.monotonic()`. Raises `DeadlineExceededError` when there are none."""
    if (seconds := deadline - time.monotonic()) <= 0:
        raise DeadlineExceededError("The assistant ran out of time; try again")
    return seconds


class Heard(Protocol):
    """What tells whether any text came yet."""

    @property
    def has_text(self) -> bool: ...


class Alarms:
    """Calls back when it is time, from one thread for all: to start one for each call would cost more than the call's own work."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._due: list[tuple[float, int, Alarm]] = []
        self._numbers = count()
        self._thread: Thread | None = None

    def after(self, seconds: float, ring: Callable[[], None]) -> "Alarm":
        """Calls `ring` in that many seconds unless the alarm is cancelled. `ring` must be quick and raise nothing."""
        alarm = Alarm(ring)
        with self._changed:
            heapq.heappush(self._due, (time.monotonic() + seconds, next(self._numbers), alarm))
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._watch, name="alarms", daemon=True)
                self._thread.start()
            elif self._due[0][2] is alarm:
                self._changed.notify()
        return alarm

    def _watch(self) -> None:
        while True:
            self._next().ring()

    def _next(self) -> "Alarm":
        """The next one that is due, waited for."""
        with self._changed:
            while True:
                left = self._due[0][0] - time.monotonic() if self._due else None
                if left is not None and left <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(left)


class Alarm:
    """What rings, once, or never when it was cancelled before."""

    __slots__ = ("ring",)

    def __init__(self, ring: Callable[[], None]) -> None:
        self.ring = ring

    def cancel(self) -> None:
        self.ring = _silence


def _silence() -> None:
    """Nothing is called any more."""


_alarms = Alarms()


class HangUp:
    """Hangs up on an answer that has no text after `PATIENCE`, and on any at the deadline.

    The client's read timeout is one for each read, so a stream that drips would outlive it.
    """

    def __init__(self, deadline: float, response: httpx2.Response, heard: Heard) -> None:
        self._deadline = deadline
        self._connection: socket.socket = response.extensions["network_stream"].get_extra_info("socket")
        self._heard = heard
        self._lock = Lock()
        self._alarm: Alarm | None = None
        self._over = False
        self.lost_patience = False

    def __enter__(self) -> Self:
        self._start(remaining(self._deadline) * PATIENCE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._over = True
            if self._alarm is not None:
                self._alarm.cancel()

    def _start(self, seconds: float) -> None:
        with self._lock:
            if self._over:
                return
            self._alarm = _alarms.after(seconds, self._ring)

    def _ring(self) -> None:
        left = self._deadline - time.monotonic()
        if self._heard.has_text and left > 0:
            self._start(left)
            return
        self.lost_patience = True
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
