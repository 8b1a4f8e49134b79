"""A client of one MCP server over Streamable HTTP (revision 2025-06-18 of the Model Context Protocol)."""

import json
from collections.abc import Mapping
from itertools import count
from threading import Lock
from time import monotonic
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from aisha.adapters.http.http_client import HttpClient, HttpRequest, HttpStream
from aisha.adapters.http_tools.endpoint import SECRET
from aisha.adapters.http_tools.templates import filled
from aisha.adapters.mcp_client.definition import McpServerFile
from aisha.adapters.mcp_client.messages import result_of
from aisha.domain.errors import DeadlineExceededError, ToolFailedError
from aisha.domain.ports import SecretStore

VERSIONS = ("2025-06-18", "2025-11-25", "2025-03-26")
"""Revisions of this client, the preferred one first: from 2025-11-25 on, a server may end a stream before its result
is there and have it fetched with another request.
"""
MAX_LIST_BYTES = 1_048_576
MAX_CALL_BYTES = 262_144
"""Limit of an answer: MCP has a result's JSON in it twice, as structured content and as text."""
MAX_TOOLS = 256
_MAX_PAGES = 32
_MAX_SESSION_ID_LENGTH = 1024


class _Session(Struct, frozen=True):
    """The server's answer to `initialize`; `id` is None where it keeps no sessions."""

    version: str
    id: str | None

    @property
    def headers(self) -> dict[str, str]:
        return {"MCP-Protocol-Version": self.version} | ({"Mcp-Session-Id": self.id} if self.id else {})


class McpSession:
    """Initializes at the first request, and again when the server has forgotten the session. Safe for threads."""

    def __init__(self, definition: McpServerFile, secrets: SecretStore, client: HttpClient) -> None:
        self._definition = definition
        self._secrets = secrets
        self._client = client
        self._ids = count(1)
        self._lock = Lock()
        self._session: _Session | None = None

    def tools(self, seconds: float) -> list[dict[str, Any]]:
        """Return the server's tools, read page by page within the time; at most `MAX_TOOLS`.

        Raises what `call` does.
        """
        deadline, tools, cursor = monotonic() + seconds, [], None
        for _ in range(_MAX_PAGES):
            params: dict[str, Any] = {} if cursor is None else {"cursor": cursor}
            page = self._request("tools/list", params, deadline, MAX_LIST_BYTES)
            listing = page.get("tools")
            tools += [tool for tool in (listing if isinstance(listing, list) else []) if isinstance(tool, dict)]
            cursor = page.get("nextCursor")
            # A server whose pages never end must not hold up a user.
            if not isinstance(cursor, str) or len(tools) >= MAX_TOOLS:
                break
        return tools[:MAX_TOOLS]

    def call(
        self, tool: str, arguments: Mapping[str, Any], caller: Mapping[str, str], headers: Mapping[str, str]
    ) -> dict[str, Any]:
        """Return the result of `tools/call`. `caller` fills the file's headers, `headers` are sent besides them.

        Raises `ToolFailedError`, `UnavailableError`, `InvalidInputError`, and what `HttpClient.open` raises.
        """
        params, deadline = {"name": tool, "arguments": arguments}, monotonic() + self._definition.timeout_seconds
        return self._request("tools/call", params, deadline, MAX_CALL_BYTES, caller, headers)

    def _request(
        self,
        method: str,
        params: Mapping[str, Any],
        deadline: float,
        max_bytes: int,
        caller: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        secret = self._definition.secret_value(self._secrets)
        for may_retry in (True, False):
            session, request_id = self._current(secret, deadline), next(self._ids)
            message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
            sent = self._http_request(message, deadline, max_bytes, secret, session, caller, headers)
            with self._client.open(sent) as answer:
                # By the protocol, 404 to a request with a session id means that the server has ended the session.
                if answer.status == 404 and session.id and may_retry:
                    self._forget(session)
                    continue
                return result_of(answer, request_id, secret, self._definition.host)
        raise AssertionError("the second answer is returned or raised")

    def _current(self, secret: str | None, deadline: float) -> _Session:
        # Without the lock, which is held during a whole initialization.
        if (session := self._session) is not None:
            return session
        with self._lock:
            # Another thread may have initialized it while this one waited.
            if self._session is None:
                self._session = self._initialized(secret, deadline)
            return self._session

    def _forget(self, session: _Session) -> None:
        with self._lock:
            # Unless another thread has replaced it already.
            if self._session is session:
                self._session = None

    def _initialized(self, secret: str | None, deadline: float) -> _Session:
        request_id = next(self._ids)
        params = {
            "protocolVersion": VERSIONS[0],
            "capabilities": {},
            "clientInfo": {"name": "AiSHA", "version": "1"},
        }
        initialize = {"jsonrpc": "2.0", "id": request_id, "method": "initialize", "params": params}
        with self._client.open(self._http_request(initialize, deadline, MAX_LIST_BYTES, secret)) as answer:
            result = result_of(answer, request_id, secret, self._definition.host)
            session = self._checked(result, answer)
        # The protocol wants it before any other request; it has no id, because nothing answers it.
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        with self._client.open(self._http_request(ready, deadline, MAX_LIST_BYTES, secret, session)) as answer:
            if not 200 <= answer.status < 300:
                raise ToolFailedError(
                    f"{self._definition.host} did not accept the initialization", detail={"status": answer.status}
                )
        return session

    def _checked(self, result: Mapping[str, Any], answer: HttpStream) -> _Session:
        host, session_id = self._definition.host, answer.headers.get("mcp-session-id")
        if (version := result.get("protocolVersion")) not in VERSIONS:
            raise ToolFailedError(f"{host} speaks {str(version)[:40]!r} of MCP, not one of {', '.join(VERSIONS)}")
        if session_id is not None and not _is_visible(session_id):
            raise ToolFailedError(f"{host} gave a session id that can't be sent back")
        return _Session(str(version), session_id)

    def _http_request(
        self,
        message: Mapping[str, Any],
        deadline: float,
        max_bytes: int,
        secret: str | None,
        session: _Session | None = None,
        caller: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> HttpRequest:
        # The deadline is for all requests of a call together: initialization may have taken most of it.
        if (seconds := deadline - monotonic()) <= 0:
            raise DeadlineExceededError(
                f"{self._definition.host} did not answer in time", suggestion="Try again later."
            )
        return HttpRequest(
            method="POST",
            url=self._definition.url,
            headers=self._own_headers(secret, caller) | dict(headers or {}) | (session.headers if session else {}),
            body=json.dumps(message, ensure_ascii=False).encode(),
            seconds=seconds,
            max_bytes=max_bytes,
            allow_private=self._definition.allow_private,
        )

    def _own_headers(self, secret: str | None, caller: Mapping[str, str] | None) -> dict[str, str]:
        values = {name: quote(value, safe="@:|+ ") for name, value in (caller or {}).items()}
        own = filled(self._definition.request_headers, values | ({SECRET: secret} if secret else {}))
        return {
            "Accept": "application/json, text/event-stream",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "User-Agent": "AiSHA",
            **own,
        }


def _is_visible(session_id: str) -> bool:
    # It goes into a header: a line break in it would begin another header.
    return 0 < len(session_id) <= _MAX_SESSION_ID_LENGTH and all(
        "\x21" <= character <= "\x7e" for character in session_id
    )
