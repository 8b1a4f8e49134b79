"""The base class of the bodies of the HTTP API."""

from pydantic import ConfigDict
from pydantic.alias_generators import to_camel

from aisha.domain.deferred_model import DeferredModel


class CamelModel(DeferredModel):
    """A model whose members are camelCase in JSON and snake_case in Python."""

    # Most models only describe responses and are never instantiated: their validators are not built at a cold start.
    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)
