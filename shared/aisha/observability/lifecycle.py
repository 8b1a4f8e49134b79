"""The lifecycle of requests and messages: their scope, their log line, their metrics and span at the end."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from itertools import count
from typing import Any, Protocol

from aisha.domain.ports.tracing import SpanKind, Tracer
from aisha.observability.logs import logger
from aisha.observability.metrics import measure, write_measured
from aisha.observability.request_context import Scope, current, enter, within
from aisha.observability.tracing import flush, root_span, span_in
from aisha.settings import settings

# W3C Trace Context: version, trace id, parent id, flags; ids of zeros are invalid.
TRACEPARENT = re.compile(r"[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")
# Safe in a log line and in a header.
_CORRELATION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,127}")
# `next` on it is atomic, so exactly one of several first requests counts as the cold start.
_SCOPES = count()


class InvocationContext(Protocol):
    """The part of Lambda's context that log lines need."""

    @property
    def aws_request_id(self) -> str: ...


def begin_request(
    route: str,
    request_id: str,
    headers: Mapping[str, str],
    invocation: InvocationContext | None = None,
    tracer: Tracer | None = None,
) -> Scope:
    """Enter the scope of an HTTP request and return it.

    `route` has few values, because it is a dimension of metrics. Names of `headers` are lower-case.
    """
    fields = {"request_id": request_id, "correlation_id": correlation_id(headers, request_id)}
    scope = _new_scope(route, fields, invocation, tracer)
    method, _, path = route.partition(" ")
    attributes = {"http.request.method": method, "http.route": path, "aisha.request_id": request_id}
    scope.span = root_span(scope, route, "server", headers, attributes)
    enter(scope)
    return scope


def end_request(scope: Scope, status: int) -> None:
    """Write the request's log line and metrics, and end its span; `flush` sends the spans."""
    elapsed = scope.milliseconds
    with within(scope):
        logger.info("request", extra={"status": status, "duration_ms": round(elapsed, 1)})
        measure("Latency", elapsed, route=scope.route)
        measure("Errors", int(status >= 500), route=scope.route)
    # Last: it marks the scope as over, after which each metric is written at once.
    write_measured(scope)
    if scope.span is not None:
        _note_tenant(scope)
        scope.span.note({"http.response.status_code": status})
        scope.span.end(str(status) if status >= 500 else None)


def correlation_id(headers: Mapping[str, str], request_id: str) -> str:
    """Return the client's x-correlation-id, x-request-id or trace id; else the request's own id."""
    for name in ("x-correlation-id", "x-request-id"):
        if _CORRELATION_ID.fullmatch(value := headers.get(name, "")):
            return value
    trace = TRACEPARENT.fullmatch(headers.get("traceparent", ""))
    return trace[1] if trace else request_id


def observed_handler[E, C: InvocationContext, R](
    route: str, tracer: Callable[[], Tracer | None]
) -> Callable[[Callable[[E, C], R]], Callable[[E, C], R]]:
    """Make a function the handler of events other than HTTP requests; its log lines name the invocation."""

    def mark(handler: Callable[[E, C], R]) -> Callable[[E, C], R]:
        @wraps(handler)
        def run(event: E, context: C) -> R:
            scope = _new_scope(route, {"request_id": context.aws_request_id}, context, tracer())
            with _work(scope, "internal", flushes=True):
                return handler(event, context)

        return run

    return mark


@contextmanager
def message_scope(route: str, message_id: str, body: str) -> Iterator[Scope]:
    """Enter the scope of one message of a queue, within its invocation's scope if there is one.

    `body` is JSON that may name a tenant.
    """
    outer, tenant = current(), _tenant_of(body)
    fields = (dict(outer.fields) if outer else {}) | {"route": route, "message_id": message_id}
    fields |= {"correlation_id": message_id} | ({"tenant": tenant} if tenant else {})
    scope = Scope(route, fields, tracer=outer.tracer if outer else None, span=outer.span if outer else None)
    # The invocation's own scope flushes once for the whole batch.
    with _work(scope, "consumer", flushes=False):
        yield scope


@contextmanager
def _work(scope: Scope, kind: SpanKind, *, flushes: bool) -> Iterator[None]:
    """Enter the scope, and measure and trace the work in it."""
    failed = None
    scope.span = span_in(scope, scope.route, kind, {})
    with within(scope):
        try:
            yield
        except Exception as error:
            failed = type(error).__name__
            raise
        finally:
            measure("Latency", scope.milliseconds, route=scope.route)
            measure("Errors", int(failed is not None), route=scope.route)
            write_measured(scope)
            if scope.span is not None:
                _note_tenant(scope)
                scope.span.end(failed)
            if flushes:
                flush(scope)


def _tenant_of(body: str) -> str | None:
    try:
        message = json.loads(body)
    except ValueError:
        return None
    tenant = message.get("tenant") if isinstance(message, dict) else None
    return tenant if isinstance(tenant, str) else None


def _new_scope(
    route: str, fields: dict[str, Any], invocation: InvocationContext | None, tracer: Tracer | None
) -> Scope:
    fields |= {"route": route, "function_name": settings().function_name, "cold_start": next(_SCOPES) == 0}
    if invocation is not None:
        fields["function_request_id"] = invocation.aws_request_id
    return Scope(route, fields, tracer)


def _note_tenant(scope: Scope) -> None:
    if scope.span is not None and (tenant := scope.fields.get("tenant")):
        scope.span.note({"aisha.tenant": tenant})
