"""Everybody's open deals."""

from typing import Any

from aisha.application.knowledge.data_sections.brief_records import pipeline
from aisha.application.tooling.context import ToolContext

ID = "TEAM_PIPELINE"
DESCRIPTION = "The whole team's open deals: by stage, amount, closing day, next step and owner"


def read(context: ToolContext) -> Any:
    """Open opportunities of the tenant, those that close first."""
    return pipeline(context)
