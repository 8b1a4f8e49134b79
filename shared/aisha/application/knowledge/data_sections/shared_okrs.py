"""The section SHARED_OKRS."""

from typing import Any

from aisha.application.knowledge.data_sections.brief_records import brief_goals, find_records
from aisha.application.tooling.context import ToolContext
from aisha.domain.crm.queries import Condition
from aisha.domain.crm.records import Goal

ID = "SHARED_OKRS"
DESCRIPTION = "The team's shared objectives, with their key results and progress"


def read(context: ToolContext) -> Any:
    """Return the goals of scope `shared`."""
    return brief_goals(find_records(context, Goal.TYPE, Condition("scope", "eq", "shared")))
