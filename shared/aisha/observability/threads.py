"""Threads that know what they work for."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context


class ContextThreadPool(ThreadPoolExecutor):
    """A pool whose work runs in the context of whoever handed it in: its log lines are those of the request."""

    def submit[**P, R](self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """As `ThreadPoolExecutor`."""
        context = copy_context()
        return super().submit(lambda: context.run(fn, *args, **kwargs))
