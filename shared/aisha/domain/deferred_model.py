"""The base class of most Pydantic models. Building validators at first use keeps cold starts short."""

from pydantic import BaseModel, ConfigDict


class DeferredModel(BaseModel):
    """A model whose validator and serializer are built when they are first used."""

    model_config = ConfigDict(defer_build=True)
