"""The queue between the thread that generates a stream and the event loop that sends it."""

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
"""Interval after which a comment is sent when there are no events, so that proxies keep the connection."""


class SseFeed:
    """The bytes of a text generator, which runs in a thread. Pieces that wait at the same time are sent as one.

    Create it with `begin`. After `cancel` the generator is closed at its next piece.
    """

    def __init__(self, pieces: Generator[str], request_id: str) -> None:
        self._pieces, self._request_id = pieces, request_id
        self._loop, self._ready = asyncio.get_running_loop(), asyncio.Event()
        self._cancelled = threading.Event()
        self._waiting: deque[str] = deque()
        self._signalled = self._is_over = False
        self._error: Exception | None = None
        self._producer: asyncio.Task[None]

    @classmethod
    async def begin(cls, pieces: Generator[str], request_id: str) -> Self:
        """Return the feed once it has its first piece.

        Raises what the generator raises before that. A later error is logged.
        """
        feed = cls(pieces, request_id)
        # The attribute keeps a reference to the task: the event loop has only a weak one.
        feed._producer = asyncio.create_task(to_thread.run_sync(feed._produce))
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
        """The status for logs: 200, or that of the error, although a stream that has begun is sent with 200."""
        if self._error is None:
            return HTTPStatus.OK
        return self._error.status if isinstance(self._error, AishaError) else HTTPStatus.INTERNAL_SERVER_ERROR

    def cancel(self) -> None:
        """Stop the generator, because the client disconnected."""
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
            # Reset the signals before draining: a piece that arrives later signals again. Read `_is_over` before, too:
            # the producer sets it after its last piece, so that piece is still drained.
            self._ready.clear()
            self._signalled = False
            is_over = self._is_over
            # An empty piece does not postpone the keep-alive, because it sends nothing.
            if text := "".join(self._drain()):
                yield text.encode("utf-8", "replace")
                due = self._loop.time() + KEEP_ALIVE_SECONDS
            if is_over:
                return

    def _drain(self) -> list[str]:
        # Only those that wait now: the producer adds pieces meanwhile.
        return [self._waiting.popleft() for _ in range(len(self._waiting))]

    def _produce(self) -> None:
        """Run the generator; called in the thread."""
        has_begun = False
        try:
            with closing(self._pieces) as pieces:
                for piece in pieces:
                    # Before the piece is sent, not after it: a client that leaves with the last piece has the whole
                    # answer, and the generator must come to its end, which stores it.
                    if self._cancelled.is_set():
                        break
                    has_begun = True
                    self._waiting.append(piece)
                    self._signal()
        except Exception as error:
            self._error = error
            if has_begun:
                log_unexpected(error, self._request_id)
        finally:
            # Forces a wake-up: a pending one may have been handled before `_is_over` was set.
            self._is_over, self._signalled = True, False
            self._signal()

    def _signal(self) -> None:
        """Wake the event loop, unless a wake-up is pending: each one costs more than a piece."""
        if not self._signalled:
            self._signalled = True
            with suppress(RuntimeError):  # The event loop is closed: nothing reads any more.
                self._loop.call_soon_threadsafe(self._ready.set)
