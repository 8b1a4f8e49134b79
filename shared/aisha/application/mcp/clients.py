"""Kinds of MCP clients and the tools offered to each, from a file (K-006, C-K3)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from aisha.application.knowledge import on_demand_context as more_info
from aisha.domain.tools import Access, ToolSpec

DOOR = "mcp"
"""The door of all MCP clients (C-K11), which a tool's own `clients` must name."""
ALL_TOOLS = "*"
_PROMPT_TOOLS = frozenset((more_info.NAME,))
"""Tools that attach data to a turn's prompt. MCP calls have no prompt."""


class McpClient(BaseModel):
    """A kind of client. It is offered a tool if `tools` names it or `*`, and `access` has the tool's access."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    about: str = ""
    tools: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    access: tuple[Access, ...] = ()

    def offers(self, spec: ToolSpec) -> bool:
        """Return whether the client is offered the tool, by its kind alone and not by the user's rights."""
        is_named = spec.name in self.tools or ALL_TOOLS in self.tools
        return is_named and spec.access in self.access and spec.name not in _PROMPT_TOOLS


UNKNOWN_CLIENT = McpClient()
"""A kind of client that is not in the file; it is offered no tool."""
McpClients = Mapping[str, McpClient]


def load_mcp_clients(path: Path) -> McpClients:
    """Return the file's clients by name: `mcp`, `copilot`, `external`. Raises ValueError for an invalid file."""
    try:
        return TypeAdapter(dict[str, McpClient]).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise ValueError(f"{path} does not say what MCP clients may use: {error}") from error
