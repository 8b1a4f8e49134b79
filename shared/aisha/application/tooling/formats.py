"""Tools in the formats of models and MCP clients."""

from typing import Any

from aisha.application.tooling.arguments.schemas import result_schema, schema_for_model, without_titles
from aisha.domain.tools import FOREIGN, ToolSpec


def openai_function(spec: ToolSpec) -> dict[str, Any]:
    """Return the spec as an OpenAI function declaration."""
    function = {"name": spec.name, "description": spec.description, "parameters": schema_for_model(spec.parameters)}
    return {"type": "function", "function": function}


def mcp_tool(spec: ToolSpec) -> dict[str, Any]:
    """Return the spec as an MCP tool. Writes are not destructive: `undo_last` can revert them."""
    title = spec.name.replace("_", " ").capitalize()
    hints = {
        "title": title,
        "readOnlyHint": spec.access == "read",
        "destructiveHint": spec.access in ("delete", "external"),
        "idempotentHint": spec.access in ("read", "delete"),
        "openWorldHint": spec.access == "external" or spec.toolkit in FOREIGN,
    }
    tool: dict[str, Any] = {"name": spec.name, "title": title, "description": spec.description}
    tool["inputSchema"] = without_titles(spec.parameters)
    schema = result_schema(spec.returns)
    # MCP allows only objects as structured results.
    return tool | ({"outputSchema": schema} if schema.get("type") == "object" else {}) | {"annotations": hints}
