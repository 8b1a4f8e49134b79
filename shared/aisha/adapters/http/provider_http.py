"""Requests to one address of a provider, over connections that are kept, with the environment's proxies.

httpcore rather than the client above it: only here can what a provider sends before its answer be bounded as a whole,
which would otherwise have a timeout for each read only, and only here is it known which pieces arrived together. It
also takes a third less CPU time. Redirects are not followed: they would take the key and the prompt elsewhere.
"""

import socket
import ssl
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from threading import local
from typing import Any

import httpcore2
import httpx2
from msgspec import Struct

CONNECT_SECONDS = 5.0
MAX_OPENING_BYTES = 1_000_000
"""Bytes of headers and of an error's text, which is not shown to anybody."""
TRANSPORT_ERRORS = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.TimeoutException,
    httpcore2.UnsupportedProtocol,
    OSError,
)
_LIMITS = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)
"""Turns run side by side up to the function's concurrency; none waits for another's connection."""
TIMEOUTS = (httpcore2.TimeoutException, TimeoutError)


class StatusError(Exception):
    """The provider refused a request. `headers` have lower-case names; `body` is not for users."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes = b"") -> None:
        super().__init__(f"status {status}")
        self.status, self.headers, self.body = status, headers, body


class ProviderAnswer:
    """An answer whose body is still to come. `headers` have lower-case names; one of them has the request's id."""

    def __init__(self, response: httpcore2.Response, request_id_header: str) -> None:
        self._response = response
        self._stream: _Stream = response.extensions["network_stream"]
        self.headers = {name.decode("latin-1").lower(): text.decode("latin-1") for name, text in response.headers}
        self.request_id = self.headers.get(request_id_header)

    @property
    def socket(self) -> socket.socket:
        """The connection's socket."""
        connected: socket.socket = self._stream.get_extra_info("socket")
        return connected

    def arrivals(self) -> Iterator[bytes]:
        """Yield the body as it arrives: the pieces that one read of the connection brought are joined."""
        waiting: list[bytes] = []
        began = b""
        for piece in self._response.iter_stream():
            if not waiting:
                began = self._stream.last_read
            waiting.append(piece)
            # With or without the end of its chunk. A read that ended otherwise is noticed at the next one.
            is_last = self._stream.last_read.endswith((piece, piece + b"\r\n", piece + b"\r"))
            if is_last or self._stream.last_read is not began:
                yield b"".join(waiting)
                waiting.clear()
        if waiting:
            yield b"".join(waiting)

    def close(self) -> None:
        """Close the connection unless the body was read to its end."""
        self._response.close()


class ProviderHttp:
    """Posts JSON to one address with `headers`. Raises ValueError for a header that can't be sent."""

    def __init__(self, address: str, headers: Mapping[str, str], request_id_header: str = "x-request-id") -> None:
        client, url = httpx2.Client(limits=_LIMITS), httpx2.URL(address)
        # An `HTTPTransport`: the environment's proxy for this address, or none. It takes no network backend.
        self._pool: httpcore2.ConnectionPool = client._transport_for_url(url)._pool  # type: ignore[attr-defined]
        self._pool._network_backend = _Backend(self._pool._network_backend)
        self._url = httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        self._headers = [(b"Host", url.netloc), *httpx2.Headers(headers).raw]
        self._request_id_header = request_id_header
        self.close = client.close

    def post(self, body: bytes, seconds: float, key: str | None = None) -> ProviderAnswer:
        """Return the answer to a request. What comes before its body has `seconds` and `MAX_OPENING_BYTES` in all.

        `key` is sent as a bearer token, where `headers` have none.
        Raises `StatusError` for an answer that is no success, and `TRANSPORT_ERRORS`.
        """
        timeout = {"connect": min(seconds, CONNECT_SECONDS), "read": seconds, "write": seconds, "pool": seconds}
        headers = [*self._headers, (b"Content-Length", b"%d" % len(body))]
        if key is not None:
            headers.append((b"Authorization", b"Bearer " + key.encode("ascii")))
        request = httpcore2.Request(b"POST", self._url, headers=headers, content=body, extensions={"timeout": timeout})
        _current.call = _Call(time.monotonic() + seconds)
        try:
            response = self._pool.handle_request(request)
            answer = ProviderAnswer(response, self._request_id_header)
            if not 200 <= response.status < 300:
                try:
                    # To the end, so that the connection can be used again.
                    text = response.read()
                finally:
                    response.close()
                raise StatusError(response.status, answer.headers, text)
            return answer
        finally:
            _current.call = None


class _Call(Struct):
    """The time and bytes left to the request of a thread; `deadline` is in seconds of `time.monotonic()`."""

    deadline: float
    bytes_left: int = MAX_OPENING_BYTES


_current = local()


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
        self._unsent = b""
        self.last_read = b""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        call: _Call | None = getattr(_current, "call", None)
        if call is not None:
            timeout = call.deadline - time.monotonic()
            if timeout <= 0:
                raise httpcore2.ReadTimeout("the call's time is over")
        if self._unsent:
            unsent, self._unsent = self._unsent, b""
            # A provider may refuse a request before it has read all of it, and that answer is still read.
            with suppress(httpcore2.WriteError):
                self._stream.write(unsent, timeout)
        self.last_read = self._stream.read(max_bytes, timeout)
        if call is not None:
            call.bytes_left -= len(self.last_read)
            if call.bytes_left < 0:
                raise httpcore2.ReadError("more was sent than a call may take")
        return self.last_read

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002 - it is written by `read`
        # Headers and body go out together.
        self._unsent += buffer

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
