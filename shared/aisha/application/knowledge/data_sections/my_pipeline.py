"""The user's open deals."""

from typing import Any

from aisha.application.knowledge.data_sections.brief_records import pipeline
from aisha.application.tooling.context import ToolContext

ID = "MY_PIPELINE"
DESCRIPTION = "The user's open deals: by stage, amount, closing day and next step"


def read(context: ToolContext) -> Any:
    """Open opportunities that the user owns, those that close first."""
    return pipeline(context, context.principal.user)
