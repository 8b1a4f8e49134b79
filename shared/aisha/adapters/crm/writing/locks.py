"""Locks that processes share: entries that only one of them can create, and only that one removes."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta

from aisha.domain.errors import ConflictError, InProgressError
from aisha.domain.ids import new_ulid
from aisha.domain.ports import Clock, EntryRepository

LOCK = "crm_lock"
LEASE_TTL = timedelta(seconds=60)
"""Longer than any turn: after it, another attempt may go on with what was locked."""
LOCK_TIMEOUT_SECONDS, POLL_INTERVAL_SECONDS = 5.0, 0.02


class Locks:
    """The locks of all tenants' connections. One that is not released ends with its lease."""

    def __init__(self, entries: EntryRepository, clock: Clock, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._entries, self._clock, self.sleep = entries, clock, sleep

    @contextmanager
    def held(
        self, tenant: str, names: Sequence[str], *, refusal: str, wait_seconds: float = LOCK_TIMEOUT_SECONDS
    ) -> Iterator[None]:
        """Hold the locks of the names, in their order. One whose lease has ended may be another's by its release.

        Raises `InProgressError` with the text of `refusal` when another process holds one for longer than
        `wait_seconds`.
        """
        holder = {"by": new_ulid()}
        taken: list[str] = []
        try:
            for name in names:
                self._take(tenant, name, holder, refusal, wait_seconds)
                taken.append(name)
            yield
        finally:
            for name in taken:
                # `expected`: after the lease the lock may be another's.
                self._entries.delete(tenant, None, LOCK, name, expected=holder)

    def _take(self, tenant: str, name: str, holder: Mapping[str, str], refusal: str, wait_seconds: float) -> None:
        waited = 0.0
        while True:
            try:
                expires_at = self._clock.now() + LEASE_TTL
                # `expected_version=0`: only one process can create the entry.
                self._entries.put(tenant, None, LOCK, name, holder, expected_version=0, expires_at=expires_at)
            except ConflictError:
                if waited >= wait_seconds:
                    raise InProgressError(refusal) from None
            else:
                return
            self.sleep(POLL_INTERVAL_SECONDS)
            waited += POLL_INTERVAL_SECONDS
