"""POST /api/ai/suggest: what to offer the user here and now."""

from typing import Any, Literal

from aws_lambda_powertools.event_handler import Response

from aisha import bootstrap
from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer, rest_handler
from aisha.application.suggest.suggest import SuggestRequest, suggest
from aisha.renderers.chat_response import CamelModel, EntityRefJson, FollowUpJson
from aisha.renderers.json_response import follow_up_json


class NextActionJson(CamelModel):
    """One thing to do about a record. `score` is 1 to 10; `tool` and `arguments` are the call that does it."""

    action: str
    reasoning: str
    priority: Literal["Urgent", "High", "Normal"]
    score: int
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    entity: EntityRefJson | None = None


class SuggestResponse(CamelModel):
    """Two to four follow-ups and up to three next actions.

    `provider` is who worded the follow-ups, `offline` when the rules did. `degraded` is true when a model should have.
    """

    success: bool
    suggestions: list[FollowUpJson]
    next_actions: list[NextActionJson]
    provider: str
    degraded: bool
    warnings: list[str]


_LEAD = "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
_ABOUT = {"entity_type": "lead", "entity_id": _LEAD}
EXAMPLE = {
    "success": True,
    "suggestions": [
        {
            "text": "What should I do next with Jack Russel?",
            "icon": "💡",
            "tool": "suggest_next_actions",
            "arguments": _ABOUT,
        },
        {"text": "Show me my warm leads", "icon": "🔥", "tool": "search_leads"},
    ],
    "nextActions": [
        {
            "action": "Call Jack Russel",
            "reasoning": "Warm lead without an open activity",
            "priority": "Urgent",
            "score": 10,
            "tool": "create_activity",
            "arguments": {**_ABOUT, "title": "Call with Jack Russel", "activity_type": "call"},
            "entity": {"type": "lead", "id": _LEAD, "name": "Jack Russel"},
        }
    ],
    "provider": "offline",
    "degraded": False,
    "warnings": [],
}

app = RestApp()


@app.operation(
    Operation(
        "POST",
        "/api/ai/suggest",
        "suggest",
        summary="Suggest what to do next",
        description="Follow-ups and next actions for the records, the page and the last messages of a client. Nothing is "
        "written. A model words the follow-ups where there is one; otherwise, and when it fails, the rules do.",
        body=SuggestRequest,
        response=SuggestResponse,
        errors=(503,),
        limited=True,
        body_example={"sessionEntities": [{"id": _LEAD, "type": "lead", "name": "Jack Russel"}], "page": "leads"},
        example=EXAMPLE,
    )
)
def suggestions() -> Response[str]:
    principal, request = app.principal(), app.body(SuggestRequest)
    found = suggest(request, principal, bootstrap.turn_dependencies())
    return answer(
        SuggestResponse(
            success=True,
            suggestions=[FollowUpJson.model_validate(follow_up_json(step)) for step in found.items],
            next_actions=[NextActionJson.model_validate(action) for action in found.next_actions],
            provider=found.provider,
            degraded=found.degraded,
            warnings=list(found.warnings),
        )
    )


handler = rest_handler(app)
