"""The tools of all sources, and their ports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aisha.application.mcp.clients import McpClients
    from aisha.application.tooling import ToolRegistry
    from aisha.application.tooling.context import ToolPorts
    from aisha.bootstrap.services import Services
    from aisha.domain.ports import IssueTracker

_ASSETS = Path(__file__).parents[1] / "assets"
HTTP_TOOLS = _ASSETS / "tool_schemas" / "http"
MCP_SERVERS = _ASSETS / "tool_schemas" / "mcp"
MCP_CLIENTS = _ASSETS / "mcp_clients.json"


def tools(services: Services) -> ToolRegistry:
    """Return the tools of `aisha.tools`, of the folder of HTTP tools and of the MCP servers.

    Raises ValueError for a folder that does not exist and for an invalid file.
    """
    from aisha.application.tooling import discover

    settings, registry = services.settings, discover("aisha.tools")
    http = _folder("AISHA_HTTP_TOOLS", settings.http_tools_folder, HTTP_TOOLS)
    servers = _folder("AISHA_MCP_SERVERS", settings.mcp_servers_folder, MCP_SERVERS)
    # Cold start: without files, the HTTP client and the schema validator are not imported.
    if next(http.glob("*.json"), None) is not None:
        from aisha.adapters.http_tools import http_tools

        # A tool of a file can't replace one of the package: two of one name are an error.
        registry = registry.with_tools(http_tools(http, services.secrets))
    if next(servers.glob("*.json"), None) is not None:
        from aisha.adapters.mcp_client import McpServers

        # The tools of MCP servers are fetched later: a server that is down must not stop the start.
        registry = registry.with_arrivals(McpServers(servers, services.secrets).arrived)
    return registry


def _folder(variable: str, name: str | None, packaged: Path) -> Path:
    if name is None:
        return packaged
    if not (folder := Path(name)).is_dir():
        raise ValueError(f"{variable}: there is no folder {name}")
    return folder


def mcp_clients(services: Services) -> McpClients:
    """Return the MCP clients and the tools offered to each. Raises ValueError for an invalid file."""
    from aisha.application.mcp.clients import load_mcp_clients

    file = services.settings.mcp_clients_file
    return load_mcp_clients(Path(file) if file else MCP_CLIENTS)


def issue_tracker(services: Services) -> IssueTracker | None:
    """Return the issues of the GitHub repository in the settings; None without one."""
    settings = services.settings
    if settings.github_repository is None:
        return None
    from aisha.adapters.issues.github import GitHubIssueTracker

    return GitHubIssueTracker(settings.github_url, settings.github_repository, services.secrets)


def tool_ports(services: Services) -> ToolPorts:
    """Return the ports of the tools. Those that few tools need are functions, so they are created only on demand."""
    from aisha.application.redaction.summaries import field_keys
    from aisha.application.tooling.context import ToolPorts

    return ToolPorts(
        records=services.records,
        entries=services.entries,
        clock=services.clock,
        mail=services.mail,
        scan_records=services.settings.scan_records,
        issues=services.issue_tracker,
        memory=lambda: services.memory_store,
        embedder=lambda: services.embedder,
        model=lambda: services.chat_model,
        queue=lambda: services.work_queue,
        audit=services.audit,
        sensitive=field_keys(services.settings.sensitive_fields),
        masks_contacts=services.contact_masking,
        mood_webhook=services.mood_webhook,
        profiles=services.tenant_profiles,
        team_values=services.team_values,
        custom_fields=services.custom_fields,
    )
