"""GET /health: whether this deployment can answer, dependency by dependency."""

from collections.abc import Callable
from time import perf_counter

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer
from aisha.api.schemas.health import HEALTH_EXAMPLE, DependencyJson, HealthJson
from aisha.domain.errors import NotFoundError
from aisha.observability import log_unexpected

PROBE_TENANT = "-"
"""A tenant that no token can name: the probes read records that can't exist."""


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
        example=HEALTH_EXAMPLE,
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
    app.services.records.get(PROBE_TENANT, "lead", "lead_-")


def _conversations() -> None:
    app.services.conversations.load(PROBE_TENANT, PROBE_TENANT, "conv_-", 0)


def _tools() -> str:
    return f"{len(app.services.tools.specs())} tools"


PROBES: dict[str, Callable[[], str | None]] = {
    "records": _records,
    "conversations": _conversations,
    "tools": _tools,
    "model": lambda: app.services.model_name,
}

handler = app.resolve
