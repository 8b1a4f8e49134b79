"""Records by id kept for some minutes: a `RecordRepository` in front of another (C-A13)."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from time import monotonic

from aisha.domain.ports import RecordRepository
from aisha.domain.queries import Change, CountRow, Create, Period, RecordPage, RecordQuery, Written
from aisha.domain.records import Record

MOST = 2000
"""Records kept; the one that was not asked for longest goes first."""

Key = tuple[str, str, str]


class CachedRecordRepository:
    """Lookups by id are answered from here for `seconds`; searches, lists and counts never are.

    A write drops what it touches, here in this process: with several at work, another one's copy may be `seconds` old.
    Nothing is lost by that, since every change states the version that it was made from.
    """

    def __init__(self, repository: RecordRepository, seconds: float, *, clock: Callable[[], float] = monotonic) -> None:
        self._repository = repository
        self._seconds = seconds
        self._clock = clock
        self._kept: OrderedDict[Key, tuple[float, Record]] = OrderedDict()
        self._writes = 0
        self._lock = threading.Lock()

    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        """Raises `NotFoundError`; what does not exist is asked for anew each time."""
        key = (tenant, entity_type, record_id)
        found, seen = self._find([key])
        if key in found:
            return found[key]
        record = self._repository.get(tenant, entity_type, record_id)
        self._keep({key: record}, seen)
        return record

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Only those that are not kept are read."""
        keys = [(tenant, kind, record_id) for kind, record_id in ids]
        found, seen = self._find(keys)
        missing = [(kind, record_id) for _, kind, record_id in keys if (tenant, kind, record_id) not in found]
        read = self._repository.get_many(tenant, missing) if missing else {}
        self._keep({(tenant, record.TYPE, record.id): record for record in read.values()}, seen)
        return {record.id: record for record in found.values()} | read

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        """Never from here."""
        return self._repository.search(tenant, query)

    def counts(self, tenant: str, entity_type: str, period: Period | None = None) -> list[CountRow]:
        """Never from here."""
        return self._repository.counts(tenant, entity_type, period)

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        """Drops what is written, before and after: a lookup at the same time must not bring the old one back."""
        self._drop(tenant, changes)
        try:
            return self._repository.write(tenant, changes, operation_id)
        finally:
            self._drop(tenant, changes)

    def _find(self, keys: Sequence[Key]) -> tuple[dict[Key, Record], int]:
        now = self._clock()
        with self._lock:
            found = {key: kept[1] for key in keys if (kept := self._kept.get(key)) and now < kept[0]}
            for key in found:
                self._kept.move_to_end(key)
            return found, self._writes

    def _keep(self, records: dict[Key, Record], seen: int) -> None:
        with self._lock:
            if seen != self._writes:
                return  # It may have been read before a write that has been made since.
            until = self._clock() + self._seconds
            self._kept.update((key, (until, record)) for key, record in records.items())
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)

    def _drop(self, tenant: str, changes: Sequence[Change]) -> None:
        with self._lock:
            self._writes += 1
            for change in changes:
                one = change.record if isinstance(change, Create) else change
                kind = one.TYPE if isinstance(one, Record) else one.entity_type
                record_id = one.id if isinstance(one, Record) else one.record_id
                self._kept.pop((tenant, kind, record_id), None)
