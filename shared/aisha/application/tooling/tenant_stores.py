"""Records and entries as tools reach them: of one tenant, and for one operation."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any

from msgspec.structs import replace
from ulid import ULID

from aisha.application.idempotency.operation_ids import SUFFIX_LENGTH, operation_ulid
from aisha.domain.crm.queries import Change, CountRow, Delete, Period, RecordPage, RecordQuery, Update, Written
from aisha.domain.crm.records import Record
from aisha.domain.entries import Entry, EntryPage
from aisha.domain.errors import NotFoundError
from aisha.domain.ports import EntryRepository, RecordRepository

ReadVersions = dict[tuple[str, datetime], int]
"""The versions of records, by id and the time of the last change."""


class TenantRecords:
    """The record store for one tenant and one operation: a tool can't name another tenant.

    With `is_repeated`, an earlier attempt of the operation may have written already. Then `get` and `get_many` return
    the records that it wrote as they were before, so that a tool that reads before it writes repeats the same write.
    `versions` are those that the caller has read, by record id: a write to another version is a conflict. Into
    `read` goes the version of each record that is read or written, by its id and the time of its last change.
    """

    __slots__ = ("_earlier", "_operation_id", "_read", "_repository", "_step", "_tenant", "_versions")

    def __init__(
        self,
        repository: RecordRepository,
        tenant: str,
        operation_id: str | None,
        *,
        is_repeated: bool = False,
        versions: Mapping[str, int] | None = None,
        read: ReadVersions | None = None,
    ) -> None:
        self._versions = versions or {}
        self._read = {} if read is None else read
        self._repository = repository
        self._tenant = tenant
        self._operation_id = operation_id
        self._step = 1
        # None: not known yet, read when a tool reads the first record.
        self._earlier: Sequence[Written] | None = None if is_repeated else ()

    def get(self, entity_type: str, record_id: str) -> Record:
        """Return the record. Raises `NotFoundError`."""
        for written in self._earlier_writes():
            if written.before is not None and (written.before.TYPE, written.before.id) == (entity_type, record_id):
                return written.before
        record = self._repository.get(self._tenant, entity_type, record_id)
        self._note(record)
        return record

    def get_many(self, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Return the existing records by id, for `(entity_type, id)` pairs."""
        before = {written.before.id: written.before for written in self._earlier_writes() if written.before is not None}
        records = self._repository.get_many(self._tenant, ids)
        self._note(*records.values())
        return records | {key: before[key] for kind, key in ids if key in before and kind == before[key].TYPE}

    def _earlier_writes(self) -> Sequence[Written]:
        """Return what an earlier attempt wrote in the next step; usually nothing."""
        if self._earlier is None:
            # A write without changes returns the result that is stored for this operation and step, if there is one.
            self._earlier = self._repository.write(self._tenant, (), self._step_id())
        return self._earlier

    def search(self, query: RecordQuery) -> RecordPage:
        """Return one page of at most 500 records."""
        page = self._repository.search(self._tenant, query)
        self._note(*page.items)
        return page

    def _note(self, *records: Record) -> None:
        for record in records:
            if record.updated_at is not None:
                self._read[record.id, record.updated_at] = record.version

    def counts(self, entity_type: str, period: Period | None = None) -> list[CountRow]:
        """Return exact counts and sums of the records."""
        return self._repository.counts(self._tenant, entity_type, period)

    def write(self, *changes: Change) -> list[Written]:
        """Write all of at most 10 changes or none. A repetition of the same step and operation writes nothing again."""
        written = self._repository.write(self._tenant, [*map(self._versioned, changes)], self._step_id())
        self._note(*(item.record for item in written))
        self._step += 1
        # An earlier attempt that had done this step may have done the next one too; otherwise it had ended before.
        self._earlier = None if self._earlier else ()
        return written

    def _versioned(self, change: Change) -> Change:
        if isinstance(change, Update | Delete) and change.record_id in self._versions:
            return replace(change, expected_version=self._versions[change.record_id])
        return change

    def _step_id(self) -> str | None:
        return f"{self._operation_id}.{self._step}" if self._operation_id else None


class OwnedEntries:
    """The entries of one owner in one tenant: a tool can't name another owner or tenant."""

    __slots__ = ("_is_repeated", "_operation_id", "_owner", "_places", "_repository", "_tenant")

    def __init__(
        self,
        repository: EntryRepository,
        tenant: str,
        owner: str | None,
        operation_id: str | None = None,
        *,
        is_repeated: bool = False,
    ) -> None:
        self._repository = repository
        self._tenant = tenant
        self._owner = owner
        self._operation_id = operation_id
        self._is_repeated = is_repeated
        self._places = count(1)

    def get(self, kind: str, entry_id: str) -> Entry:
        """Return the entry. Raises `NotFoundError`."""
        entry = self.find(kind, entry_id)
        if entry is None:
            label = kind.replace("_", " ")
            raise NotFoundError(f"There is no such {label}.", entity_type=kind, entity_id=entry_id[:200])
        return entry

    def find(self, kind: str, entry_id: str) -> Entry | None:
        """Return the entry, or None."""
        return self._repository.find(self._tenant, self._owner, kind, entry_id)

    def page(self, kind: str, *, limit: int = 50, cursor: str | None = None, oldest_first: bool = False) -> EntryPage:
        """Return one page of at most 50 entries, the highest ids first."""
        return self._repository.page(
            self._tenant, self._owner, kind, limit=limit, cursor=cursor, oldest_first=oldest_first
        )

    def add(self, kind: str, body: Mapping[str, Any], expires_at: datetime | None = None) -> Entry:
        """Add an entry with a new id, `<kind>_<ULID>`, which sorts by time, and return it.

        Returns the entry of an earlier attempt of the operation if there is one.
        """
        ulid = operation_ulid(self._operation_id, kind, next(self._places)) if self._operation_id else str(ULID())
        if self._is_repeated:
            # The ids of two attempts differ only in their time. The first page is enough: it has the newest entries,
            # and the earlier attempt was a moment ago.
            suffix = ulid[-SUFFIX_LENGTH:]
            if earlier := next((entry for entry in self.page(kind).items if entry.id.endswith(suffix)), None):
                return earlier
        return self.put(kind, f"{kind}_{ulid}", body, expected_version=0, expires_at=expires_at)

    def put(
        self,
        kind: str,
        entry_id: str,
        body: Mapping[str, Any],
        *,
        expected_version: int | None = None,
        expires_at: datetime | None = None,
    ) -> Entry:
        """Store the whole body. Raises `ConflictError` when the stored version is not the expected one."""
        return self._repository.put(
            self._tenant,
            self._owner,
            kind,
            entry_id,
            body,
            expected_version=expected_version,
            expires_at=expires_at,
        )

    def delete(self, kind: str, entry_id: str) -> bool:
        """Delete the entry and return whether there was one."""
        return self._repository.delete(self._tenant, self._owner, kind, entry_id)
