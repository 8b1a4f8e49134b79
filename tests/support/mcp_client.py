"""Clients of the official MCP SDK, and plain requests, at the local server."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client, ClientSession
from mcp.client.session import ElicitationFnT
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, ElicitResult, Tool

from infra.local.server.server import LocalServer
from tests.fakes.local import token

STATEFUL, STATELESS = "2025-11-25", "2026-07-28"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": STATEFUL, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}

Caller = ClientSession | Client


class User:
    """The user of a client: answers the server's questions with `action` and records them."""

    def __init__(self, action: str) -> None:
        self.action, self.questions = action, list[str]()

    async def __call__(self, context: Any, params: Any) -> ElicitResult:
        self.questions.append(params.message)
        return ElicitResult.model_validate({"action": self.action, "content": {} if self.action == "accept" else None})


@asynccontextmanager
async def connected(
    server: LocalServer,
    path: str = "/mcp",
    *,
    user: str = "alice",
    tenant: str = "demo",
    revision: str = STATEFUL,
    ask: ElicitationFnT | None = None,
) -> AsyncIterator[Caller]:
    """Yield a client of the SDK, which speaks the stateful or the stateless revision."""
    headers = {"authorization": f"Bearer {token(server, user, tenant)}"}
    async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=30) as http:
        transport = streamable_http_client(f"{server.url}{path}", http_client=http)
        if revision == STATELESS:
            async with Client(transport, elicitation_callback=ask) as client:
                yield client
            return
        async with transport as streams, ClientSession(*streams, elicitation_callback=ask) as session:
            await session.initialize()
            yield session


def run[T](work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 60))


async def tools_of(server: LocalServer, path: str, **user: Any) -> dict[str, Tool]:
    async with connected(server, path, **user) as client:
        return {tool.name: tool for tool in (await client.list_tools()).tools}


async def call(server: LocalServer, name: str, arguments: dict[str, Any], **options: Any) -> CallToolResult:
    async with connected(server, **options) as client:
        return await client.call_tool(name, arguments)


def find(server: LocalServer, kind: str, name: str) -> list[dict[str, Any]]:
    answer = httpx.get(
        f"{server.url}/api/crm/{kind}",
        params={"name_contains": name},
        headers={"authorization": f"Bearer {token(server)}"},
        trust_env=False,
    )
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def audited(server: LocalServer, tool: str) -> list[dict[str, Any]]:
    """Return the audit log's entries of a tool, the newest first."""
    answer = httpx.get(
        f"{server.url}/api/ai/audit",
        params={"tool": tool},
        headers={"authorization": f"Bearer {token(server)}"},
        trust_env=False,
    )
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def jack(server: LocalServer) -> str:
    lead_id: str = find(server, "lead", "Jack Russel")[0]["id"]
    return lead_id


def dora(server: LocalServer) -> str:
    lead_id: str = find(server, "lead", "Dora Flint")[0]["id"]
    return lead_id


def post(
    server: LocalServer, body: Any, path: str = "/mcp", bearer: str | None = None, **headers: str
) -> httpx.Response:
    sent = {"authorization": f"Bearer {bearer or token(server)}", "accept": "application/json, text/event-stream"}
    content = body if isinstance(body, str) else json.dumps(body)
    sent |= {"content-type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.post(f"{server.url}{path}", content=content, headers=sent, trust_env=False, timeout=30)


def request(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}


def error_of(result: CallToolResult) -> dict[str, Any]:
    assert result.is_error
    error: dict[str, Any] = result.structured_content["error"]
    assert json.loads(result.content[0].text) == error  # type: ignore[union-attr]
    return error


both = pytest.mark.parametrize("revision", [STATEFUL, STATELESS])
