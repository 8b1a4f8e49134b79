"""Bounds for what a provider sends before its answer: headers, and the whole text of an error.

The SDKs read both before they return, with a timeout for each read only, which a provider that drips outlives.
"""

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any

import httpcore2
import httpx2
from msgspec import Struct

MAX_OPENING_BYTES = 1_000_000
"""Bytes of headers and of an error's text, which is not shown to anybody."""


class _Call(Struct):
    """The time and calls left to the request of a thread; `deadline` is in seconds of `time.monotonic()`."""

    deadline: float
    bytes_left: int = MAX_OPENING_BYTES


_current = local()


@contextmanager
def bounded_call(seconds: float) -> Iterator[None]:
    """Let the reads of this thread's request end after so many seconds, and after `MAX_OPENING_BYTES`."""
    _current.call = _Call(time.monotonic() + seconds)
    try:
        yield
    finally:
        _current.call = None


def bound_connections(client: httpx2.Client) -> None:
    """Let the client's connections keep to `bounded_call`.

    Neither httpx nor the SDKs take a network backend, and a transport of our own would lose the environment's proxies.
    """
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx2.HTTPTransport):
            pool = transport._pool
            pool._network_backend = _Backend(pool._network_backend)


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, backend: httpcore2.NetworkBackend) -> None:
        self._backend = backend

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(self._backend.connect_tcp(host, port, timeout, local_address, socket_options))


class _Stream(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        call: _Call | None = getattr(_current, "call", None)
        if call is None:
            return self._stream.read(max_bytes, timeout)
        seconds = call.deadline - time.monotonic()
        if seconds <= 0:
            raise httpcore2.ReadTimeout("the call's time is over")
        piece = self._stream.read(max_bytes, seconds)
        call.bytes_left -= len(piece)
        if call.bytes_left < 0:
            raise httpcore2.ReadError("more was sent than a call may take")
        return piece

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
