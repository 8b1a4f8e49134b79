"""The base class of the bodies of the HTTP API."""

from typing import Any, Self

from pydantic import ConfigDict
from pydantic.alias_generators import to_camel

from aisha.domain.deferred_model import DeferredModel


class CamelModel(DeferredModel):
    """A model whose members are camelCase in JSON and snake_case in Python."""

    # Most models only describe responses and are never instantiated: their validators are not built at a cold start.
    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)

    @classmethod
    def of(cls, source: object, **members: Any) -> Self:
        """Return the model with the attributes of `source` that have the names of members; `members` are the others."""
        names = cls.model_fields.keys() - members.keys()
        values = {name: getattr(source, name) for name in names} | members
        return cls.model_validate(values, from_attributes=True)
