"""Spans of work with their durations, for tracing. Adapters collect them."""

from collections.abc import Mapping
from typing import Literal, Protocol

SpanKind = Literal["server", "client", "internal", "consumer"]
Attributes = Mapping[str, str | int | float | bool]


class Span(Protocol):
    """One piece of work. Its attributes never hold text of users or models."""

    def note(self, attributes: Attributes) -> None:
        """Add attributes."""
        ...

    def end(self, error_type: str | None = None, at_ns: int | None = None) -> None:
        """End the span, once, `at_ns` nanoseconds since the epoch or now. With `error_type` it failed."""
        ...


class Tracer(Protocol):
    """Starts spans, and sends those that ended."""

    def start(
        self,
        name: str,
        kind: SpanKind,
        parent: Span | Mapping[str, str] | None,
        attributes: Attributes,
        at_ns: int | None = None,
    ) -> Span:
        """Start a span within `parent`: a span of this tracer, or the header fields of a request that may name one."""
        ...

    def flush(self) -> None:
        """Send the spans that ended, within two seconds. Raises nothing."""
        ...
