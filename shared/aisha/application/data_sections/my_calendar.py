"""What the user has planned."""

from datetime import timedelta
from typing import Any

from aisha.application.data_sections.brief_records import found
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.visibility import reachable
from aisha.domain.queries import Condition
from aisha.domain.records import Activity

ID = "MY_CALENDAR"
DESCRIPTION = "The user's planned activities: overdue ones and those of the next 14 days"
DAYS = 14


def read(context: ToolContext) -> Any:
    """Scheduled activities of the user by due time, in the user's zone."""
    planned = found(
        context,
        "activity",
        Condition("owner", "eq", context.principal.user),
        Condition("status", "eq", "scheduled"),
        Condition("due_at", "lt", context.now + timedelta(days=DAYS)),
        *reachable(context.principal),
        due=True,
    )
    return [_entry(context, one) for one in planned if isinstance(one, Activity)]


def _entry(context: ToolContext, activity: Activity) -> dict[str, Any]:
    due = activity.due_at.astimezone(context.now.tzinfo) if activity.due_at else None
    entry = {
        "id": activity.id,
        "title": activity.title,
        "type": activity.activity_type,
        "due": due.isoformat(timespec="minutes") if due else None,
        "is_overdue": due is not None and due < context.now,
        "with": activity.related.name,
    }
    return {name: value for name, value in entry.items() if value is not None}
