"""Tools of other systems that speak the Model Context Protocol: a JSON file for each server."""

from aisha.adapters.mcp_client.servers import McpServers

__all__ = ["McpServers"]
