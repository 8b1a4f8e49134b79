"""The queue between the thread that makes a stream's text and the event loop that sends it."""

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

KEEP_ALIVE_SECONDS = 15.0
"""A comment is sent after so long without anything else to send."""


class SseFeed:
    """Text of a generator, which runs in a thread of its own, as bytes to send. Waiting pieces are sent in one.

    Made by `begin` alone. After `cancel` the generator is closed at its next piece.
    """

    def __init__(self, pieces: Generator[str], request_id: str) -> None:
        self._pieces, self._request_id = pieces, request_id
        self._loop, self._ready = asyncio.get_running_loop(), asyncio.Event()
        self._cancelled = threading.Event()
        self._waiting: deque[str] = deque()
        self._signalled = self._is_over = False
        self._error: Exception | None = None
        self._making: asyncio.Task[None]

    @classmethod
    async def begin(cls, pieces: Generator[str], request_id: str) -> Self:
        """Return the feed once it has its first piece. Raises what the generator raises before it; a later error is logged."""
        feed = cls(pieces, request_id)
        feed._making = asyncio.create_task(to_thread.run_sync(feed._make))
        try:
            await feed._ready.wait()
        except asyncio.CancelledError:
            feed.cancel()
            raise
        if feed._error is not None and not feed._waiting:
            raise feed._error
        return feed

    @property
    def status(self) -> int:
        """The status that the answer would have if it had failed before it began; 200 without a failure."""
        if self._error is None:
            return HTTPStatus.OK
        return self._error.status if isinstance(self._error, AishaError) else HTTPStatus.INTERNAL_SERVER_ERROR

    def cancel(self) -> None:
        """Stop making text: the client disconnected."""
        self._cancelled.set()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        due = self._loop.time() + KEEP_ALIVE_SECONDS
        while True:
            try:
                async with asyncio.timeout_at(due):
                    await self._ready.wait()
            except TimeoutError:
                yield COMMENT.encode()
                due = self._loop.time() + KEEP_ALIVE_SECONDS
                continue
            self._ready.clear()
            self._signalled = False
            is_over = self._is_over
            if text := "".join(self._taken()):
                yield text.encode("utf-8", "replace")
                due = self._loop.time() + KEEP_ALIVE_SECONDS
            if is_over:
                return

    def _taken(self) -> list[str]:
        return [self._waiting.popleft() for _ in range(len(self._waiting))]

    def _make(self) -> None:
        """Run the generator, in the thread."""
        begun = False
        try:
            with closing(self._pieces) as pieces:
                for piece in pieces:
                    begun = True
                    self._waiting.append(piece)
                    self._signal()
                    if self._cancelled.is_set():
                        break
        except Exception as error:
            self._error = error
            if begun:
                log_unexpected(error, self._request_id)
        finally:
            self._is_over, self._signalled = True, False
            self._signal()

    def _signal(self) -> None:
        """Wake the reader, unless a wake-up is pending: waking costs more than a piece."""
        if not self._signalled:
            self._signalled = True
            with suppress(RuntimeError):  # The loop has ended, and every reader with it.
                self._loop.call_soon_threadsafe(self._ready.set)
