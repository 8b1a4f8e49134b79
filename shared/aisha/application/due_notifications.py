"""What a user is to be told now: notifications and sticky notes that are due, and activities that just fell due."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.visibility import may_see, readable_page
from aisha.domain.entries import Entry
from aisha.domain.queries import Condition, RecordQuery
from aisha.domain.records import Activity, ActivityStatus

NOTIFICATION, STICKY_NOTE, DISMISSED_REMINDER = "notification", "sticky_note", "dismissed_reminder"
PENDING = "pending"
REMINDED = timedelta(days=1)
"""An activity is a reminder for so long after it was due; later it is an overdue one, as the scans and tools tell."""
MOST_READ = 500
PAGE = 50
MOST_REMINDERS = 10


@dataclass(frozen=True, slots=True)
class Due:
    """One thing to tell. `source` is where it lives; `callback` is `{tool, arguments}`; `entity` `{type, id, name}`."""

    id: str
    source: str
    title: str
    body: str
    due_at: datetime
    callback: Mapping[str, Any] | None = None
    entity: Mapping[str, str] | None = None


def due_notifications(context: ToolContext, *, with_coming: bool = False) -> tuple[list[Due], bool]:
    """The user's pending ones that are due, the earliest first, and whether there were more than are read.

    `with_coming` adds those that are not due yet.
    """
    notifications, more = _read(context, NOTIFICATION)
    notes, more_notes = _read(context, STICKY_NOTE)
    found = [due_of(entry) for entry in notifications if entry.body.get("state") == PENDING]
    found += [due for entry in notes if (due := _due_note(entry)) is not None]
    shown = [due for due in found if with_coming or due.due_at <= context.now]
    return sorted([*shown, *_reminders(context)], key=lambda due: due.due_at), more or more_notes


def _read(context: ToolContext, kind: str) -> tuple[list[Entry], bool]:
    read: list[Entry] = []
    cursor: str | None = None
    while len(read) < MOST_READ:
        page = context.own.page(kind, limit=PAGE, cursor=cursor)
        read += page.items
        cursor = page.next_cursor
        if cursor is None:
            return read, False
    return read, True


def due_of(entry: Entry) -> Due:
    """What a notification tells."""
    body = entry.body
    due_at = datetime.fromisoformat(body["due_at"])
    return Due(entry.id, NOTIFICATION, body["title"], body["body"], due_at, body.get("callback"))


def _due_note(entry: Entry) -> Due | None:
    """None for a note without a time, and for one that is done with."""
    text, due_at = entry.body.get("text"), _moment(entry.body.get("due_at"))
    if entry.body.get("resolved") or due_at is None or not isinstance(text, str):
        return None
    return Due(entry.id, STICKY_NOTE, "Sticky note", text, due_at)


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None


def _reminders(context: ToolContext) -> Iterator[Due]:
    """The user's activities that fell due within the last day: one search."""
    principal = context.principal
    if not may_see(principal, Activity.TYPE):
        return
    where = (
        Condition("owner", "eq", principal.user),
        Condition("status", "eq", ActivityStatus.SCHEDULED),
        Condition("due_at", "gte", context.now - REMINDED),
        Condition("due_at", "lte", context.now),
    )
    query = RecordQuery(Activity.TYPE, where=where, order="due", limit=MOST_REMINDERS)
    items = readable_page(principal, context.records, query).items
    dismissed = {entry.id for entry in context.own.page(DISMISSED_REMINDER).items} if items else set()
    for item in items:
        if isinstance(item, Activity) and item.due_at is not None and item.id not in dismissed:
            about = item.related
            entity = {"type": about.type, "id": about.id, "name": about.name} if about and about.name else None
            yield Due(item.id, Activity.TYPE, item.display_name, item.body or "", item.due_at, None, entity)
