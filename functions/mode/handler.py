"""GET /api/ai/mode, POST /api/ai/mode/{mode}, GET /api/ai/models: the style and the models of the user's answers."""

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation, PathParameter
from aisha.api.rest_app import RestApp, answer
from aisha.api.schemas.mode import MODE_EXAMPLE, MODELS_EXAMPLE, ModeJson, ModelsJson, models_json
from aisha.application.tenants.preferences import preferences_of, set_mode
from aisha.domain.conversations.modes import MODES

app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/api/ai/mode",
        "getMode",
        summary="Get the answer mode",
        description="The style of answers for requests that do not choose another one.",
        response=ModeJson,
        example=MODE_EXAMPLE,
    )
)
def current() -> Response[str]:
    principal = app.principal()
    preferences = preferences_of(app.services.entries, principal.tenant, principal.user)
    return answer(ModeJson(mode=preferences.mode, modes=list(MODES)))


@app.operation(
    Operation(
        "POST",
        "/api/ai/mode/{mode}",
        "setMode",
        summary="Set the answer mode",
        description="Applies to all conversations of the user from now on.",
        response=ModeJson,
        example=MODE_EXAMPLE,
        errors=(409, 422),
        idempotent=True,
        path_parameters={"mode": PathParameter("One of `modes`.", {"enum": list(MODES)})},
    )
)
def change(mode: str) -> Response[str]:
    principal = app.principal()
    preferences = set_mode(app.services.entries, principal.tenant, principal.user, mode)
    return answer(ModeJson(mode=preferences.mode, modes=list(MODES)))


@app.operation(
    Operation(
        "GET",
        "/api/ai/models",
        "listChatModels",
        summary="List the models of the chat",
        description="The providers and models that a chat request of this user can name, in the order in which they "
        "are asked, and what the answer modes are.",
        response=ModelsJson,
        errors=(503,),
        example=MODELS_EXAMPLE,
    )
)
def models() -> Response[str]:
    return answer(models_json(app.services.model_choices(app.principal().tenant)))


handler = app.resolve
