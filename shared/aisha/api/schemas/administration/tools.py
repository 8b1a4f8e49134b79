"""Schemas of the tool catalogue."""

from typing import Any

from msgspec.structs import asdict

from aisha.application.tooling.arguments.schemas import without_titles
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.tools import ToolSpec


class TypicalFollowUpJson(DeferredModel):
    """A step that users typically take after the tool; `{name}` stands for the record's name."""

    text: str
    icon: str
    tool: str | None = None
    arguments: dict[str, Any] | None = None


class ToolJson(DeferredModel):
    """A tool. `always` ones are sent to the model in every turn, with their `guidance`.

    `parameters` and `returns` are JSON Schema 2020-12.
    """

    name: str
    description: str
    toolkit: str
    toolkit_description: str
    access: str
    confirmation: str
    always: bool
    guidance: str | None = None
    module: str | None = None
    parameters: dict[str, Any]
    returns: dict[str, Any]
    examples: list[str]
    typical_followups: list[TypicalFollowUpJson]


class CatalogueJson(DeferredModel):
    """All tools that the user may use through the API."""

    items: list[ToolJson]
    total: int


def tool_json(spec: ToolSpec) -> ToolJson:
    # Titles are the Python names of types, which say nothing to a client.
    values = asdict(spec) | {"parameters": without_titles(spec.parameters), "returns": without_titles(spec.returns)}
    return ToolJson.model_validate(values, from_attributes=True)
