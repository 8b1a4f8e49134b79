"""The section MY_OKRS."""

from typing import Any

from aisha.application.knowledge.data_sections.brief_records import brief_goals, find_records
from aisha.application.tooling.context import ToolContext
from aisha.domain.crm.queries import Condition
from aisha.domain.crm.records import Goal

ID = "MY_OKRS"
DESCRIPTION = "The user's own objectives, with their key results and progress"


def read(context: ToolContext) -> Any:
    """Return the user's goals of scope `mine`."""
    # The owner too: shared goals have owners, and a goal of scope `mine` is private to its own.
    mine = Condition("scope", "eq", "mine"), Condition("owner", "eq", context.principal.user)
    return brief_goals(find_records(context, Goal.TYPE, *mine))
