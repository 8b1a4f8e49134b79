"""GET /api/ai/tools: the catalogue of what the assistant can do for this user."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel

from aisha import bootstrap
from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer, rest_handler
from aisha.application.tenants.preferences import profile_of
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
    """Every tool that this user may use through this door."""

    items: list[ToolJson]
    total: int


EXAMPLE = {
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

app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/api/ai/tools",
        "listTools",
        summary="List the tools",
        description="What the assistant can do for this user, with the schemas of arguments and results.",
        response=CatalogueJson,
        errors=(503,),
        example=EXAMPLE,
    )
)
def catalogue() -> Response[str]:
    principal = app.principal()
    rules = profile_of(bootstrap.entries(), principal.tenant).rules
    items = [_tool_json(spec) for spec in bootstrap.tools().permitted(principal, rules)]
    return answer(CatalogueJson(items=items, total=len(items)))


def _tool_json(spec: ToolSpec) -> ToolJson:
    return ToolJson(
        name=spec.name,
        description=spec.description,
        toolkit=spec.toolkit,
        access=spec.access,
        confirmation=spec.confirmation,
        module=spec.module,
        parameters=spec.parameters,
        returns=spec.returns,
        examples=list(spec.examples),
    )


handler = rest_handler(app)
