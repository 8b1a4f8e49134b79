"""Schemas of suggested next steps."""

from typing import Any, Literal

from aisha.api.schemas.camel_model import CamelModel
from aisha.api.schemas.conversations.chat import EntityRefJson, FollowUpJson
from aisha.application.input_suggestions.page_suggestions import Suggestions
from aisha.renderers.json_response import follow_up_json


class NextActionJson(CamelModel):
    """An action on a record. `score` is 1 to 10; `tool` and `arguments` are the call that performs it."""

    action: str
    reasoning: str
    priority: Literal["Urgent", "High", "Normal"]
    score: int
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    entity: EntityRefJson | None = None


class SuggestResponse(CamelModel):
    """Two to four follow-ups and up to three next actions.

    `provider` wrote the follow-ups; `offline` means that rules did. `degraded` is true if rules replaced a failed
    model.
    """

    success: bool
    suggestions: list[FollowUpJson]
    next_actions: list[NextActionJson]
    provider: str
    degraded: bool
    warnings: list[str]


def suggest_json(suggestions: Suggestions) -> SuggestResponse:
    """Return follow-ups and next actions."""
    follow_ups = [follow_up_json(step) for step in suggestions.items]
    return SuggestResponse.from_attributes(suggestions, success=True, suggestions=follow_ups)
