"""Spans of the request's or message's tracer, or nothing where nothing is traced."""

from collections.abc import Mapping

from aisha.domain.ports.tracing import Attributes, Span, SpanKind
from aisha.observability.request_context import Scope


def span_in(
    scope: Scope | None, name: str, kind: SpanKind, attributes: Attributes, at_ns: int | None = None
) -> Span | None:
    """Return a span within the innermost of the scope; None when nothing is traced."""
    if scope is None or scope.tracer is None:
        return None
    return scope.tracer.start(name, kind, scope.span, attributes, at_ns)


def root_span(
    scope: Scope, name: str, kind: SpanKind, headers: Mapping[str, str], attributes: Attributes
) -> Span | None:
    """Return the span of a whole request, within the one that its header fields name; None when nothing is traced."""
    return None if scope.tracer is None else scope.tracer.start(name, kind, headers, attributes)


def flush(scope: Scope) -> None:
    """Send the spans; call it before the response ends, because Lambda then freezes the process."""
    if scope.tracer is not None:
        scope.tracer.flush()
