"""A fake of an OpenTelemetry collector for OTLP as JSON."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.fakes.systems.loopback import LoopbackHandler, LoopbackServer


@dataclass(frozen=True)
class CollectedSpan:
    """A received span. Ids are hexadecimal, `parent` is empty for a root, times are in Unix nanoseconds."""

    name: str
    kind: int
    trace: str
    id: str
    parent: str
    start: int
    end: int
    is_error: bool
    attributes: Mapping[str, Any]


class Collector(LoopbackServer):
    """A collector whose `bodies` are the decompressed bodies of the requests."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.bodies: list[str] = []

    @property
    def spans(self) -> list[CollectedSpan]:
        """The spans of all requests, in the order of their starts."""
        documents = [json.loads(body) for body in self.bodies]
        spans = [
            _span(span)
            for document in documents
            for resource in document["resourceSpans"]
            for scope in resource["scopeSpans"]
            for span in scope["spans"]
        ]
        return sorted(spans, key=lambda span: span.start)

    def named(self, name: str) -> CollectedSpan:
        """Return the only span of this name."""
        (span,) = [span for span in self.spans if span.name == name]
        return span


def _span(span: Mapping[str, Any]) -> CollectedSpan:
    values = {entry["key"]: next(iter(entry["value"].values())) for entry in span.get("attributes", [])}
    is_error = (span.get("status") or {}).get("code") == 2
    start, end = int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])
    ids = span["traceId"], span["spanId"], span.get("parentSpanId", "")
    return CollectedSpan(span["name"], span["kind"], *ids, start, end, is_error, values)


class _Handler(LoopbackHandler):
    fake: Collector

    def do_POST(self) -> None:
        body = self.content()
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        is_valid = self.path == "/v1/traces" and self.headers["content-type"] == "application/json"
        if is_valid:
            self.fake.bodies.append(body.decode())
        self.send(200 if is_valid else 400, b"{}", {"Content-Type": "application/json"})
