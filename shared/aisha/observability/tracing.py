"""Spans of this process's tracer, or nothing where the settings want none."""

from collections.abc import Mapping

from aisha import bootstrap
from aisha.domain.tracing import Attributes, Span, SpanKind
from aisha.observability.request_context import Scope


def span_in(
    scope: Scope | None, name: str, kind: SpanKind, attributes: Attributes, at_ns: int | None = None
) -> Span | None:
    """A span within the innermost of the scope; None when nothing is traced."""
    if (traced := bootstrap.tracer()) is None:
        return None
    return traced.start(name, kind, scope.span if scope else None, attributes, at_ns)


def root_span(name: str, kind: SpanKind, headers: Mapping[str, str], attributes: Attributes) -> Span | None:
    """The span of a whole request or message, within what its header fields name."""
    traced = bootstrap.tracer()
    return None if traced is None else traced.start(name, kind, headers, attributes)


def flush() -> None:
    """Sends what was traced; Lambda stops the process when the answer is out."""
    if (traced := bootstrap.tracer()) is not None:
        traced.flush()
