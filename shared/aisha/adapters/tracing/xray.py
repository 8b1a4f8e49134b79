"""Spans as subsegments of Lambda's own X-Ray segment, sent to its daemon by UDP. AWS's SDK for that is at its end of life.

The form of a subsegment: https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html
"""

import json
import re
import secrets
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import time

from aisha.domain.tracing import Attributes, Span, SpanKind

TRACE_HEADER = "x-amzn-trace-id"
_HEAD = b'{"format": "json", "version": 1}\n'
_ADDRESS = re.compile(r"(?:.*udp:)?(?P<host>[^\s:]+):(?P<port>\d+)(?:\s.*)?")
_NOT_IN_NAMES = re.compile(r"[^\w\s.:/%&#=+\-@]")
_LONGEST_NAME = 200


class XRaySpan:
    """A subsegment that is sent when it ends; with no trace to belong to it is not."""

    def __init__(
        self, send: Callable[[bytes], None], name: str, kind: SpanKind, trace: str, parent: str, at_ns: int | None
    ) -> None:
        self._send, self.trace, self.id, self._parent = send, trace, secrets.token_hex(8), parent
        self._name, self._kind = _NOT_IN_NAMES.sub("_", name)[:_LONGEST_NAME], kind
        self._start = time() if at_ns is None else at_ns / 1e9
        self._attributes: dict[str, str | int | float | bool] = {}

    def note(self, attributes: Attributes) -> None:
        """Adds attributes. X-Ray searches for them by name with `_` for every dot."""
        self._attributes |= {name.replace(".", "_"): value for name, value in attributes.items()}

    def end(self, error_type: str | None = None, at_ns: int | None = None) -> None:
        """Sends it."""
        if not self.trace:
            return
        failed = {} if error_type is None else {"fault": True}
        if error_type is not None:
            self._attributes["error_type"] = error_type
        document = {
            "type": "subsegment",
            "name": self._name,
            "id": self.id,
            "trace_id": self.trace,
            "parent_id": self._parent,
            "start_time": self._start,
            "end_time": time() if at_ns is None else at_ns / 1e9,
            "annotations": self._attributes,
            **({"namespace": "remote"} if self._kind == "client" else {}),
            **failed,
        }
        self._send(_HEAD + json.dumps(document).encode())


class XRayTracer:
    """Sends spans to the daemon at `host:port`. `invocation` gives the trace header of the invocation at work.

    Raises ValueError for an address that is none.
    """

    def __init__(self, daemon: str, invocation: Callable[[], str]) -> None:
        if (address := _ADDRESS.fullmatch(daemon)) is None:
            raise ValueError(f"AWS_XRAY_DAEMON_ADDRESS must be host:port, not {daemon!r}")
        self._address = address["host"], int(address["port"])
        self._invocation = invocation
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def start(
        self,
        name: str,
        kind: SpanKind,
        parent: Span | Mapping[str, str] | None,
        attributes: Attributes,
        at_ns: int | None = None,
    ) -> XRaySpan:
        """A span within `parent`, or within the segment that the invocation or else the request names.

        What comes from API Gateway has a trace, but no segment in it: that is Lambda's own, which only the invocation names.
        """
        if isinstance(parent, XRaySpan):
            trace, within = parent.trace, parent.id
        else:
            headers = parent if isinstance(parent, Mapping) else {}
            trace, within = _sampled(self._invocation() or headers.get(TRACE_HEADER, ""))
        span = XRaySpan(self._sent, name, kind, trace, within, at_ns)
        span.note(attributes)
        return span

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        """Gives the socket back."""
        self._socket.close()

    def _sent(self, document: bytes) -> None:
        # A trace that is lost must not cost the user the answer.
        with suppress(OSError):
            self._socket.sendto(document, self._address)


def _sampled(header: str) -> tuple[str, str]:
    """The trace and the segment of a header `Root=1-...;Parent=...;Sampled=1`; empty when it is not to be recorded."""
    fields = dict(part.strip().partition("=")[::2] for part in header.split(";"))
    if fields.get("Sampled") != "1" or not fields.get("Root") or not fields.get("Parent"):
        return "", ""
    return fields["Root"], fields["Parent"]
