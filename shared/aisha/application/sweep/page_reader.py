"""A scan's reader that has one page of a sweep's records to walk over, and looks up what is around each of them."""

from collections.abc import Iterator, Sequence
from typing import Literal, cast

from msgspec.structs import replace

from aisha.application.scans.reader import ScanReader
from aisha.application.tooling.context import TenantRecords, ToolContext
from aisha.application.tooling.visibility import readable_page
from aisha.domain.ports import RecordRepository
from aisha.domain.queries import Change, Condition, CountRow, Period, RecordPage, RecordQuery, Written
from aisha.domain.records import Account, Activity, Note, Record

_NOTES = 10
"""Newest notes looked at for each record."""


class PageReader(ScanReader):
    """Walks over `records`, which are all of one type, and the notes about them: a few look-ups a record at most.

    What is planned is not walked over; a rule that speaks of a record looks at its activities then.
    """

    def __init__(self, context: ToolContext, records: Sequence[Record]) -> None:
        super().__init__(context)
        self.records = records
        self.around: dict[str, Record] = {}
        """Records that others pointed to, by id, as far as they were read."""

    def walk[R: Record](
        self,
        kind: type[R],
        *where: Condition,
        order: Literal["due", "newest"] | None = None,  # noqa: ARG002
        share: int = 1,  # noqa: ARG002
    ) -> Iterator[R]:
        """The page's records where they are of this type; it was chosen by the same conditions."""
        if kind.TYPE == Note.TYPE:
            yield from cast(Iterator[R], self._notes(where))
        elif kind.TYPE == Activity.TYPE and not self._holds(kind):
            self.truncated = True
        elif self._holds(kind):
            yield from cast(Sequence[R], self.records)

    def many(self, pairs: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Records by id; kept in `around`, too."""
        known = {record.id: record for record in self.records}
        found = super().many([pair for pair in pairs if pair[1] not in known])
        self.around |= found
        return found | {record_id: known[record_id] for _, record_id in pairs if record_id in known}

    def twin_elsewhere(self, record: Record, mark: str) -> Record | None:
        """Another one with this email address, or account with this name, that is older: of two, one is told."""
        if isinstance(record, Account):
            query = RecordQuery(record.TYPE, name_contains=mark, limit=_NOTES)
        else:
            query = RecordQuery(record.TYPE, where=(Condition("email", "eq", mark),), limit=_NOTES)
        found = readable_page(self.context.principal, self.context.records, query).items
        older = (one for one in found if one.id < record.id and (query.name_contains is None or _is_called(one, mark)))
        return min(older, key=lambda one: one.id, default=None)

    def _holds(self, kind: type[Record]) -> bool:
        return bool(self.records) and kind.TYPE == self.records[0].TYPE

    def _notes(self, where: tuple[Condition, ...]) -> Iterator[Record]:
        for record in self.records:
            about = (Condition("related.id", "eq", record.id), *where)
            query = RecordQuery(Note.TYPE, where=about, limit=_NOTES)
            yield from readable_page(self.context.principal, self.context.records, query).items


def _is_called(record: Record, name: str) -> bool:
    return record.display_name.casefold() == name.casefold()


def remembering(context: ToolContext) -> ToolContext:
    """The context with searches that are made once: for the few seconds in which a page is looked at."""
    ports = replace(context.ports, records=_RememberedSearches(context.ports.records))
    records = TenantRecords(ports.records, context.principal.tenant, context.operation_id)
    return replace(context, ports=ports, records=records)


class _RememberedSearches:
    """A `RecordRepository` that asks another one for the same page once."""

    def __init__(self, records: RecordRepository) -> None:
        self._records = records
        self._pages: dict[tuple[str, str], RecordPage] = {}

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
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
