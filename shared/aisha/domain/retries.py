"""Repeat a change that is saved under the version it was made from (optimistic locking)."""

from collections.abc import Callable

from aisha.domain.errors import ConflictError


def retrying[T](
    attempts: int,
    change: Callable[[], T],
    exhausted: ConflictError | None = None,
    on: type[ConflictError] = ConflictError,
) -> T:
    """Return what `change` returns; it is called again, to read and save anew, when another writer was faster.

    After the last attempt raises `exhausted`, or the attempt's own error. Only errors of the type `on` are retried.
    """
    # The last attempt is outside of the loop, because its error is the caller's.
    for _ in range(attempts - 1):
        try:
            return change()
        except on:
            continue
    try:
        return change()
    except on as error:
        if exhausted is None:
            raise
        raise exhausted from error
