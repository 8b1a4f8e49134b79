"""A fake of a customer's HTTP API on a loopback port with scripted answers; it records its requests."""

import json
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from tests.fakes.systems.loopback import LoopbackHandler, LoopbackServer


@dataclass(frozen=True, slots=True)
class Reply:
    """A response. `body` is sent as JSON unless it is text or bytes.

    `drips` sends it one byte at a time until the server stops; `hangs` never answers.
    """

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
    """A recorded request. Header names are in lower case, `body` is the parsed JSON, or the fields of a form."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


class CustomerApi(LoopbackServer):
    """The server in a thread. With `tls` it speaks HTTPS."""

    def __init__(self, answer: Reply | Callable[[Request], Reply], tls: ssl.SSLContext | None = None) -> None:
        super().__init__(_Handler)
        self.answer = answer
        self.requests: list[Request] = []
        if tls is not None:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)


class _Handler(LoopbackHandler):
    fake: CustomerApi

    def _serve(self) -> None:
        content = self.content()
        headers = self.lower_headers()
        is_form = headers.get("content-type") == "application/x-www-form-urlencoded"
        body = dict(parse_qsl(content.decode())) if is_form else json.loads(content) if content else None
        request = Request(self.command, self.path, headers, body)
        self.fake.requests.append(request)
        reply = self.fake.answer if isinstance(self.fake.answer, Reply) else self.fake.answer(request)
        if reply.hangs:
            self.fake.stopping.wait()
            return
        kind = "text/plain; charset=utf-8" if isinstance(reply.body, str) else "application/json"
        defaults = {"Content-Type": kind, "Content-Length": str(len(reply.content))}
        self.begin(reply.status, {**defaults, **reply.headers})
        if reply.drips:
            for index in range(len(reply.content)):
                self.wfile.write(reply.content[index : index + 1])
                if self.fake.stopping.wait(0.02):
                    return
        else:
            self.wfile.write(reply.content)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve
