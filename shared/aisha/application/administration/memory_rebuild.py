"""Memory made anew after its settings changed."""

from collections.abc import Callable

from aisha.domain.errors import UnavailableError
from aisha.domain.ports import Embedder


def rebuild_memory(rebuild: Callable[[Embedder], int] | None, embedder: Embedder | None) -> int:
    """Make memory's index and vectors anew with the embedder of today's settings; return how many memories there are.

    Raises `UnavailableError` where there is no memory or it does not answer: the old one then stays in use.
    """
    if rebuild is None or embedder is None:
        raise UnavailableError("Memory is not set up here", suggestion="Set AISHA_MEMORY and AISHA_EMBEDDER")
    return rebuild(embedder)
