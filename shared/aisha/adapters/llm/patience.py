"""How long a provider is waited for."""

import socket
import time
from contextlib import suppress
from threading import Lock, Timer
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


class HangUp:
    """Hangs up on an answer that has no text after `PATIENCE`, and on any at the deadline.

    The client's read timeout is one for each read, so a stream that drips would outlive it.
    """

    def __init__(self, deadline: float, response: httpx2.Response, heard: Heard) -> None:
        self._deadline = deadline
        self._connection: socket.socket = response.extensions["network_stream"].get_extra_info("socket")
        self._heard = heard
        self._lock = Lock()
        self._timer: Timer | None = None
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
            if self._timer is not None:
                self._timer.cancel()

    def _start(self, seconds: float) -> None:
        with self._lock:
            if self._over:
                return
            self._timer = Timer(seconds, self._ring)
            self._timer.daemon = True
            self._timer.start()

    def _ring(self) -> None:
        left = self._deadline - time.monotonic()
        if self._heard.has_text and left > 0:
            self._start(left)
            return
        self.lost_patience = True
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
