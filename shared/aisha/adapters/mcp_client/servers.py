"""The connected MCP servers: listed when their tools are first needed, and again later if they were away."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from time import monotonic

from aisha.adapters.http.http_client import HttpClient
from aisha.adapters.http_tools.endpoint import read_files
from aisha.adapters.mcp_client.definition import McpServerFile
from aisha.adapters.mcp_client.mcp_tool import McpTool
from aisha.adapters.mcp_client.session import McpSession
from aisha.application.tooling.definition import Tool
from aisha.domain.errors import AishaError
from aisha.domain.ports import SecretStore

LIST_SECONDS = 4.0
"""Timeout of a server's initialization and its whole list together: a user may be waiting."""
RETRY_SECONDS = 60.0

_LOGGER = logging.getLogger(__name__)


class McpServers:
    """The servers of a folder's files. Raises ValueError for a wrong file; a server that is away is no error.

    `seconds` is a monotonic clock.
    """

    def __init__(self, folder: Path, secrets: SecretStore, seconds: Callable[[], float] = monotonic) -> None:
        client, files = HttpClient(), read_files(folder, McpServerFile)
        self._away = [(file, McpSession(file, secrets, client)) for file in files]
        self._seconds = seconds
        self._due: float | None = None
        self._lock = Lock()

    def arrived(self) -> Sequence[Tool]:
        """Return the tools that are new since the last call: those of servers that answered for the first time.

        The first caller waits for the servers, and so do callers meanwhile. Servers that were away are asked again by
        the first caller after a minute.
        """
        if not self._away or (self._due is not None and self._seconds() < self._due):
            return ()
        # All callers wait for the first listing; later ones only add tools, so others go on meanwhile.
        if not self._lock.acquire(blocking=self._due is None):
            return ()
        try:
            # Another caller has asked them while this one waited.
            if self._due is not None and self._seconds() < self._due:
                return ()
            return self._ask()
        finally:
            self._lock.release()

    def _ask(self) -> list[Tool]:
        with ThreadPoolExecutor(len(self._away), thread_name_prefix="mcp") as pool:
            answers = list(pool.map(_tools, *zip(*self._away, strict=True)))
        self._away = [server for server, tools in zip(self._away, answers, strict=True) if tools is None]
        self._due = self._seconds() + RETRY_SECONDS
        return [tool for tools in answers for tool in tools or ()]


def _tools(file: McpServerFile, session: McpSession) -> list[Tool] | None:
    """Return the server's tools that can be used; None when it is away."""
    try:
        listed = session.tools(LIST_SECONDS)
    except AishaError as error:
        _LOGGER.warning("MCP server %s is away: %s. %s", file.name, error.message, error.suggestion or "")
        return None
    tools: dict[str, Tool] = {}
    for listing in listed:
        if file.tools is not None and listing.get("name") not in file.tools:
            continue
        try:
            tool = McpTool(file, session, listing).as_tool()
        # The server's other tools can be used without the bad one.
        except ValueError as error:
            _LOGGER.warning("tool %r of MCP server %s is left out: %s", listing.get("name"), file.name, error)
            continue
        if tools.setdefault(tool.spec.name, tool) is not tool:
            _LOGGER.warning("tool %r of MCP server %s is left out: its name is taken", listing.get("name"), file.name)
    _warn_of_missing(file, {str(listing.get("name")) for listing in listed})
    return list(tools.values())


def _warn_of_missing(file: McpServerFile, listed: set[str]) -> None:
    if missing := sorted(({*(file.tools or ()), *file.access}) - listed):
        _LOGGER.warning("MCP server %s has no tool %s", file.name, ", ".join(missing))
