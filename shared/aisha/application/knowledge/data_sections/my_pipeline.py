"""The section MY_PIPELINE."""

from typing import Any

from aisha.application.knowledge.data_sections.brief_records import brief_pipeline
from aisha.application.tooling.context import ToolContext

ID = "MY_PIPELINE"
DESCRIPTION = "The user's open deals: by stage, amount, closing day and next step"


def read(context: ToolContext) -> Any:
    """Return the user's open opportunities, the next to close first."""
    return brief_pipeline(context, context.principal.user)
