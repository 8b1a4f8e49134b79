"""POST /api/ai/singleturn: one model call without history or tools."""

from aisha.api.rest_app import RestApp
from aisha.api.schemas.models.singleturn import SingleTurnBody, SingleTurnResponse, single_turn_json
from aisha.application.models.completion import SingleTurn, single_turn
from aisha.application.redaction.output import clean
from aisha.application.requests.validation import check_length
from aisha.domain.errors import InvalidInputError

app = RestApp()


@app.operation(
    "POST",
    "/api/ai/singleturn",
    "singleTurn",
    summary="Ask a model once",
    description="Makes one model call without history, tools or CRM data. Nothing is stored.",
    errors=(503, 504),
)
def ask(body: SingleTurnBody) -> SingleTurnResponse:
    principal, config = app.principal(), app.services.settings
    # Limits of the deployment, which the schema can't know.
    check_length(body.prompt, config.message_characters, "/prompt")
    check_length(body.system or "", config.message_characters, "/system")
    if not body.prompt.strip():
        raise InvalidInputError("There is nothing to answer. Send a prompt.", pointer="/prompt")
    request = SingleTurn(body.prompt, body.system, body.temperature, body.provider, body.model, body.max_tokens)
    text, finished = single_turn(request, principal, app.services.chat_model, app.services.clock, config.turn_seconds)
    # No record was read, so an id in the text has no name to stand for it.
    return single_turn_json(clean(text, {}), finished)


handler = app.resolve
