"""GET /api/ai/mode, POST /api/ai/mode/{mode}: the style of the user's answers."""

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation, PathParameter
from aisha.api.rest_app import RestApp, answer
from aisha.api.schemas.mode import MODE_EXAMPLE, ModeJson
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


handler = app.resolve
