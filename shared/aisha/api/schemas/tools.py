"""Schemas of the tool catalogue."""

from typing import Any

from pydantic import BaseModel

from aisha.application.tooling.schemas import without_titles
from aisha.domain.tools import ToolSpec


class ToolJson(BaseModel):
    """A tool. `parameters` and `returns` are JSON Schema 2020-12."""

    name: str
    description: str
    toolkit: str
    access: str
    confirmation: str
    module: str | None = None
    parameters: dict[str, Any]
    returns: dict[str, Any]
    examples: list[str]


class CatalogueJson(BaseModel):
    """All tools that the user may use through the API."""

    items: list[ToolJson]
    total: int


CATALOGUE_EXAMPLE = {
    "items": [
        {
            "name": "search_leads",
            "description": "Find leads by name, status or owner.",
            "toolkit": "leads",
            "access": "read",
            "confirmation": "none",
            "module": "leads",
            "parameters": {"type": "object", "properties": {"name_contains": {"type": "string"}}},
            "returns": {"type": "object"},
            "examples": ["show me {status} leads"],
        }
    ],
    "total": 1,
}


def tool_json(spec: ToolSpec) -> ToolJson:
    return ToolJson(
        name=spec.name,
        description=spec.description,
        toolkit=spec.toolkit,
        access=spec.access,
        confirmation=spec.confirmation,
        module=spec.module,
        parameters=without_titles(spec.parameters),
        returns=without_titles(spec.returns),
        examples=list(spec.examples),
    )
