"""GET /health: whether this deployment can answer, dependency by dependency."""

from collections.abc import Callable
from time import perf_counter

from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from aisha import bootstrap
from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer, rest_handler
from aisha.domain.errors import NotFoundError
from aisha.observability import log_unexpected

NOBODY = "-"
"""A tenant that no token can name: the probes read what can't exist."""


class DependencyJson(BaseModel):
    """`state` is ok or unavailable; `detail` says which one it is, e.g. of the models."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)

    name: str
    state: str
    detail: str | None = None
    duration_ms: float


class HealthJson(BaseModel):
    """`status` is ok when every dependency is."""

    status: str
    dependencies: list[DependencyJson]


EXAMPLE = {
    "status": "ok",
    "dependencies": [
        {"name": "records", "state": "ok", "durationMs": 7.2},
        {"name": "model", "state": "ok", "detail": "offline", "durationMs": 0.0},
    ],
}

app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/health",
        "health",
        summary="Readiness",
        description="200 when every dependency answers, 503 with the same body when one does not.",
        tag="Operations",
        response=HealthJson,
        also=(503,),
        example=EXAMPLE,
        public=True,
    )
)
def health() -> Response[str]:
    states = [_state(name, probe) for name, probe in PROBES.items()]
    is_ok = all(state.state == "ok" for state in states)
    return answer(HealthJson(status="ok" if is_ok else "unavailable", dependencies=states), 200 if is_ok else 503)


def _state(name: str, probe: Callable[[], str | None]) -> DependencyJson:
    start = perf_counter()
    state, detail = "ok", None
    try:
        detail = probe()
    except NotFoundError:
        pass
    except Exception as error:
        state = "unavailable"
        log_unexpected(error, app.request_id)
    return DependencyJson(name=name, state=state, detail=detail, duration_ms=round((perf_counter() - start) * 1000, 1))


def _records() -> None:
    bootstrap.records().get(NOBODY, "lead", "lead_-")


def _conversations() -> None:
    bootstrap.conversations().load(NOBODY, NOBODY, "conv_-", 0)


def _tools() -> str:
    return f"{len(bootstrap.tools().specs())} tools"


PROBES: dict[str, Callable[[], str | None]] = {
    "records": _records,
    "conversations": _conversations,
    "tools": _tools,
    "model": bootstrap.model_name,
}

handler = rest_handler(app)
