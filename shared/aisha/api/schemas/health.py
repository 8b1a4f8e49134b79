"""The state of a deployment as the API shows it."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


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


HEALTH_EXAMPLE = {
    "status": "ok",
    "dependencies": [
        {"name": "records", "state": "ok", "durationMs": 7.2},
        {"name": "model", "state": "ok", "detail": "offline", "durationMs": 0.0},
    ],
}
