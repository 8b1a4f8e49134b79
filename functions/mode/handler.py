"""GET /api/ai/mode, POST /api/ai/mode/{mode}: how the user wants to be answered."""

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation, PathParameter
from aisha.api.rest_app import RestApp, answer
from aisha.api.schemas.mode import MODE_EXAMPLE, ModeJson
from aisha.application.tenants.preferences import preferences_of, set_mode
from aisha.domain.modes import MODES

app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/api/ai/mode",
        "getMode",
        summary="Get the mode",
        description="How the user is answered unless a request says otherwise.",
        response=ModeJson,
        example=MODE_EXAMPLE,
    )
)
def current() -> Response[str]:
    principal = app.principal()
    known = preferences_of(app.services.entries, principal.tenant, principal.user)
    return answer(ModeJson(mode=known.mode, modes=list(MODES)))


@app.operation(
    Operation(
        "POST",
        "/api/ai/mode/{mode}",
        "setMode",
        summary="Set the mode",
        description="For all conversations of the user from now on. The same mode again changes nothing.",
        response=ModeJson,
        example=MODE_EXAMPLE,
        errors=(409, 422),
        idempotent=True,
        path_parameters={"mode": PathParameter("One of `modes`.", {"enum": list(MODES)})},
    )
)
def change(mode: str) -> Response[str]:
    principal = app.principal()
    changed = set_mode(app.services.entries, principal.tenant, principal.user, mode)
    return answer(ModeJson(mode=changed.mode, modes=list(MODES)))


handler = app.resolve
