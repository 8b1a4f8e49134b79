"""The base of most models: what starts cold pays for those alone that it uses."""

from pydantic import BaseModel, ConfigDict


class DeferredModel(BaseModel):
    """A model whose validator and serializer are made when they are first needed."""

    model_config = ConfigDict(defer_build=True)
