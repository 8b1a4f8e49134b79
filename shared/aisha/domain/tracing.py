"""Spans: what took how long within what. Who collects them is an adapter's business."""

from collections.abc import Mapping
from typing import Literal, Protocol

SpanKind = Literal["server", "client", "internal", "consumer"]
Attributes = Mapping[str, str | int | float | bool]


class Span(Protocol):
    """One piece of work under way. Its attributes never hold what people or models wrote."""

    def note(self, attributes: Attributes) -> None:
        """Adds attributes."""
        ...

    def end(self, error_type: str | None = None, at_ns: int | None = None) -> None:
        """Ends it, once; `at_ns` are nanoseconds of the epoch, None is now. With `error_type` it failed."""
        ...


class Tracer(Protocol):
    """Starts spans and sends those that ended."""

    def start(
        self,
        name: str,
        kind: SpanKind,
        parent: Span | Mapping[str, str] | None,
        attributes: Attributes,
        at_ns: int | None = None,
    ) -> Span:
        """A span within `parent`: one of this tracer's, or the header fields of a request that may name one."""
        ...

    def flush(self) -> None:
        """Sends what has ended, and waits for that for two seconds at most. Raises nothing."""
        ...
