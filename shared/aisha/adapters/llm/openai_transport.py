"""HTTP/1.1 for one streamed answer at a time, with a deadline that holds for every read.

The SDK's own transport takes the read timeout once, when a body begins, so a stream that drips can outlive any deadline;
and it spends more CPU on each small piece than all that is done with it (about 80 µs; here about 20).
"""

import io
import select
import socket
import ssl
import threading
from collections.abc import Iterator
from functools import cache
from http.client import HTTPException, HTTPResponse
from time import monotonic
from typing import Any, cast
from urllib.request import getproxies, proxy_bypass

import httpx2

DEADLINE = "deadline"
"""The request's extension that ends a body, in seconds of `monotonic()`; without it the bound of the headers holds on."""
MOST_IDLE = 16
_READ_BYTES = 64 * 1024
_SHORTEST_WAIT = 0.001


def needs_proxy(url: str) -> bool:
    """Whether this machine reaches the address through a proxy, which `DirectTransport` knows nothing of."""
    parsed = httpx2.URL(url)
    return parsed.scheme in getproxies() and not proxy_bypass(parsed.host)


class DirectTransport(httpx2.BaseTransport):
    """Keeps connections open between requests. A body is given out as it comes and is not decompressed.

    The timeouts are those of the request's `timeout` extension, read anew for every read: `read` bounds the wait for the
    headers as a whole, then each silence of the body.
    """

    def __init__(self) -> None:
        self._idle: list[_Connection] = []
        self._lock = threading.Lock()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Raises the errors of httpx2, like any transport."""
        timeout: dict[str, float | None] = request.extensions["timeout"]
        written = _head(request) + request.read()
        connection = self._taken(request.url) or _connected(request.url, timeout.get("connect"))
        try:
            answer = connection.ask(written, timeout.get("read"))
        except BaseException as error:
            connection.close()
            raise _translated(error) from error
        body = _Body(self, connection, answer, request.extensions)
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.getheaders()]
        return httpx2.Response(answer.status, headers=headers, stream=body)

    def keep(self, connection: "_Connection") -> None:
        """Takes back a connection whose answer was read to its end."""
        with self._lock:
            if len(self._idle) < MOST_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Closes what is idle."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _taken(self, url: httpx2.URL) -> "_Connection | None":
        place = _place(url)
        while True:
            with self._lock:
                found = next((one for one in reversed(self._idle) if one.place == place), None)
                if found is None:
                    return None
                self._idle.remove(found)
            if found.is_usable():
                return found
            found.close()


class _Connection:
    """One socket. It is also what `HTTPResponse` takes for a socket: its file reads within the bounds that hold now."""

    def __init__(self, place: tuple[str, str, int], sock: socket.socket) -> None:
        self.place = place
        self.silence: float | None = None
        self.deadline: float | None = None
        self._socket = sock

    def ask(self, request: bytes, seconds: float | None) -> HTTPResponse:
        """Sends the request and reads the answer's head, all within `seconds`."""
        self.silence, self.deadline = None, None if seconds is None else monotonic() + seconds
        self._socket.settimeout(seconds)
        self._socket.sendall(request)
        answer = HTTPResponse(cast(socket.socket, self), method="POST")
        answer.begin()
        return answer

    def makefile(self, *_: Any) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self), _READ_BYTES)

    def receive_into(self, buffer: Any) -> int:
        """Raises TimeoutError after `silence` seconds or at the deadline, whichever comes first."""
        wait = self.silence
        if self.deadline is not None:
            left = self.deadline - monotonic()
            if left <= 0:
                raise TimeoutError("the deadline passed")
            wait = left if wait is None else min(wait, left)
        self._socket.settimeout(wait if wait is None else max(wait, _SHORTEST_WAIT))
        return self._socket.recv_into(buffer)

    def is_usable(self) -> bool:
        """False when the other side hung up (or spoke out of turn) while nobody asked anything."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        self._socket.close()


class _Reader(io.RawIOBase):
    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._connection.receive_into(buffer)


class _Body(httpx2.SyncByteStream):
    """Gives its connection back when it was read to the end, and closes it otherwise."""

    def __init__(
        self, transport: DirectTransport, connection: _Connection, answer: HTTPResponse, extensions: dict[str, Any]
    ) -> None:
        self._transport = transport
        self._connection: _Connection | None = connection
        self._answer = answer
        self._extensions = extensions

    def __iter__(self) -> Iterator[bytes]:
        connection, bounds = self._connection, self._extensions
        if connection is None:
            return
        try:
            while True:
                connection.silence = bounds["timeout"].get("read")
                connection.deadline = bounds.get(DEADLINE, connection.deadline)
                if not (piece := self._answer.read1(_READ_BYTES)):
                    return
                yield piece
        except (OSError, HTTPException, ValueError) as error:
            raise _translated(error) from error

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if self._answer.isclosed() and not self._answer.will_close:
            self._transport.keep(connection)
        else:
            self._answer.close()
            connection.close()


def _place(url: httpx2.URL) -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or (443 if url.scheme == "https" else 80)


def _connected(url: httpx2.URL, seconds: float | None) -> _Connection:
    scheme, host, port = place = _place(url)
    sock: socket.socket | None = None
    try:
        sock = socket.create_connection((host, port), seconds)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if scheme == "https":
            sock = _tls().wrap_socket(sock, server_hostname=host)
    except OSError as error:
        if sock is not None:
            sock.close()
        timed_out = isinstance(error, TimeoutError)
        raise (httpx2.ConnectTimeout if timed_out else httpx2.ConnectError)("no connection") from error
    return _Connection(place, sock)


@cache
def _tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


def _head(request: httpx2.Request) -> bytes:
    lines = [b"%b %b HTTP/1.1" % (request.method.encode(), request.url.raw_path)]
    lines += [b"%b: %b" % header for header in request.headers.raw]
    if any(b"\n" in line or b"\r" in line for line in lines):
        raise httpx2.LocalProtocolError("a header with a line break in it")
    return b"\r\n".join([*lines, b"", b""])


def _translated(error: BaseException) -> BaseException:
    if isinstance(error, TimeoutError):
        return httpx2.ReadTimeout("no answer in time")
    if isinstance(error, OSError | HTTPException | ValueError):
        return httpx2.ReadError("the connection broke")
    return error
