"""Filtered pages of the audit log for administrators, the last calls first."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from aisha.domain.audit import AuditEntry
from aisha.domain.errors import InvalidInputError
from aisha.domain.ids import ULID
from aisha.domain.ports import AuditLog
from aisha.domain.principal import Principal, require_admin

MAX_READ = 500
"""Entries read for one page: with a rare filter, a page is short but has a cursor."""
MAX_DELAY = timedelta(minutes=15)
"""Delay of an entry: a turn's reads are recorded at its end, and Lambda ends every function after this time."""
_BATCH_SIZE = 100
_MAX_OPEN = 100
_PREFIX = "audit_"
_CURSOR = re.compile(rf"\d{{1,12}}(?:\.{ULID}){{0,100}}")
"""The last sequence of the page, and those intents further back whose outcomes are listed already."""


class AuditFilter(Struct, frozen=True):
    """A filter; None does not filter. `entity` is a record's id, or the name of a written record."""

    tool: str | None = None
    user: str | None = None
    entity: str | None = None
    since: datetime | None = None
    status: str | None = None

    def matches(self, entry: AuditEntry) -> bool:
        """Return whether the entry passes the filter."""
        return (
            self.tool in (None, entry.tool)
            and self.user in (None, entry.user)
            and self.status in (None, entry.status)
            and (self.since is None or entry.at >= self.since)
            and (self.entity is None or self.entity.casefold() in _record_names(entry))
        )


class AuditPage(Struct, frozen=True):
    """A page, the last entry first. A short page may have a `next_cursor`, which is None only on the last page."""

    items: Sequence[AuditEntry]
    next_cursor: str | None = None


def check_reader(principal: Principal) -> None:
    """Raise `PermissionDeniedError` unless the user may read the log."""
    require_admin(principal, "read the audit log")


def audit_page(
    log: AuditLog, tenant: str, filter_by: AuditFilter, limit: int = 20, cursor: str | None = None
) -> AuditPage:
    """Return a page of calls, each with its outcome; only calls whose outcome is missing are listed as `intended`.

    Raises `InvalidInputError` for a foreign cursor, and `UnavailableError`.
    """
    before, completed = _parse_cursor(cursor)
    items: list[AuditEntry] = []
    read = 0
    while read < MAX_READ:
        batch = log.page(tenant, _BATCH_SIZE, before)
        for entry in batch:
            since = filter_by.since
            # Entries are ordered by their recording, which may come later than the call.
            if since is not None and entry.status != "unreadable" and entry.at + MAX_DELAY < since:
                return AuditPage(items)
            before = entry.sequence
            # The log is read backwards, so the outcome of a call comes before its intent.
            if entry.id in completed:
                completed.discard(entry.id)
            else:
                if entry.intent:
                    completed.add(entry.intent)
                if filter_by.matches(entry):
                    items.append(entry)
            if len(items) == limit:
                return AuditPage(items, _format_cursor(before, completed) if before > 1 else None)
        read += len(batch)
        if len(batch) < _BATCH_SIZE:
            return AuditPage(items)
    return AuditPage(items, _format_cursor(before or 1, completed))


def _record_names(entry: AuditEntry) -> set[str]:
    """Return the ids and names of the entry's records in lower case."""
    names = {str(receipt.get("entity", {}).get("name", "")).casefold() for receipt in entry.receipts}
    return names | {record_id.casefold() for record_id in entry.entities}


def _format_cursor(before: int, completed: set[str]) -> str:
    return ".".join([str(before), *(intent.removeprefix(_PREFIX) for intent in sorted(completed)[:_MAX_OPEN])])


def _parse_cursor(cursor: str | None) -> tuple[int | None, set[str]]:
    if cursor is None:
        return None, set()
    if not _CURSOR.fullmatch(cursor):
        raise InvalidInputError("This cursor is not from this list. Start over without a cursor.", pointer="/cursor")
    before, *completed = cursor.split(".")
    return int(before), {f"{_PREFIX}{intent}" for intent in completed}
