"""Schemas of the CRM's records."""

from pydantic import BaseModel, ConfigDict


class RecordJson(BaseModel):
    """A record, with the members of its type as in the results of tools. Members without a value are omitted."""

    model_config = ConfigDict(extra="allow")

    id: str
    entity_type: str
    display_name: str


class RecordValues(BaseModel):
    """New values by field."""

    model_config = ConfigDict(extra="allow")


class RecordPageJson(BaseModel):
    """One page of records.

    `total` is the number of matches that the user may see; null if counting would have to read all records.
    """

    items: list[RecordJson]
    total: int | None
    next_cursor: str | None
