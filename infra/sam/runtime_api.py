"""A Lambda sandbox on loopback: Lambda's runtime API and extensions API for one function's own processes.

It feeds events to a real runtime client, one at a time, and passes a streamed response on as it arrives, which AWS's
emulator does not do. A response in streaming mode begins with a JSON prelude (status, headers), then eight zero bytes,
then the body: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html
"""

import json
import os
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from typing import Any, Self

SEPARATOR = b"\0" * 8
POLL_SECONDS = 0.2
"""Interval at which a waiting caller checks that the function's processes still run."""
STOP_SECONDS = 5
_ACCEPTED = b'{"status":"OK"}'


class FunctionError(Exception):
    """The function raised, or its processes ended. The message has the error's type and message, like Lambda's."""


@dataclass
class Invocation:
    """One event in the runtime. `parts` ends with None."""

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


@dataclass
class _State:
    """The state that the API's threads and the caller share."""

    waiting: Queue[Invocation] = field(default_factory=Queue)
    opened: dict[str, Invocation] = field(default_factory=dict)
    is_ready: threading.Event = field(default_factory=threading.Event)


class Sandbox:
    """Runs a function's commands (the runtime, then its extensions) while it is open, as a context manager.

    They get `environment` and AWS_LAMBDA_RUNTIME_API and nothing else, run in `cwd` and write to the file `log`.
    """

    def __init__(
        self, commands: Sequence[Sequence[str]], environment: Mapping[str, str], *, cwd: Path, log: Path
    ) -> None:
        self._commands, self._environment, self._cwd, self._log = commands, dict(environment), cwd, log
        self._state = _State()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_RuntimeApi, self._state))
        self._server.daemon_threads = True
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{self._server.server_address[1]}"
        environment = self._environment | {"AWS_LAMBDA_RUNTIME_API": address}
        with self._log.open("ab") as log:
            for command in self._commands:
                process = subprocess.Popen(
                    command, env=environment, cwd=self._cwd, stdout=log, stderr=log, start_new_session=True
                )
                self._processes.append(process)
        return self

    def __exit__(self, *_: object) -> None:
        # The runtime's own children go with it: each has a process group.
        for process in self._processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self._processes:
            try:
                process.wait(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self._server.shutdown()
        self._server.server_close()

    def wait_ready(self, seconds: float = 30.0) -> None:
        """Wait until the runtime asks for its first event after its init. Raises `FunctionError`, TimeoutError."""
        deadline = time.time() + seconds
        # In short waits, so that a process that ends at once is noticed at once.
        while not self._state.is_ready.wait(POLL_SECONDS):
            self._check_alive()
            if time.time() > deadline:
                raise TimeoutError(f"not ready after {seconds} s: {self.log_end()}")

    def invoke(self, event: Mapping[str, Any], seconds: float = 30.0) -> Any:
        """Return the handler's result. Raises `FunctionError` when it raised, TimeoutError after `seconds`."""
        return json.loads(b"".join(self._responses(self._begin(event, seconds))))

    def stream(self, event: Mapping[str, Any], seconds: float = 30.0) -> StreamedResponse:
        """Return the response of a function in streaming mode. Raises like `invoke`."""
        invocation = self._begin(event, seconds)
        parts = self._responses(invocation)
        head = b""
        for part in parts:
            head += part
            if SEPARATOR in head:
                break
        began = time.monotonic()
        prelude, _, first = head.partition(SEPARATOR)
        chunks = [(0.0, first)] if first else []
        chunks += [(time.monotonic() - began, part) for part in parts]
        return StreamedResponse(json.loads(prelude), chunks, invocation.mode)

    def log_end(self) -> str:
        """Return the last lines of the function's output."""
        return "\n".join(self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:])

    def _begin(self, event: Mapping[str, Any], seconds: float) -> Invocation:
        invocation = Invocation(json.dumps(event).encode(), int((time.time() + seconds) * 1000))
        # Before the event is handed out: the response may come at once.
        self._state.opened[invocation.id] = invocation
        self._state.waiting.put(invocation)
        return invocation

    def _responses(self, invocation: Invocation) -> Iterator[bytes]:
        parts = self._parts(invocation)
        first = next(parts, b"")
        if invocation.failed:
            report = json.loads(b"".join([first, *parts]) or b"{}")
            raise FunctionError(f"{report.get('errorType')}: {report.get('errorMessage')}")
        yield first
        yield from parts

    def _parts(self, invocation: Invocation) -> Iterator[bytes]:
        while True:
            try:
                part = invocation.parts.get(timeout=POLL_SECONDS)
            except Empty:
                self._check_alive()
                if time.time() * 1000 > invocation.deadline_ms:
                    raise TimeoutError(f"the function did not answer in time: {self.log_end()}") from None
                continue
            if part is None:
                return
            yield part

    def _check_alive(self) -> None:
        for command, process in zip(self._commands, self._processes, strict=True):
            if (code := process.poll()) is not None:
                raise FunctionError(f"{command[0]} ended with {code}: {self.log_end()}")


class _RuntimeApi(BaseHTTPRequestHandler):
    """Hands the state's invocations to the runtime that polls for them, and collects its responses."""

    protocol_version = "HTTP/1.1"

    def __init__(self, state: _State, *arguments: Any) -> None:
        self._state = state
        super().__init__(*arguments)

    def log_message(self, format: str, *values: Any) -> None:
        """Do nothing: a line for each request would hide the function's own log."""

    def do_GET(self) -> None:
        if self.path.endswith("/extension/event/next"):
            threading.Event().wait()  # The only event would be SHUTDOWN.
        self._state.is_ready.set()
        invocation = self._state.waiting.get()
        self._answer(
            200,
            invocation.event,
            {
                "Content-Type": "application/json",  # AWS's clients read it without looking whether it is there.
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
        if last in ("response", "error") and (invocation := self._state.opened.pop(parent, None)):
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
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
