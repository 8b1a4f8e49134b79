"""The user's own objectives."""

from typing import Any

from aisha.application.knowledge.data_sections.brief_records import found, goals
from aisha.application.tooling.context import ToolContext
from aisha.domain.queries import Condition

ID = "MY_OKRS"
DESCRIPTION = "The user's own objectives with their key results and progress"


def read(context: ToolContext) -> Any:
    """The goals of scope `mine`."""
    own = Condition("scope", "eq", "mine"), Condition("owner", "eq", context.principal.user)
    return goals(found(context, "goal", *own))
