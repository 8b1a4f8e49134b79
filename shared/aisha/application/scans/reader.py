"""What a scan may read: records that the user may see, page by page, up to a bound."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal, cast

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.visibility import may_see, readable_page
from aisha.domain.queries import MAX_PAGE, Condition, RecordPage, RecordQuery
from aisha.domain.records import Record


class ScanReader:
    """Reads for one run of one scan; its cost is linear in the records read, and these are bounded.

    `examined` counts them, `by_module` too; `truncated` turns true when a walk had to end before its last record. The bound
    is this deployment's, unless `most_records` says another.
    """

    def __init__(self, context: ToolContext, most_records: int | None = None) -> None:
        self.context = context
        self.examined = 0
        self.truncated = False
        self.by_module: Counter[str] = Counter()
        self._most = most_records or context.ports.scan_records

    @property
    def now(self) -> datetime:
        """The run's instant in the user's zone."""
        return self.context.now

    def may_see(self, entity_type: str) -> bool:
        """Whether records of this type are open to the user."""
        return may_see(self.context.principal, entity_type)

    def walk[R: Record](
        self, kind: type[R], *where: Condition, order: Literal["due", "newest"] | None = None, share: int = 1
    ) -> Iterator[R]:
        """Records in the type's order, read as they are asked for; none where the module is closed.

        `share` keeps the walk to that part of the bound, a quarter for 4, so that the others get theirs.
        """
        if not self.may_see(kind.TYPE):
            return
        last = min(self._most, self.examined + self._most // share)
        cursor: str | None = None
        while True:
            room = last - self.examined
            page = self._page(kind.TYPE, where, order, max(1, min(MAX_PAGE, room)), cursor)
            if room <= 0:
                self.truncated |= bool(page.items or page.next_cursor)
                return
            self.examined += len(page.items)
            self.by_module[kind.MODULE] += len(page.items)
            yield from cast(list[R], page.items)
            cursor = page.next_cursor
            if cursor is None:
                return

    def many(self, pairs: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Records by id, of the types that are open to the user; for what other records point to."""
        open_pairs = [pair for pair in dict.fromkeys(pairs) if self.may_see(pair[0])]
        found: dict[str, Record] = {}
        for start in range(0, len(open_pairs), 2 * MAX_PAGE):
            found |= self.context.records.get_many(open_pairs[start : start + 2 * MAX_PAGE])
        return found

    def twin_elsewhere(self, record: Record, mark: str) -> Record | None:  # noqa: ARG002 - what a part of a run needs
        """Another record of the type with the same mark that this run does not walk over: none for a whole run."""
        return None

    def _page(
        self,
        entity_type: str,
        where: tuple[Condition, ...],
        order: Literal["due", "newest"] | None,
        limit: int,
        cursor: str | None,
    ) -> RecordPage:
        query = RecordQuery(entity_type, where=where, order=order, limit=limit, cursor=cursor)
        return readable_page(self.context.principal, self.context.records, query)
