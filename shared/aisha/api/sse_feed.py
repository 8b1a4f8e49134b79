"""A turn is made in a thread and sent by the event loop; this is what lies between."""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Generator
from contextlib import closing, suppress
from http import HTTPStatus
from typing import Self

from anyio import to_thread

from aisha.domain.errors import AishaError
from aisha.observability import log_unexpected
from aisha.renderers.server_sent_events import COMMENT

SILENCE_SECONDS = 15.0
"""After so long without anything to send a comment goes out."""


class EventFeed:
    """Text that a generator makes in a thread of its own, as bytes to send. What waits is sent in one piece.

    Made by `begin` alone. After `leave` nothing is made any more: the generator is closed at its next piece.
    """

    def __init__(self, pieces: Generator[str], request_id: str) -> None:
        self._pieces, self._request_id = pieces, request_id
        self._loop, self._ready = asyncio.get_running_loop(), asyncio.Event()
        self._left = threading.Event()
        self._waiting: deque[str] = deque()
        self._signalled = self._is_over = False
        self._error: Exception | None = None
        self._making: asyncio.Task[None]

    @classmethod
    async def begin(cls, pieces: Generator[str], request_id: str) -> Self:
        """The feed with its first piece there. Raises what the generator raises before it; a later error is logged."""
        feed = cls(pieces, request_id)
        feed._making = asyncio.create_task(to_thread.run_sync(feed._make))
        try:
            await feed._ready.wait()
        except asyncio.CancelledError:
            feed.leave()
            raise
        if feed._error is not None and not feed._waiting:
            raise feed._error
        return feed

    @property
    def status(self) -> int:
        """What the answer's status would be if it had not begun before it failed; 200 when it did not fail."""
        if self._error is None:
            return HTTPStatus.OK
        return self._error.status if isinstance(self._error, AishaError) else HTTPStatus.INTERNAL_SERVER_ERROR

    def leave(self) -> None:
        """Nobody reads any more."""
        self._left.set()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        due = self._loop.time() + SILENCE_SECONDS
        while True:
            try:
                async with asyncio.timeout_at(due):
                    await self._ready.wait()
            except TimeoutError:
                yield COMMENT.encode()
                due = self._loop.time() + SILENCE_SECONDS
                continue
            self._ready.clear()
            self._signalled = False
            is_over = self._is_over
            if text := "".join(self._taken()):
                yield text.encode("utf-8", "replace")
                due = self._loop.time() + SILENCE_SECONDS
            if is_over:
                return

    def _taken(self) -> list[str]:
        return [self._waiting.popleft() for _ in range(len(self._waiting))]

    def _make(self) -> None:
        """Runs in the thread."""
        begun = False
        try:
            with closing(self._pieces) as pieces:
                for piece in pieces:
                    begun = True
                    self._waiting.append(piece)
                    self._signal()
                    if self._left.is_set():
                        break
        except Exception as error:
            self._error = error
            if begun:
                log_unexpected(error, self._request_id)
        finally:
            self._is_over, self._signalled = True, False
            self._signal()

    def _signal(self) -> None:
        """Wakes the reader, unless it was told already and has not looked yet: waking costs more than a piece."""
        if not self._signalled:
            self._signalled = True
            with suppress(RuntimeError):  # The loop has ended, and every reader with it.
                self._loop.call_soon_threadsafe(self._ready.set)
