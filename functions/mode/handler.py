"""GET /api/ai/mode, POST /api/ai/mode/{mode}: how the user wants to be answered."""

from aws_lambda_powertools.event_handler import Response
from pydantic import Field

from aisha import bootstrap
from aisha.api.operation import Operation, PathParameter
from aisha.api.rest_app import RestApp, answer, rest_handler
from aisha.application.tenants.preferences import MODES, Mode, preferences_of, set_mode
from aisha.renderers.chat_response import CamelModel

EXAMPLE = {"mode": "brief", "modes": list(MODES)}


class ModeJson(CamelModel):
    """The user's mode, and those there are."""

    mode: Mode = Field(description="Of the user, in every conversation until it is changed.")
    modes: list[Mode] = Field(
        description="`default`; `voice`, for the ear; `brief`, two sentences; `coach`, which explains why and asks a guiding "
        "question."
    )


app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/api/ai/mode",
        "getMode",
        summary="Get the mode",
        description="How the user is answered unless a request says otherwise.",
        response=ModeJson,
        example=EXAMPLE,
    )
)
def current() -> Response[str]:
    principal = app.principal()
    known = preferences_of(bootstrap.entries(), principal.tenant, principal.user)
    return answer(ModeJson(mode=known.mode, modes=list(MODES)))


@app.operation(
    Operation(
        "POST",
        "/api/ai/mode/{mode}",
        "setMode",
        summary="Set the mode",
        description="For all conversations of the user from now on. The same mode again changes nothing.",
        response=ModeJson,
        example=EXAMPLE,
        errors=(409, 422),
        idempotent=True,
        path_parameters={"mode": PathParameter("One of `modes`.", {"enum": list(MODES)})},
    )
)
def change(mode: str) -> Response[str]:
    principal = app.principal()
    changed = set_mode(bootstrap.entries(), principal.tenant, principal.user, mode)
    return answer(ModeJson(mode=changed.mode, modes=list(MODES)))


handler = rest_handler(app)
