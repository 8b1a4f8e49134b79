"""An audit log in memory that can be made unavailable. It passes the adapter's contract."""

import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence

from aisha.domain.audit import AuditEntry, AuditHead, AuditLink, chained, entry_of
from aisha.domain.errors import InvalidInputError, UnavailableError

MAX_ENTRIES = 25


class InMemoryAuditLog:
    """An `AuditLog` under one lock. It raises while `is_away`; `appends` has the number of entries of each append."""

    def __init__(self) -> None:
        self.is_away = False
        self.appends: list[int] = []
        self._chains: dict[str, list[AuditLink]] = defaultdict(list)
        self._lock = threading.RLock()

    def append(self, tenant: str, entries: Sequence[AuditEntry]) -> list[AuditEntry]:
        self._check()
        if not 0 < len(entries) <= MAX_ENTRIES:
            raise InvalidInputError(f"1 to {MAX_ENTRIES} entries can be added at once.")
        with self._lock:
            added = list(chained(self.head(tenant), entries))
            self._chains[tenant] += [link for _, link in added]
            self.appends.append(len(added))
        return [entry for entry, _ in added]

    def page(self, tenant: str, limit: int, before: int | None = None) -> list[AuditEntry]:
        self._check()
        links = [link for link in reversed(self._chains[tenant]) if before is None or link.sequence < before]
        return [entry_of(tenant, link) for link in links[:limit]]

    def links(self, tenant: str, after: int = 0) -> Iterator[AuditLink]:
        self._check()
        yield from list(self._chains[tenant])[after:]

    def head(self, tenant: str) -> AuditHead:
        self._check()
        chain = self._chains[tenant]
        return AuditHead(chain[-1].sequence, chain[-1].hash) if chain else AuditHead()

    def entries(self, tenant: str = "demo") -> list[AuditEntry]:
        """Return all entries, oldest first, even while the log is away."""
        return [entry_of(tenant, link) for link in self._chains[tenant]]

    def _check(self) -> None:
        if self.is_away:
            raise UnavailableError("The audit log does not answer right now.")
