"""The scans' reader for one page of a sweep's records, with look-ups of the notes and records related to them."""

from collections.abc import Iterator, Sequence
from typing import Literal, cast

from msgspec.structs import replace

from aisha.application.scans.reader import ScanReader
from aisha.application.tooling.context import TenantRecords, ToolContext
from aisha.application.tooling.visibility import readable_page
from aisha.domain.crm.queries import Change, Condition, CountRow, Period, RecordPage, RecordQuery, Written
from aisha.domain.crm.records import Account, Activity, Note, Record
from aisha.domain.ports import RecordRepository

_MAX_NOTES = 10
"""Newest notes read for each record."""
_MAX_DUPLICATES = 10


class PageReader(ScanReader):
    """Yields `records`, all of one type, and the notes about them, with a few look-ups for each record at most.

    It yields no planned activities: `Judgement` searches the activities of a record once a rule proposes a step for it.
    """

    def __init__(self, context: ToolContext, records: Sequence[Record]) -> None:
        super().__init__(context)
        self.records = records
        self.referenced: dict[str, Record] = {}
        """The records that `get_many` has read, by id."""

    def iterate[R: Record](
        self,
        kind: type[R],
        *where: Condition,
        order: Literal["due", "newest"] | None = None,  # noqa: ARG002
        share: int = 1,  # noqa: ARG002
    ) -> Iterator[R]:
        """Yield the page's records if they are of this type; the stream selected them by the same conditions."""
        if kind.TYPE == Note.TYPE:
            yield from cast(Iterator[R], self._notes(where))
        elif kind.TYPE == Activity.TYPE and not self._holds(kind):
            self.truncated = True  # This makes `Judgement` search the activities of single records.
        elif self._holds(kind):
            yield from cast(Sequence[R], self.records)

    def get_many(self, pairs: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Return records by id, and add those that are not of this page to `referenced`."""
        on_page = {record.id: record for record in self.records}
        read = super().get_many([pair for pair in pairs if pair[1] not in on_page])
        self.referenced |= read
        return read | {record_id: on_page[record_id] for _, record_id in pairs if record_id in on_page}

    def duplicate_elsewhere(self, record: Record, key: str) -> Record | None:
        """Return the oldest older record with this email address, or account with this name; None without one.

        Only older records count, so that of two duplicates one has the finding.
        """
        if isinstance(record, Account):
            query = RecordQuery(record.TYPE, name_contains=key, limit=_MAX_DUPLICATES)
        else:
            query = RecordQuery(record.TYPE, where=(Condition("email", "eq", key),), limit=_MAX_DUPLICATES)
        matches = readable_page(self.context.principal, self.context.records, query).items
        if isinstance(record, Account):
            # The search matches parts of names, too.
            matches = [match for match in matches if match.display_name.casefold() == key.casefold()]
        # Ids begin with the time of creation.
        return min((match for match in matches if match.id < record.id), key=lambda match: match.id, default=None)

    def _holds(self, kind: type[Record]) -> bool:
        return bool(self.records) and kind.TYPE == self.records[0].TYPE

    def _notes(self, where: tuple[Condition, ...]) -> Iterator[Record]:
        for record in self.records:
            about = (Condition("related.id", "eq", record.id), *where)
            query = RecordQuery(Note.TYPE, where=about, limit=_MAX_NOTES)
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

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        # A query may hold lists, so it can't be a key itself.
        key = (tenant, repr(query))
        if key not in self._pages:
            self._pages[key] = self._records.search(tenant, query)
        return self._pages[key]

    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        return self._records.get(tenant, entity_type, record_id)

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        return self._records.get_many(tenant, ids)

    def counts(self, tenant: str, entity_type: str, period: Period | None = None) -> list[CountRow]:
        return self._records.counts(tenant, entity_type, period)

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        return self._records.write(tenant, changes, operation_id)
