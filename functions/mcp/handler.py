"""POST /mcp, /mcp/copilot and /mcp/external: the tools for MCP clients over Streamable HTTP."""

from aisha.api.asgi_app import AsgiApp
from aisha.api.mcp.operations import OPERATIONS
from aisha.api.mcp.server import ROUTES

__all__ = ("OPERATIONS", "app")
app = AsgiApp(*ROUTES)
