"""Deadlines of streamed answers: one for the first text, one for the whole answer."""

import heapq
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from threading import Condition, Lock, Thread
from typing import TYPE_CHECKING, Protocol, Self

from aisha.domain.errors import DeadlineExceededError

if TYPE_CHECKING:
    # Not loaded at start: providers without it use the deadlines too.
    from aisha.adapters.http.provider_http import ProviderAnswer

FIRST_TOKEN_SHARE = 0.5
"""Share of the remaining time that may pass before the first text; the rest is for the next model of the chain."""


def remaining(deadline: float) -> float:
    """Return the seconds until `deadline`, of `time.monotonic()`. Raises `DeadlineExceededError` when it has passed."""
    if (seconds := deadline - time.monotonic()) <= 0:
        raise DeadlineExceededError("The assistant ran out of time; try again")
    return seconds


class HasText(Protocol):
    """A reader of an answer that knows whether any text has come yet."""

    @property
    def has_text(self) -> bool: ...


class Timer:
    """A callback that is called once, or never when it was cancelled before."""

    __slots__ = ("callback",)

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        # It stays in the heap until it is the first: removing it would mean a search through the whole heap.
        self.callback = None

    def fire(self) -> None:
        # The turn may cancel it meanwhile.
        if (callback := self.callback) is not None:
            callback()


class TimerThread:
    """Runs timers in one thread for all: starting one for each model call would cost more than the call's own work."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._due: list[tuple[float, int, Timer]] = []
        self._numbers = count()
        self._thread: Thread | None = None

    def after(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call `callback` in that many seconds unless the timer is cancelled. It must be quick and raise nothing."""
        timer = Timer(callback)
        with self._changed:
            # The number decides between equal times: timers can't be compared.
            heapq.heappush(self._due, (time.monotonic() + seconds, next(self._numbers), timer))
            # A thread does not survive a fork.
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="timers", daemon=True)
                self._thread.start()
            # It is due before all others: the thread has to wait for a shorter time.
            elif self._due[0][2] is timer:
                self._changed.notify()
        return timer

    def _run(self) -> None:
        while True:
            self._wait_for_next().fire()

    def _wait_for_next(self) -> Timer:
        with self._changed:
            while True:
                # Nearly all are cancelled: the thread does not wake for each of them.
                while self._due and self._due[0][2].callback is None:
                    heapq.heappop(self._due)
                seconds = self._due[0][0] - time.monotonic() if self._due else None
                if seconds is not None and seconds <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(seconds)


_timers = TimerThread()


class StreamDeadline:
    """Closes the connection of an answer without text after `FIRST_TOKEN_SHARE`, and of any answer at the deadline.

    The client's read timeout is one for each read, so a stream that drips would outlive it.
    """

    def __init__(self, deadline: float, answer: "ProviderAnswer", reader: HasText) -> None:
        self._deadline = deadline
        self._connection: socket.socket = answer.socket
        self._reader = reader
        self._lock = Lock()
        self._timer: Timer | None = None
        self._is_over = False
        self.timed_out = False

    def __enter__(self) -> Self:
        self._start(remaining(self._deadline) * FIRST_TOKEN_SHARE)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._is_over = True
            if self._timer is not None:
                self._timer.cancel()

    def _start(self, seconds: float) -> None:
        with self._lock:
            # The timer's thread may get here just after the answer has ended.
            if not self._is_over:
                self._timer = _timers.after(seconds, self._on_timer)

    def _on_timer(self) -> None:
        seconds = self._deadline - time.monotonic()
        if self._reader.has_text and seconds > 0:
            self._start(seconds)
            return
        self.timed_out = True
        # A shutdown wakes the thread that reads, which a close would not.
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
