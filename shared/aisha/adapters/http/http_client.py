"""HTTP requests to checked addresses, with a deadline and a limit to the answer's length.

httpcore rather than the client above it: only here can the name be resolved once, the address be checked and that very
address be connected to (a second look-up could be answered otherwise: DNS rebinding), while TLS still checks the name.
"""

import socket
import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import Any

import httpcore2
from msgspec import Struct

from aisha.adapters.http.addresses import may_connect
from aisha.domain.errors import DeadlineExceededError, PayloadTooLargeError, PermissionDeniedError, UnavailableError

Resolver = Callable[..., Sequence[tuple[Any, Any, Any, Any, Any]]]
_LOOKUPS = 4
"""Names looked up in parallel: one that hangs, which nothing can interrupt, holds up no other."""


class HttpRequest(Struct, frozen=True):
    """`seconds` is for the whole request, from the look-up of the name to the answer's last byte."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    seconds: float
    max_bytes: int
    allow_private: bool


class HttpAnswer(Struct, frozen=True):
    """`headers` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpStream(Struct, frozen=True):
    """An answer whose body is still to come.

    `headers` have lower-case names; `pieces` raises an error after `max_bytes`.
    """

    status: int
    headers: Mapping[str, str]
    pieces: Iterator[bytes]


class HttpClient:
    """Sends requests, each over a connection of its own: redirects are not followed, proxies are not used.

    `tls` is what certificates are checked against; None for the system's authorities. `resolve` is `getaddrinfo`.
    """

    def __init__(self, tls: ssl.SSLContext | None = None, resolve: Resolver = socket.getaddrinfo) -> None:
        self._tls = tls
        self._resolve = resolve
        self._lookups = ThreadPoolExecutor(_LOOKUPS, thread_name_prefix="lookups")

    def send(self, request: HttpRequest) -> HttpAnswer:
        """Return the answer, whatever its status.

        Raises `PermissionDeniedError` for an address that is off limits, `DeadlineExceededError`,
        `PayloadTooLargeError`, `UnavailableError`.
        """
        with self.open(request) as answer:
            return HttpAnswer(answer.status, answer.headers, b"".join(answer.pieces))

    @contextmanager
    def open(self, request: HttpRequest) -> Iterator[HttpStream]:
        """Yield the answer as it comes, until the context is left. Raises what `send` does, also while it is read."""
        deadline = monotonic() + request.seconds
        backend = _CheckedBackend(deadline, self._addresses, allow_private=request.allow_private)
        try:
            with (
                httpcore2.ConnectionPool(ssl_context=self._tls, network_backend=backend) as pool,
                pool.stream(
                    request.method, request.url, headers=list(request.headers.items()), content=request.body
                ) as response,
            ):
                headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
                yield HttpStream(response.status, headers, _read(response.iter_stream(), request.max_bytes))
        except httpcore2.TimeoutException:
            raise DeadlineExceededError(
                f"It did not answer within {request.seconds:g} seconds", suggestion="Try again later."
            ) from None
        except httpcore2.ConnectError as error:
            raise UnavailableError("It can't be reached", suggestion="Try again later.") from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError):
            # Without the cause: a protocol error may quote a header, and so a secret.
            raise UnavailableError("It broke off its answer", suggestion="Try again later.") from None

    def _addresses(self, host: str, port: int, seconds: float) -> list[str]:
        lookup = self._lookups.submit(self._resolve, host, port, type=socket.SOCK_STREAM)
        try:
            return list(dict.fromkeys(str(info[4][0]) for info in lookup.result(max(seconds, 0))))
        # Before OSError, of which TimeoutError is a subclass.
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout from error
        except OSError as error:
            raise httpcore2.ConnectError("unknown host") from error


@contextmanager
def failures_of(host: str) -> Iterator[None]:
    """Re-raise transport errors as `UnavailableError` naming `host`; an over-long body counts as one."""
    try:
        yield
    except (DeadlineExceededError, UnavailableError, PayloadTooLargeError) as error:
        kind = DeadlineExceededError if isinstance(error, DeadlineExceededError) else UnavailableError
        reason = error.message[:1].lower() + error.message[1:]
        raise kind(f"{host} did not answer: {reason}", suggestion=error.suggestion, detail=error.detail) from error


def _read(pieces: Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > max_bytes:
            raise PayloadTooLargeError(
                f"Its answer is longer than {max_bytes} bytes", suggestion="Ask for less at once."
            )
        yield piece


class _CheckedBackend(httpcore2.NetworkBackend):
    def __init__(
        self, deadline: float, look_up: Callable[[str, int, float], list[str]], *, allow_private: bool
    ) -> None:
        self._deadline = deadline
        self._allow_private = allow_private
        self._look_up = look_up
        self._plain = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - one deadline for everything
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        addresses = self._look_up(host.strip("[]"), port, _remaining(self._deadline, httpcore2.ConnectTimeout))
        # All of them: an attacker's name may have a public address as well as a private one.
        if not all(may_connect(address, allow_private=self._allow_private) for address in addresses):
            raise PermissionDeniedError(f"{host} is at an address that requests may not go to")
        failure: Exception = httpcore2.ConnectError("no address")
        for address in addresses:
            seconds = _remaining(self._deadline, httpcore2.ConnectTimeout)
            try:
                stream = self._plain.connect_tcp(address, port, seconds, local_address, socket_options)
            except httpcore2.ConnectError as error:
                failure = error
            else:
                return _TimedStream(stream, self._deadline)
        raise failure


class _TimedStream(httpcore2.NetworkStream):
    """A stream whose every wait ends at the deadline: a timeout for each read would let an answer drip for ever."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return self._stream.read(max_bytes, _remaining(self._deadline, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        self._stream.write(buffer, _remaining(self._deadline, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        seconds = _remaining(self._deadline, httpcore2.ConnectTimeout)
        return _TimedStream(self._stream.start_tls(ssl_context, server_hostname, seconds), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _remaining(deadline: float, error: type[Exception]) -> float:
    if (seconds := deadline - monotonic()) <= 0:
        raise error("the request's time is over")
    return seconds
