"""The base of the fakes that speak HTTP: a server on 127.0.0.1 in a thread of the test's process."""

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


class LoopbackServer:
    """A server that runs while it is entered. Handlers that never answer wait for `stopping`, set at the exit."""

    def __init__(self, handler: "type[LoopbackHandler]", port: int = 0) -> None:
        self.stopping = threading.Event()
        self._http = _Server(("127.0.0.1", port), type("_Bound", (handler,), {"fake": self}))
        self.port = int(self._http.server_address[1])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The URL for clients; subclasses add a path."""
        return self.address

    def serve(self) -> None:
        """Serve until the process ends."""
        self._http.serve_forever()

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()


class LoopbackHandler(BaseHTTPRequestHandler):
    """The handler of one connection; `fake` is its server."""

    protocol_version = "HTTP/1.1"
    # Head and body are two packets: with Nagle's algorithm, the second waits 40 ms for the first's acknowledgement.
    disable_nagle_algorithm = True
    fake: Any

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, because tests should print nothing."""

    def lower_headers(self) -> dict[str, str]:
        """Return the request's headers, names in lower case."""
        return {name.lower(): value for name, value in self.headers.items()}

    def content(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Send an answer up to its body."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def send(self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        """Send a whole answer; `headers` may override its length."""
        self.begin(status, {"Content-Length": str(len(body)), **(headers or {})})
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # With the default of 5, connections that twenty threads open at once are delayed by a second or reset.
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that hang up or refuse the certificate, as some tests do."""
