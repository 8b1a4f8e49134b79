"""The section TEAM_PIPELINE."""

from typing import Any

from aisha.application.knowledge.data_sections.brief_records import brief_pipeline
from aisha.application.tooling.context import ToolContext

ID = "TEAM_PIPELINE"
DESCRIPTION = "The whole team's open deals: by stage, amount, closing day, next step and owner"


def read(context: ToolContext) -> Any:
    """Return the tenant's open opportunities, the next to close first."""
    return brief_pipeline(context)
