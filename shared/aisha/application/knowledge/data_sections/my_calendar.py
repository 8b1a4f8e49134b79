"""What the user has planned."""

from datetime import datetime, timedelta
from typing import Any

from aisha.application.knowledge.data_sections.brief_records import MOST, found
from aisha.application.tooling.context import ToolContext
from aisha.domain.queries import Condition
from aisha.domain.records import Activity

ID = "MY_CALENDAR"
DESCRIPTION = "The user's planned activities: those of the next 14 days and overdue ones"
DAYS = 14
MOST_OVERDUE = 10


def read(context: ToolContext) -> Any:
    """Scheduled activities of the user by due time, in the user's zone: what is to come, and what is overdue beside it."""
    coming = _planned(context, MOST, Condition("due_at", "gte", context.now), Condition("due_at", "lt", _end(context)))
    overdue = _planned(context, MOST_OVERDUE, Condition("due_at", "lt", context.now))
    return {"coming": coming, "overdue": overdue}


def _end(context: ToolContext) -> datetime:
    return context.now + timedelta(days=DAYS)


def _planned(context: ToolContext, most: int, *when: Condition) -> dict[str, Any]:
    own = Condition("owner", "eq", context.principal.user), Condition("status", "eq", "scheduled")
    page = found(context, Activity.TYPE, *own, *when, due=True, most=most)
    activities = [_entry(context, one) for one in page.items if isinstance(one, Activity)]
    return {"activities": activities, "is_cut": page.next_cursor is not None}


def _entry(context: ToolContext, activity: Activity) -> dict[str, Any]:
    due = activity.due_at.astimezone(context.now.tzinfo) if activity.due_at else None
    entry = {
        "id": activity.id,
        "title": activity.title,
        "type": activity.activity_type,
        "due": due.isoformat(timespec="minutes") if due else None,
        "with": activity.related.name,
    }
    return {name: value for name, value in entry.items() if value is not None}
