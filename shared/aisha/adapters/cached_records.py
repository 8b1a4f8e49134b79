"""A `RecordRepository` that caches lookups by id of another one for some minutes (C-A13)."""

from collections.abc import Callable, Sequence
from threading import Lock
from time import monotonic

from cachetools import TTLCache

from aisha.domain.crm.queries import Change, Create, Written
from aisha.domain.crm.records import Record
from aisha.domain.ports import RecordRepository

MAX_RECORDS = 2000

Key = tuple[str, str, str]


class CachedRecordRepository:
    """Answers lookups by id from a cache for `seconds`; searches, lists and counts are never cached.

    A write drops the records that it changes, in this process only: another process's copy may be `seconds` old. No
    change is lost by that, since every change states the version that it was made from.
    """

    def __init__(self, repository: RecordRepository, seconds: float, *, clock: Callable[[], float] = monotonic) -> None:
        self._repository = repository
        self._records: TTLCache[Key, Record] = TTLCache(MAX_RECORDS, seconds, timer=clock)
        self._writes = 0
        self._lock = Lock()
        self.search = repository.search
        self.counts = repository.counts

    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        """Return the record. Raises `NotFoundError`; that a record does not exist is not cached."""
        key = (tenant, entity_type, record_id)
        cached, writes = self._find([key])
        if key in cached:
            return cached[key]
        record = self._repository.get(tenant, entity_type, record_id)
        self._keep({key: record}, writes)
        return record

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Return the records by id, reading only those that are not cached."""
        keys = [(tenant, kind, record_id) for kind, record_id in ids]
        cached, writes = self._find(keys)
        missing = [(kind, record_id) for _, kind, record_id in keys if (tenant, kind, record_id) not in cached]
        loaded = self._repository.get_many(tenant, missing) if missing else {}
        self._keep({(tenant, record.TYPE, record.id): record for record in loaded.values()}, writes)
        return {record.id: record for record in cached.values()} | loaded

    def clear(self) -> None:
        """Drop all records of the cache, and those that lookups are reading now."""
        with self._lock:
            self._records.clear()
            self._writes += 1

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        """Write, and drop the cached records before and after: a lookup meanwhile must not restore the old version."""
        self._drop(tenant, changes)
        try:
            return self._repository.write(tenant, changes, operation_id)
        # Also after an error: the write may have been done although its response was lost.
        finally:
            self._drop(tenant, changes)

    def _find(self, keys: Sequence[Key]) -> tuple[dict[Key, Record], int]:
        """Return those that are cached, and the number of writes so far, which `_keep` compares."""
        with self._lock:
            return {key: record for key in keys if (record := self._records.get(key))}, self._writes

    def _keep(self, records: dict[Key, Record], writes: int) -> None:
        with self._lock:
            # A write since then may have overtaken the read.
            if writes == self._writes:
                self._records.update(records)

    def _drop(self, tenant: str, changes: Sequence[Change]) -> None:
        with self._lock:
            self._writes += 1
            for change in changes:
                self._records.pop((tenant, *_subject(change)), None)


def _subject(change: Change) -> tuple[str, str]:
    if isinstance(change, Create | Written):
        return change.record.TYPE, change.record.id
    return change.entity_type, change.record_id
