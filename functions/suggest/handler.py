"""POST /api/ai/suggest: what to offer the user here and now."""

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer
from aisha.api.schemas.suggest import (
    SUGGEST_BODY_EXAMPLE,
    SUGGEST_EXAMPLE,
    SuggestResponse,
    suggest_json,
)
from aisha.application.suggest.suggest import SuggestRequest, suggest

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
        body_example=SUGGEST_BODY_EXAMPLE,
        example=SUGGEST_EXAMPLE,
    )
)
def suggestions() -> Response[str]:
    principal, request = app.principal(), app.body(SuggestRequest)
    found = suggest(request, principal, app.services.turn_dependencies)
    return answer(suggest_json(found))


handler = app.resolve
