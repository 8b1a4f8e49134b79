"""Notes and activities about a record that the user may see, for advice and scores."""

from typing import cast

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.visibility import may_see, readable_page
from aisha.domain.crm.enumerations import ActivityStatus
from aisha.domain.crm.queries import Condition, RecordQuery
from aisha.domain.crm.records import Activity, Note, Record

MAX_NOTES = 10
MAX_ACTIVITIES = 20


def newest_notes(context: ToolContext, *where: Condition) -> list[Note]:
    """Return up to 10 notes, newest first, without other users' private ones; none for a user without the module."""
    if not may_see(context.principal, Note.TYPE):
        return []
    page = readable_page(context.principal, context.records, RecordQuery("note", where=where, limit=MAX_NOTES))
    return cast(list[Note], page.items)


def notes_about(context: ToolContext, record: Record) -> list[Note]:
    """Return up to 10 notes about a record, newest first."""
    return newest_notes(context, _about(record))


def activities_about(context: ToolContext, record: Record) -> list[Activity] | None:
    """Return the newest 20 activities and, if there are more, up to 20 planned ones; None without the module."""
    if not may_see(context.principal, Activity.TYPE):
        return None
    about = (_about(record),)
    page = context.records.search(RecordQuery("activity", where=about, order="newest", limit=MAX_ACTIVITIES))
    by_id = {activity.id: activity for activity in page.items}
    # A record with many activities may have planned ones that were created long ago.
    if page.next_cursor is not None:
        planned = Condition("status", "eq", ActivityStatus.SCHEDULED)
        query = RecordQuery("activity", where=(*about, planned), limit=MAX_ACTIVITIES)
        by_id |= {activity.id: activity for activity in context.records.search(query).items}
    return cast(list[Activity], list(by_id.values()))


def _about(record: Record) -> Condition:
    return Condition("related.id", "eq", record.id)
