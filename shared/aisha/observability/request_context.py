"""The scope of the request or message at work, for all its log lines, metrics and spans.

It is in a context variable, so that many requests at once do not mix. It is one object for all threads that work on the
request: a field that one of them adds, e.g. the tenant, is on the lines of all.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from time import perf_counter
from typing import Any

from msgspec import Struct, field

from aisha.domain.ports.tracing import Span, Tracer

Dimensions = tuple[tuple[str, str], ...]


class Scope(Struct):
    """A request or message at work.

    `fields` are on every log line; `measured` has the values so far, by dimensions and metric; `span` is the innermost.
    `tracer` is None where nothing is traced.
    """

    route: str
    fields: dict[str, Any]
    tracer: Tracer | None = None
    measured: dict[Dimensions, dict[str, list[float]]] = field(default_factory=dict)
    span: Span | None = None
    started: float = field(default_factory=perf_counter)
    is_over: bool = False

    def add(self, dimensions: Dimensions, name: str, value: float) -> None:
        """Add a value to a metric."""
        self.measured.setdefault(dimensions, {}).setdefault(name, []).append(value)

    @property
    def milliseconds(self) -> float:
        """Return the time since the scope began."""
        return (perf_counter() - self.started) * 1000


_SCOPE: ContextVar[Scope | None] = ContextVar("scope", default=None)


def current() -> Scope | None:
    """Return the current scope."""
    return _SCOPE.get()


def enter(scope: Scope) -> None:
    """Make the scope current in this task or thread, and in those that it starts."""
    # Never reset: an ASGI request has a task and thus a context of its own, and in the other functions the next event
    # enters another scope.
    _SCOPE.set(scope)


@contextmanager
def within(scope: Scope) -> Iterator[Scope]:
    """Make the scope current within the block."""
    token = _SCOPE.set(scope)
    try:
        yield scope
    finally:
        _SCOPE.reset(token)


class ContextThreadPool(ThreadPoolExecutor):
    """A pool whose work runs in the context of its submitter: its log lines are those of the request."""

    def submit[**P, R](self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        # A copy for each call: a context can't be entered by two threads at once.
        context = copy_context()
        return super().submit(lambda: context.run(fn, *args, **kwargs))
