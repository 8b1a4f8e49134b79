"""Threads that inherit their caller's context."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context


class ContextThreadPool(ThreadPoolExecutor):
    """A pool whose work runs in the context of its submitter: its log lines are those of the request."""

    def submit[**P, R](self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        # A copy for each call: a context can't be entered by two threads at once.
        context = copy_context()
        return super().submit(lambda: context.run(fn, *args, **kwargs))
