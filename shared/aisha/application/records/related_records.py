"""What is written down and planned about a record, as far as the user may see it: the ground of advice and scores."""

from typing import cast

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.visibility import may_see, readable_page
from aisha.domain.queries import Condition, RecordQuery
from aisha.domain.records import Activity, ActivityStatus, Note, Record

NOTES_READ = 10
ACTIVITIES_READ = 20


def newest_notes(context: ToolContext, *where: Condition) -> list[Note]:
    """Up to 10, without other users' private ones; none for a user without the module."""
    if not may_see(context.principal, Note.TYPE):
        return []
    page = readable_page(context.principal, context.records, RecordQuery("note", where=where, limit=NOTES_READ))
    return cast(list[Note], page.items)


def notes_about(context: ToolContext, record: Record) -> list[Note]:
    """The newest notes about a record."""
    return newest_notes(context, _about(record))


def activities_about(context: ToolContext, record: Record) -> list[Activity] | None:
    """The newest 20, and up to 20 planned ones should these not be all; None for a user without the module."""
    if not may_see(context.principal, Activity.TYPE):
        return None
    about = (_about(record),)
    page = context.records.search(RecordQuery("activity", where=about, order="newest", limit=ACTIVITIES_READ))
    found = {one.id: one for one in page.items}
    if page.next_cursor is not None:
        planned = Condition("status", "eq", ActivityStatus.SCHEDULED)
        query = RecordQuery("activity", where=(*about, planned), limit=ACTIVITIES_READ)
        found |= {one.id: one for one in context.records.search(query).items}
    return cast(list[Activity], list(found.values()))


def _about(record: Record) -> Condition:
    return Condition("related.id", "eq", record.id)
