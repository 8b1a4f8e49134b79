"""The section MY_CALENDAR."""

from datetime import timedelta
from typing import Any

from aisha.application.knowledge.data_sections.brief_records import MAX_RECORDS, find_records
from aisha.application.tooling.context import ToolContext
from aisha.domain.crm.queries import Condition
from aisha.domain.crm.records import Activity
from aisha.domain.json_values import without_none

ID = "MY_CALENDAR"
DESCRIPTION = "The user's planned activities: those of the next 14 days and overdue ones"
PERIOD = timedelta(days=14)
MAX_OVERDUE = 10


def read(context: ToolContext) -> Any:
    """Return the user's scheduled activities, coming and overdue ones, by due time in the user's zone."""
    begins, ends = Condition("due_at", "gte", context.now), Condition("due_at", "lt", context.now + PERIOD)
    return {
        "coming": _scheduled(context, MAX_RECORDS, begins, ends),
        "overdue": _scheduled(context, MAX_OVERDUE, Condition("due_at", "lt", context.now)),
    }


def _scheduled(context: ToolContext, limit: int, *due: Condition) -> dict[str, Any]:
    mine = Condition("owner", "eq", context.principal.user), Condition("status", "eq", "scheduled")
    page = find_records(context, Activity.TYPE, *mine, *due, by_due=True, limit=limit)
    activities = [_brief_activity(context, activity) for activity in page.items if isinstance(activity, Activity)]
    return {"activities": activities, "is_cut": page.next_cursor is not None}


def _brief_activity(context: ToolContext, activity: Activity) -> dict[str, Any]:
    # In the user's zone: models are bad at converting times.
    due = activity.due_at.astimezone(context.now.tzinfo) if activity.due_at else None
    fields = {
        "id": activity.id,
        "title": activity.title,
        "type": activity.activity_type,
        "due": due.isoformat(timespec="minutes") if due else None,
        "with": activity.related.name,
    }
    return without_none(**fields)
