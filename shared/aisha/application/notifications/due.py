"""What a user is to be told now: notifications and sticky notes that are due, and activities that just fell due."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.notifications.reminders import StickyNote, read_open_notes
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.visibility import may_see, readable_page
from aisha.domain.entries import Entry
from aisha.domain.pages import pages, read_items
from aisha.domain.queries import Condition, RecordQuery
from aisha.domain.records import Activity, ActivityStatus

NOTIFICATION, DISMISSED_REMINDER = "notification", "dismissed_reminder"
NOTE_SOURCE = "sticky_note"
"""How a sticky note is called where it is told."""
PENDING = "pending"
REMINDED = timedelta(days=1)
"""An activity is a reminder for so long after it was due; later it is an overdue one, as the scans and tools tell."""
MAX_READ = 500
PAGE = 50
MOST_REMINDERS = 10
"""Activities that are told at once, the earliest first."""
REMINDER_PAGES = 10
"""Pages of activities that are looked through for those that were not dismissed."""


class Due(Struct, frozen=True):
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
    notes, more_notes = read_open_notes(context.own)
    reminders, more_reminders = _reminders(context)
    found = [due_of(entry) for entry in notifications if entry.body.get("state") == PENDING]
    found += [due for note in notes if (due := _due_note(note)) is not None]
    shown = [due for due in found if with_coming or due.due_at <= context.now]
    return sorted([*shown, *reminders], key=lambda due: due.due_at), more or more_notes or more_reminders


def _read(context: ToolContext, kind: str) -> tuple[list[Entry], bool]:
    return read_items(lambda cursor: context.own.page(kind, limit=PAGE, cursor=cursor), max_items=MAX_READ)


def due_of(entry: Entry) -> Due:
    """What a notification tells."""
    body = entry.body
    due_at = datetime.fromisoformat(body["due_at"])
    return Due(entry.id, NOTIFICATION, body["title"], body["body"], due_at, body.get("callback"))


def _due_note(note: StickyNote) -> Due | None:
    """None for a note that never comes due."""
    return Due(note.id, NOTE_SOURCE, "Sticky note", note.text, note.due_at) if note.due_at else None


def _reminders(context: ToolContext) -> tuple[list[Due], bool]:
    """The user's activities that fell due within the last day and were not dismissed, and whether there are more."""
    principal = context.principal
    if not may_see(principal, Activity.TYPE):
        return [], False
    where = (
        Condition("owner", "eq", principal.user),
        Condition("status", "eq", ActivityStatus.SCHEDULED),
        Condition("due_at", "gte", context.now - REMINDED),
        Condition("due_at", "lte", context.now),
    )
    query = RecordQuery(Activity.TYPE, where=where, order="due", limit=MOST_REMINDERS)
    found: list[Due] = []
    for page in pages(
        lambda cursor: readable_page(principal, context.records, replace(query, cursor=cursor)),
        max_pages=REMINDER_PAGES,
    ):
        found += [
            _reminder(item, item.due_at)
            for item in page.items
            if isinstance(item, Activity) and item.due_at and context.own.find(DISMISSED_REMINDER, item.id) is None
        ]
        if page.next_cursor is None or len(found) > MOST_REMINDERS:
            return found[:MOST_REMINDERS], len(found) > MOST_REMINDERS
    return found, True


def _reminder(item: Activity, due_at: datetime) -> Due:
    about = item.related
    entity = {"type": about.type, "id": about.id, "name": about.name} if about and about.name else None
    return Due(item.id, Activity.TYPE, item.display_name, item.body or "", due_at, None, entity)
