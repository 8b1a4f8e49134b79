"""The base classes of the bodies of the HTTP API."""

from pydantic import ConfigDict
from pydantic.alias_generators import to_camel

from aisha.domain.deferred_model import DeferredModel


class CamelModel(DeferredModel):
    """A model whose members are camelCase in JSON and snake_case in Python."""

    # Most models only describe responses and are never instantiated: their validators are not built at a cold start.
    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)


class StrictBody(CamelModel):
    """A request's body whose values are not converted."""

    # "5" in place of 5 is a mistake of the client. Accepted once, it could never be refused again.
    model_config = ConfigDict(strict=True)
