"""The reader through which a scan gets records: those that the user may see, up to a limit."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import batched
from typing import cast

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.visibility import may_see, readable_page
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.queries import MAX_LIMIT, Condition, RecordQuery
from aisha.domain.crm.record_changes import MAX_IDS
from aisha.domain.crm.records import Activity, Record


class ScanReader:
    """Reads records for one run of one scan, `max_records` at most (by default the deployment's limit).

    `examined` counts the records read, `by_module` by their module. `truncated` is true once the limit left records
    unread.
    """

    def __init__(self, context: ToolContext, max_records: int | None = None) -> None:
        self.context = context
        self.examined = 0
        self.truncated = False
        self.by_module: Counter[str] = Counter()
        self._max_records = max_records or context.ports.scan_records

    @property
    def now(self) -> datetime:
        """The time of the run in the user's time zone."""
        return self.context.now

    def may_see(self, entity_type: str) -> bool:
        """Return whether the user may see records of this type."""
        return may_see(self.context.principal, entity_type)

    def iterate[R: Record](self, kind: type[R], *where: Condition, share: int = 1) -> Iterator[R]:
        """Yield records in the type's order; none if the user may not see them. Pages are read on demand.

        `share` limits this iteration to a fraction of the run's records: a quarter for 4.
        """
        if not self.may_see(kind.TYPE):
            return
        last = min(self._max_records, self.examined + self._max_records // share)
        cursor: str | None = None
        while True:
            room = last - self.examined
            query = RecordQuery(kind.TYPE, where=where, limit=max(1, min(MAX_LIMIT, room)), cursor=cursor)
            page = readable_page(self.context.principal, self.context.records, query)
            if room <= 0:
                # Nothing more may be used; this page of one record only tells whether there is more.
                self.truncated |= bool(page.items or page.next_cursor)
                return
            self.examined += len(page.items)
            self.by_module[kind.MODULE] += len(page.items)
            yield from cast(list[R], page.items)
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_many(self, pairs: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Return records that others refer to, by id, from pairs of type and id; only types that the user may see."""
        records: dict[str, Record] = {}
        visible = (pair for pair in dict.fromkeys(pairs) if self.may_see(pair[0]))
        # The store returns at most 100 records at once.
        for batch in batched(visible, MAX_IDS):
            records |= self.context.records.get_many(batch)
        return records

    def duplicate_elsewhere(self, record: Record, key: str) -> EntityRef | None:  # noqa: ARG002 - for `PageReader`
        """Return a record with the same key that this run does not read; None here, as a full run reads them all."""
        return None

    def planned_elsewhere(self, record: Record) -> Sequence[Activity]:  # noqa: ARG002 - for `PageReader`
        """Return planned activities about the record that `iterate` does not yield; none here, as it yields all."""
        return ()
