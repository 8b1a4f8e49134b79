"""Rebuild of memory after a change of its settings."""

from collections.abc import Callable

from aisha.domain.errors import UnavailableError
from aisha.domain.ports import Embedder


def rebuild_memory(rebuild: Callable[[Embedder], int] | None, embedder: Embedder | None) -> int:
    """Rebuild memory's index and vectors with the configured embedder and return the number of chunks.

    Raises `UnavailableError` when there is no memory or it does not answer: the old index stays in use.
    """
    if rebuild is None or embedder is None:
        raise UnavailableError("Memory is not set up here", suggestion="Set AISHA_MEMORY and AISHA_EMBEDDER")
    return rebuild(embedder)
