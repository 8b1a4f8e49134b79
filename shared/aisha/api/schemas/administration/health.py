"""Schemas of a deployment's health."""

from aisha.api.schemas.camel_model import CamelModel


class DependencyJson(CamelModel):
    """A dependency. `state` is ok or unavailable; `detail` says e.g. which model is configured."""

    name: str
    state: str
    detail: str | None = None
    duration_ms: float


class HealthJson(CamelModel):
    """The health of a deployment. `status` is ok if all dependencies are ok, otherwise unavailable."""

    status: str
    dependencies: list[DependencyJson]
