"""The base class of most Pydantic models. Building validators at first use keeps cold starts short."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class DeferredModel(BaseModel):
    """A model whose validator and serializer are built when they are first used."""

    model_config = ConfigDict(defer_build=True)

    @classmethod
    def from_attributes(cls, source: object, **others: Any) -> Self:
        """Return the model with the attributes of `source` that have the names of fields; `others` are the rest."""
        names = cls.model_fields.keys() - others.keys()
        values = {name: getattr(source, name) for name in names} | others
        return cls.model_validate(values, from_attributes=True)
