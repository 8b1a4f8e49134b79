"""The team's objectives."""

from typing import Any

from aisha.application.knowledge.data_sections.brief_records import found, goals
from aisha.application.tooling.context import ToolContext
from aisha.domain.queries import Condition

ID = "SHARED_OKRS"
DESCRIPTION = "The team's shared objectives with their key results and progress"


def read(context: ToolContext) -> Any:
    """The goals of scope `shared`."""
    return goals(found(context, "goal", Condition("scope", "eq", "shared")))
