"""Schemas of a deployment's health."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class DependencyJson(BaseModel):
    """A dependency. `state` is ok or unavailable; `detail` says e.g. which model is configured."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)

    name: str
    state: str
    detail: str | None = None
    duration_ms: float


class HealthJson(BaseModel):
    """The health of a deployment. `status` is ok if all dependencies are ok, otherwise unavailable."""

    status: str
    dependencies: list[DependencyJson]


HEALTH_EXAMPLE = {
    "status": "ok",
    "dependencies": [
        {"name": "records", "state": "ok", "durationMs": 7.2},
        {"name": "model", "state": "ok", "detail": "offline", "durationMs": 0.0},
    ],
}
