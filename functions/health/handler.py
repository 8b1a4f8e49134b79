"""GET /health: the readiness of this deployment and of each dependency."""

from collections.abc import Callable
from time import perf_counter

from aws_lambda_powertools.event_handler import Response

from aisha.api.rest_app import RestApp, answer
from aisha.api.schemas.administration.health import DependencyJson, HealthJson
from aisha.domain.errors import NotFoundError
from aisha.observability import log_unexpected

PROBE_TENANT = "-"
"""A tenant that no token can have: the probes read records that don't exist."""


app = RestApp()


@app.operation(
    "GET",
    "/health",
    "health",
    summary="Check readiness",
    description="Responds with 200 if all dependencies are available, otherwise with 503 and the same body.",
    tag="Operations",
    response=HealthJson,
    also=(503,),
    public=True,
)
def health() -> Response[str]:
    # One after the other: a probe that hangs ends with its own timeout.
    states = [_state(name, probe) for name, probe in PROBES.items()]
    is_ok = all(state.state == "ok" for state in states)
    return answer(HealthJson(status="ok" if is_ok else "unavailable", dependencies=states), 200 if is_ok else 503)


def _state(name: str, probe: Callable[[], str | None]) -> DependencyJson:
    start = perf_counter()
    state, detail = "ok", None
    try:
        detail = probe()
    except NotFoundError:  # The store has answered.
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
