"""The items to show a user now: due notifications and reminders, and activities that fell due within the last day."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.notifications.reminders import open_reminders
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.visibility import may_see, readable_page
from aisha.domain.crm.enumerations import ActivityStatus
from aisha.domain.crm.paging import pages, read_items
from aisha.domain.crm.queries import Condition, RecordQuery
from aisha.domain.crm.records import Activity
from aisha.domain.entries import Entry

NOTIFICATION, DISMISSED_ACTIVITY = "notification", "dismissed_reminder"
REMINDER_SOURCE = "sticky_note"
"""The `source` of a reminder in the public API."""
PENDING = "pending"
ACTIVITY_SHOWN_FOR = timedelta(days=1)
"""The time for which an activity is shown after it fell due; later, scans and tools report it as overdue."""
MAX_READ = 500
PAGE = 50
MAX_ACTIVITIES = 10
"""Activities shown at once, the earliest first."""
MAX_ACTIVITY_PAGES = 10
"""Pages of activities that are searched for those that the user has not dismissed."""


class DueItem(Struct, frozen=True):
    """An item to show. `source` is its kind, `callback` is `{tool, arguments}` and `entity` is `{type, id, name}`."""

    id: str
    source: str
    title: str
    body: str
    due_at: datetime
    callback: Mapping[str, Any] | None = None
    entity: Mapping[str, str] | None = None


def due_notifications(context: ToolContext, *, include_coming: bool = False) -> tuple[list[DueItem], bool]:
    """Return the user's due items, the earliest first, and whether there were more than are read.

    `include_coming` adds notifications and reminders that are not due yet.
    """
    entries, more_entries = read_items(
        lambda cursor: context.own.page(NOTIFICATION, limit=PAGE, cursor=cursor), max_items=MAX_READ
    )
    reminders, more_reminders = open_reminders(context.own)
    activities, more_activities = _due_activities(context)
    items = [to_due_item(entry) for entry in entries if entry.body.get("state") == PENDING]
    items += [
        DueItem(reminder.id, REMINDER_SOURCE, "Sticky note", reminder.text, reminder.due_at)
        for reminder in reminders
        if reminder.due_at is not None
    ]
    items = [item for item in items if include_coming or item.due_at <= context.now]
    return sorted(
        [*items, *activities], key=lambda item: item.due_at
    ), more_entries or more_reminders or more_activities


def to_due_item(entry: Entry) -> DueItem:
    """Return a stored notification as an item to show."""
    body = entry.body
    due_at = datetime.fromisoformat(body["due_at"])
    return DueItem(entry.id, NOTIFICATION, body["title"], body["body"], due_at, body.get("callback"))


def _due_activities(context: ToolContext) -> tuple[list[DueItem], bool]:
    """Return the user's activities that fell due within a day and were not dismissed, and whether there are more."""
    principal = context.principal
    if not may_see(principal, Activity.TYPE):
        return [], False
    where = (
        Condition("owner", "eq", principal.user),
        Condition("status", "eq", ActivityStatus.SCHEDULED),
        Condition("due_at", "gte", context.now - ACTIVITY_SHOWN_FOR),
        Condition("due_at", "lte", context.now),
    )
    query = RecordQuery(Activity.TYPE, where=where, order="due", limit=MAX_ACTIVITIES)
    items: list[DueItem] = []
    for page in pages(
        lambda cursor: readable_page(principal, context.records, replace(query, cursor=cursor)),
        max_pages=MAX_ACTIVITY_PAGES,
    ):
        items += [
            _from_activity(record, record.due_at)
            for record in page.items
            if isinstance(record, Activity)
            and record.due_at
            and context.own.find(DISMISSED_ACTIVITY, record.id) is None
        ]
        # One more than is shown tells whether there are more.
        if page.next_cursor is None or len(items) > MAX_ACTIVITIES:
            return items[:MAX_ACTIVITIES], len(items) > MAX_ACTIVITIES
    return items, True


def _from_activity(activity: Activity, due_at: datetime) -> DueItem:
    about = activity.related
    entity = {"type": about.type, "id": about.id, "name": about.name} if about and about.name else None
    return DueItem(activity.id, Activity.TYPE, activity.display_name, activity.body or "", due_at, None, entity)
