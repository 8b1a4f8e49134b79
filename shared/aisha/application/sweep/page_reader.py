"""The scans' reader for one page of a sweep's records, with the notes and activities about them from the survey."""

from collections.abc import Iterator, Sequence
from typing import cast

from msgspec.structs import replace

from aisha.application.records.related_records import MAX_NOTES
from aisha.application.scans.data_quality import duplicate_key
from aisha.application.scans.reader import ScanReader
from aisha.application.sweep.survey import Survey
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.visibility import readable_page
from aisha.application.tooling.results import EntityRef
from aisha.application.tooling.tenant_stores import TenantRecords
from aisha.domain.crm.queries import Condition, RecordPage, RecordQuery
from aisha.domain.crm.records import Account, Activity, Note, Record
from aisha.domain.ports import RecordRepository

_MAX_DUPLICATES = 10


class PageReader(ScanReader):
    """Yields `records`, all of one type, and the recent requests about them.

    It yields no planned activities: overdue ones have a stream of their own, and those about the page's records are
    `planned_elsewhere`. Where the survey lacks a part, there are a few look-ups for each record.
    """

    def __init__(self, context: ToolContext, records: Sequence[Record], survey: Survey) -> None:
        super().__init__(context)
        self.records = records
        self.referenced: dict[str, Record] = {}
        """The records that `get_many` has read, by id."""
        self._survey = survey

    def iterate[R: Record](self, kind: type[R], *where: Condition, share: int = 1) -> Iterator[R]:  # noqa: ARG002
        """Yield the page's records if they are of this type; the stream selected them by the same conditions."""
        if kind.TYPE == Note.TYPE:
            yield from cast(Iterator[R], self._notes(where))
        elif kind.TYPE == Activity.TYPE and not self._holds(kind):
            # This makes `Judgement` search the activities of single records.
            self.truncated = self._survey.planned is None
        elif self._holds(kind):
            yield from cast(Sequence[R], self.records)

    def get_many(self, pairs: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Return records by id, and add those that are not of this page to `referenced`."""
        on_page = {record.id: record for record in self.records}
        stored = super().get_many([pair for pair in pairs if pair[1] not in on_page])
        self.referenced |= stored
        return stored | {record_id: on_page[record_id] for _, record_id in pairs if record_id in on_page}

    def planned_elsewhere(self, record: Record) -> Sequence[Activity]:
        """Return the planned activities about the record, unless there are too many to know them."""
        return (self._survey.planned or {}).get(record.id, ())

    def duplicate_elsewhere(self, record: Record, key: str) -> EntityRef | None:
        """Return the oldest older record with this email address, or account with this name; None without one.

        Only older records count, so that of two duplicates one has the finding.
        """
        oldest_by_key = self._survey.oldest(type(record))
        oldest = self._find_oldest(record, key) if oldest_by_key is None else oldest_by_key.get(key)
        return oldest if oldest is not None and oldest.id < record.id else None

    def _find_oldest(self, record: Record, key: str) -> EntityRef | None:
        if isinstance(record, Account):
            query = RecordQuery(record.TYPE, name_contains=key, limit=_MAX_DUPLICATES)
        else:
            query = RecordQuery(record.TYPE, where=(Condition("email", "eq", key),), limit=_MAX_DUPLICATES)
        matches = readable_page(self.context.principal, self.context.records, query).items
        # The search for a name matches parts of names, too.
        duplicates = (EntityRef.of(match) for match in matches if duplicate_key(match) == key)
        return min(duplicates, key=lambda ref: ref.id, default=None)

    def _holds(self, kind: type[Record]) -> bool:
        return bool(self.records) and kind.TYPE == self.records[0].TYPE

    def _notes(self, where: tuple[Condition, ...]) -> Iterator[Record]:
        asking = self._survey.requests
        for record in self.records:
            if asking is not None:
                yield from asking.get(record.id, ())
                continue
            about = (Condition("related.id", "eq", record.id), *where)
            query = RecordQuery(Note.TYPE, where=about, limit=MAX_NOTES)
            yield from readable_page(self.context.principal, self.context.records, query).items


def with_cached_searches(context: ToolContext) -> ToolContext:
    """Return the context with a cache of searches, for the few seconds that a page takes."""
    ports = replace(context.ports, records=_CachedSearches(context.ports.records))
    records = TenantRecords(ports.records, context.principal.tenant, context.operation_id)
    return replace(context, ports=ports, records=records)


class _CachedSearches:
    """A `RecordRepository` that caches the pages of another one's searches."""

    def __init__(self, records: RecordRepository) -> None:
        self._records = records
        self._pages: dict[tuple[str, str], RecordPage] = {}
        self.get = records.get
        self.get_many = records.get_many
        self.counts = records.counts
        self.write = records.write

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        # A query may hold lists, so it can't be a key itself.
        key = (tenant, repr(query))
        if key not in self._pages:
            self._pages[key] = self._records.search(tenant, query)
        return self._pages[key]
