"""POST /api/ai/suggest: follow-ups and next actions for the user's current page and records."""

from aisha.api.rest_app import RestApp
from aisha.api.schemas.conversations.suggest import SuggestResponse, suggest_json
from aisha.application.input_suggestions.page_suggestions import SuggestRequest, suggest

app = RestApp()


@app.operation(
    "POST",
    "/api/ai/suggest",
    "suggest",
    summary="Suggest next steps",
    description="Suggests follow-ups and next actions for the records, the page and the last messages of a client. "
    "Writes nothing. A model writes the follow-ups if one is configured; if there is none or it fails, rules do.",
    errors=(503,),
)
def suggestions(body: SuggestRequest) -> SuggestResponse:
    return suggest_json(suggest(body, app.principal(), app.services.turn_dependencies))


handler = app.resolve
