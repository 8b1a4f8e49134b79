"""A Lambda sandbox on loopback that passes a streamed response on as it arrives, which AWS's emulator does not do.

It speaks the runtime API and the extensions API to one runtime process, one invocation at a time. A response in
streaming mode begins with a JSON prelude (status, headers), then eight zero bytes, then the body:
https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html
"""

import json
import os
import subprocess
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from types import TracebackType
from typing import Any, Self

SEPARATOR = b"\0" * 8
_ACCEPTED = b'{"status":"OK"}'


@dataclass
class Invocation:
    """One event on its way through the runtime. `parts` ends with None."""

    event: bytes
    deadline_ms: int
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    mode: str = "buffered"
    failed: bool = False
    parts: Queue[bytes | None] = field(default_factory=Queue)


@dataclass(frozen=True)
class StreamedResponse:
    """The prelude, and the body's chunks with the seconds from the start of the body until each came."""

    prelude: dict[str, Any]
    chunks: list[tuple[float, bytes]]
    mode: str

    @property
    def body(self) -> bytes:
        return b"".join(chunk for _, chunk in self.chunks)


class Sandbox:
    """Runs `command` with AWS_LAMBDA_RUNTIME_API set, as a context manager; `port` 0 takes a free one."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], *, cwd: str, port: int = 0) -> None:
        self._command, self._environment, self._cwd = list(command), dict(environment), cwd
        self._waiting: Queue[Invocation] = Queue()
        self._open: dict[str, Invocation] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self._waiting, self._open))
        self._server.daemon_threads = True
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{self._server.server_address[1]}"
        environment = os.environ | self._environment | {"AWS_LAMBDA_RUNTIME_API": address}
        self._process = subprocess.Popen(self._command, env=environment, cwd=self._cwd)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait(timeout=10)
        self._server.shutdown()
        self._server.server_close()

    def stream(self, event: Mapping[str, Any], seconds: float = 30.0) -> StreamedResponse:
        """Invokes with `event`. Raises RuntimeError when the runtime reports an error, queue.Empty past `seconds`."""
        deadline = time.time() + seconds
        invocation = Invocation(json.dumps(event).encode(), int(deadline * 1000))
        self._open[invocation.id] = invocation
        self._waiting.put(invocation)
        head = b""
        parts = _until_end(invocation, deadline)
        for part in parts:
            head += part
            if invocation.failed or SEPARATOR in head:
                break
        if invocation.failed:
            raise RuntimeError((head + b"".join(parts)).decode())
        began = time.monotonic()
        prelude, _, first = head.partition(SEPARATOR)
        chunks = [(0.0, first)] if first else []
        chunks += [(time.monotonic() - began, part) for part in parts]
        return StreamedResponse(json.loads(prelude), chunks, invocation.mode)


def _until_end(invocation: Invocation, deadline: float) -> Iterator[bytes]:
    while (part := invocation.parts.get(timeout=max(0.01, deadline - time.time()))) is not None:
        yield part


def _handler(waiting: Queue[Invocation], opened: dict[str, Invocation]) -> type[BaseHTTPRequestHandler]:
    class RuntimeApi(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *values: Any) -> None:
            """Quiet: a request a line would drown the function's own log."""

        def do_GET(self) -> None:
            if self.path.endswith("/extension/event/next"):
                threading.Event().wait()  # The only event would be SHUTDOWN.
            invocation = waiting.get()
            self._answer(
                200,
                invocation.event,
                {
                    "Lambda-Runtime-Aws-Request-Id": invocation.id,
                    "Lambda-Runtime-Deadline-Ms": str(invocation.deadline_ms),
                    "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:us-east-1:012345678912:function:local",
                    "Lambda-Runtime-Trace-Id": "Root=1-00000000-000000000000000000000000;Sampled=0",
                },
            )

        def do_POST(self) -> None:
            *_, parent, last = self.path.split("/")
            if self.path.endswith("/extension/register"):
                list(self._chunks())
                registered = b'{"functionName":"local","functionVersion":"$LATEST","handler":"run.sh"}'
                return self._answer(200, registered, {"Lambda-Extension-Identifier": str(uuid.uuid4())})
            if last in ("response", "error") and parent in opened:
                invocation = opened.pop(parent)
                invocation.mode = self.headers.get("Lambda-Runtime-Function-Response-Mode", "buffered")
                invocation.failed = last == "error"
                for chunk in self._chunks():
                    invocation.parts.put(chunk)
                invocation.parts.put(None)
                return self._answer(202, _ACCEPTED, {})
            list(self._chunks())
            return self._answer(202, _ACCEPTED, {})

        def _chunks(self) -> Iterator[bytes]:
            if "chunked" not in self.headers.get("Transfer-Encoding", ""):
                yield self.rfile.read(int(self.headers.get("Content-Length") or 0))
                return
            while size := int(self.rfile.readline().split(b";")[0], 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass  # Trailers, Lambda-Runtime-Function-Error-* among them.

        def _answer(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            for name, value in (headers | {"Content-Length": str(len(body))}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    return RuntimeApi
