"""The tools that each kind of MCP client is offered, from a file; an unknown kind is offered none (K-006, C-K3)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from aisha.application.knowledge import on_demand_context as more_info
from aisha.domain.tools import Access, ToolSpec

DOOR = "mcp"
"""The platform of every client of this door (C-K11); a tool's own `clients` must name it."""
EVERY_TOOL = "*"
_FOR_PROMPTS_ALONE = frozenset((more_info.NAME,))
"""Tools that attach data to a turn's prompt, which MCP calls do not have."""


class McpClient(BaseModel):
    """A kind of client. It is offered a tool that is named, or `*`, when the tool's access is allowed too."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    about: str = ""
    tools: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    access: tuple[Access, ...] = ()

    def offers(self, spec: ToolSpec) -> bool:
        """Return whether the client is offered the tool. The rules of user and tenant are checked elsewhere."""
        is_named = spec.name in self.tools or EVERY_TOOL in self.tools
        return is_named and spec.access in self.access and spec.name not in _FOR_PROMPTS_ALONE


UNKNOWN_CLIENT = McpClient()
"""A kind of client that the file does not name."""
McpClients = Mapping[str, McpClient]


def load_mcp_clients(path: Path) -> McpClients:
    """The file's clients by name: `mcp`, `copilot`, `external`. Raises ValueError that says what is wrong with it."""
    try:
        return TypeAdapter(dict[str, McpClient]).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise ValueError(f"{path} does not say what MCP clients may use: {error}") from error
