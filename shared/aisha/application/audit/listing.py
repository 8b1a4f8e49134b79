"""The audit log as an administrator reads it: the last calls first, filtered, page by page."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from aisha.domain.audit import AuditEntry
from aisha.domain.errors import InvalidInputError, PermissionDeniedError
from aisha.domain.ids import ULID
from aisha.domain.ports import AuditLog
from aisha.domain.principal import Principal

ROLE = "admin"
"""Who may read it."""
MOST_READ = 500
"""Entries that one page looks at: with a rare filter it comes back short, with a cursor."""
LATE = timedelta(minutes=15)
"""A turn's reads are recorded at its end. No function runs longer, so that an entry is never later than this."""
_BATCH = 100
_MOST_OPEN = 100
_PREFIX = "audit_"
_CURSOR = re.compile(rf"\d{{1,12}}(?:\.{ULID}){{0,100}}")
"""The place that was reached, and intents whose outcomes were listed before they were."""


class AuditFilter(Struct, frozen=True):
    """What is listed. None does not filter. `entity` is a record's id, or the name of one that was written."""

    tool: str | None = None
    user: str | None = None
    entity: str | None = None
    since: datetime | None = None
    status: str | None = None

    def takes(self, entry: AuditEntry) -> bool:
        """Whether the entry is listed."""
        return (
            self.tool in (None, entry.tool)
            and self.user in (None, entry.user)
            and self.status in (None, entry.status)
            and (self.since is None or entry.at >= self.since)
            and (self.entity is None or self.entity.casefold() in _about(entry))
        )


class AuditPage(Struct, frozen=True):
    """The last first. There may be more although a page is short: `next_cursor` is None on the last one alone."""

    items: Sequence[AuditEntry]
    next_cursor: str | None = None


def check_reader(principal: Principal) -> None:
    """Raises `PermissionDeniedError` for who may not read the log."""
    if ROLE not in principal.roles:
        raise PermissionDeniedError(
            "Only admins may read the audit log.", suggestion="Ask an admin of your organisation."
        )


def audit_page(
    log: AuditLog, tenant: str, wanted: AuditFilter, limit: int = 20, cursor: str | None = None
) -> AuditPage:
    """A call that ran is listed once, with its outcome; as `intended` only one whose outcome never came.

    Raises `InvalidInputError` for a cursor that is none of this list, `UnavailableError`.
    """
    before, completed = _position(cursor)
    items: list[AuditEntry] = []
    read = 0
    while read < MOST_READ:
        batch = log.page(tenant, _BATCH, before)
        for entry in batch:
            if wanted.since is not None and entry.status != "unreadable" and entry.at + LATE < wanted.since:
                return AuditPage(items)
            before = entry.sequence
            if entry.id in completed:
                completed.discard(entry.id)
            else:
                if entry.intent:
                    completed.add(entry.intent)
                if wanted.takes(entry):
                    items.append(entry)
            if len(items) == limit:
                return AuditPage(items, _cursor(before, completed) if before > 1 else None)
        read += len(batch)
        if len(batch) < _BATCH:
            return AuditPage(items)
    return AuditPage(items, _cursor(before or 1, completed))


def _about(entry: AuditEntry) -> set[str]:
    """Ids and names of its records, in small letters."""
    named = {str(one.get("entity", {}).get("name", "")).casefold() for one in entry.receipts}
    return named | {one.casefold() for one in entry.entities}


def _cursor(before: int, completed: set[str]) -> str:
    return ".".join([str(before), *(one.removeprefix(_PREFIX) for one in sorted(completed)[:_MOST_OPEN])])


def _position(cursor: str | None) -> tuple[int | None, set[str]]:
    if cursor is None:
        return None, set()
    if not _CURSOR.fullmatch(cursor):
        raise InvalidInputError("This cursor is not from this list. Start over without a cursor.", pointer="/cursor")
    before, *completed = cursor.split(".")
    return int(before), {f"{_PREFIX}{one}" for one in completed}
