"""An API of a customer on a loopback port: answers what a test wrote down, and remembers what it was asked."""

import json
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Reply:
    """`body` is JSON unless it is text or bytes. `drips` sends it a byte at a time until the server stops; `hangs` never answers."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drips: bool = False
    hangs: bool = False

    @property
    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


@dataclass(frozen=True, slots=True)
class Request:
    """Names of headers in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


class CustomerApi:
    """The server in a thread. `tls` makes it speak HTTPS."""

    def __init__(self, answer: Reply | Callable[[Request], Reply], tls: ssl.SSLContext | None = None) -> None:
        self.answer = answer
        self.requests: list[Request] = []
        self.stopping = threading.Event()
        self._http = _Server(("127.0.0.1", 0), type("_Bound", (_Handler,), {"api": self}))
        if tls is not None:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up, or that refuses the certificate, is nothing to talk about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api: CustomerApi

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""

    def _serve(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path, headers, json.loads(content) if content else None)
        self.api.requests.append(request)
        reply = self.api.answer if isinstance(self.api.answer, Reply) else self.api.answer(request)
        if reply.hangs:
            self.api.stopping.wait()
            return
        self.send_response(reply.status)
        kind = "text/plain; charset=utf-8" if isinstance(reply.body, str) else "application/json"
        defaults = {"Content-Type": kind, "Content-Length": str(len(reply.content))}
        for name, value in {**defaults, **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if reply.drips:
            for place in range(len(reply.content)):
                self.wfile.write(reply.content[place : place + 1])
                if self.api.stopping.wait(0.02):
                    return
        else:
            self.wfile.write(reply.content)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve
