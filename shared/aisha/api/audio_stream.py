"""Streamed audio as an HTTP response."""

from collections.abc import AsyncIterator, Iterator
from typing import Self

from starlette.concurrency import iterate_in_threadpool
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from aisha.api.asgi_app import AsgiExchange

AUDIO = "audio/mpeg"


class AudioStream(StreamingResponse):
    """Audio that is sent while it is synthesized.

    The source is closed when the client disconnects. An error of the source breaks the connection.
    """

    _exchange: AsgiExchange
    _pieces: Iterator[bytes]

    @classmethod
    async def begin(cls, exchange: AsgiExchange, pieces: Iterator[bytes]) -> Self:
        """Return the stream once it has its first piece. Raises what the source raises before that."""
        rest = iterate_in_threadpool(pieces)
        # An error before the first piece can still become a problem document.
        first = await anext(rest, b"")
        headers = {"x-accel-buffering": "no"} | exchange.response_headers
        stream = cls(_chain(first, rest), media_type=AUDIO, headers=headers)
        stream._exchange, stream._pieces = exchange, pieces
        return stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = 500
        try:
            await super().__call__(scope, receive, send)
            status = 200
        finally:
            # No thread is inside the iterator any more: anyio waits for its thread even when the response is cancelled.
            if (close := getattr(self._pieces, "close", None)) is not None:
                close()
            self._exchange.end(status)


async def _chain(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece
