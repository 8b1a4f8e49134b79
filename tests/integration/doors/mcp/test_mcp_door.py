"""The tools over MCP: clients of the official SDK at the local gateway."""

import json
from typing import Any

import httpx2
import pytest
from mcp import Client, ClientSession, MCPError
from mcp.client.streamable_http import streamable_http_client

from infra.local.server.server import LocalServer
from tests.fakes.local import token
from tests.support.mcp_client import (
    STATEFUL,
    STATELESS,
    User,
    audited,
    both,
    call,
    connected,
    dora,
    error_of,
    find,
    jack,
    post,
    request,
    run,
    tools_of,
)

pytestmark = pytest.mark.slow


# --- initialization and tools


def test_initialize(server: LocalServer) -> None:
    async def greet() -> Any:
        headers = {"authorization": f"Bearer {token(server)}"}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False) as http,
            streamable_http_client(f"{server.url}/mcp", http_client=http) as streams,
            ClientSession(*streams) as session,
        ):
            greeted = await session.initialize()
            await session.send_ping()
            return greeted

    greeted = run(greet())
    assert (greeted.protocol_version, greeted.server_info.name) == (STATEFUL, "aisha")
    assert greeted.capabilities.tools is not None
    assert greeted.capabilities.resources is None
    assert "confirm" in greeted.instructions


def test_a_client_discovers_the_stateless_revision(server: LocalServer) -> None:
    async def discovered() -> Any:
        async with connected(server, revision=STATELESS) as client:
            assert isinstance(client, Client)
            assert client.server_info is not None
            return client.protocol_version, client.server_info.name, client.server_capabilities.tools

    version, name, tools = run(discovered())
    assert (version, name) == (STATELESS, "aisha")
    assert tools is not None


@pytest.mark.parametrize(
    ("requested", "negotiated"),
    [("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"), ("1999-01-01", STATEFUL), (None, STATEFUL)],
)
def test_the_revision_is_negotiated(server: LocalServer, requested: str | None, negotiated: str) -> None:
    answer = post(server, request("initialize", protocolVersion=requested, capabilities={}))
    assert answer.json()["result"]["protocolVersion"] == negotiated


@both
def test_tools_are_listed_with_schemas_and_hints(server: LocalServer, revision: str) -> None:
    tools = run(tools_of(server, "/mcp", revision=revision))
    assert tools["search_leads"].input_schema["properties"]["name_contains"]["type"] == "string"
    assert tools["search_leads"].output_schema is not None
    assert tools["search_leads"].title == "Search leads"
    names = ("search_leads", "update_lead", "delete_lead", "send_email")
    annotations = {name: hints for name in names if (hints := tools[name].annotations)}
    assert {
        name: (hints.read_only_hint, hints.destructive_hint, hints.open_world_hint)
        for name, hints in annotations.items()
    } == {
        "search_leads": (True, False, False),
        "update_lead": (False, False, False),
        "delete_lead": (False, True, False),
        "send_email": (False, True, True),
    }


def test_each_path_offers_what_its_clients_may_use(server: LocalServer) -> None:
    internal, copilot, external = (
        set(run(tools_of(server, path))) for path in ("/mcp", "/mcp/copilot", "/mcp/external")
    )
    registry = server.services.tools
    assert internal == {spec.name for spec in registry.specs() if "mcp" in spec.clients} - {"req_more_info"}
    assert external < copilot < internal
    assert "create_activity" in copilot
    assert not copilot & {"delete_lead", "send_email", "convert_lead"}
    assert all(spec.access == "read" for spec in registry.specs() if spec.name in external)


def test_tools_of_closed_modules_are_not_offered(server: LocalServer) -> None:
    mine, theirs = set(run(tools_of(server, "/mcp"))), set(run(tools_of(server, "/mcp", user="bob")))
    closed = {spec.name for spec in server.services.tools.specs() if "opportunities" in (spec.module or "")}
    assert closed
    assert mine - theirs >= closed
    assert theirs < mine


# --- calls


@both
def test_a_read(server: LocalServer, revision: str) -> None:
    result = run(call(server, "search_leads", {"name_contains": "Jack Russel"}, revision=revision))
    assert not result.is_error
    assert [item["display_name"] for item in result.structured_content["items"]] == ["Jack Russel"]
    assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]


def test_every_result_fits_the_listed_schema(server: LocalServer) -> None:
    """The client validates each result and raises an error for an invalid one."""
    subject = jack(server)

    async def read_all() -> list[str]:
        async with connected(server) as client:
            tools = (await client.list_tools()).tools
            done = []
            for tool in tools:
                needed = set(tool.input_schema.get("required", ()))
                arguments = {
                    "lead_id": subject,
                    "entity_id": subject,
                    "entity_type": "lead",
                    "query": "Jack",
                    "text": "Great!",
                }
                is_read = tool.annotations is not None and tool.annotations.read_only_hint
                if is_read and needed <= set(arguments):
                    result = await client.call_tool(tool.name, {name: arguments[name] for name in needed})
                    done += [] if result.is_error else [tool.name]
            return done

    assert len(run(read_all())) > 20


@both
def test_a_write_leaves_a_receipt_and_is_audited(fresh: LocalServer, revision: str) -> None:
    lead = dora(fresh)
    result = run(
        call(fresh, "update_lead", {"lead_id": lead, "company": "Dogs Inc"}, revision=revision, ask=User("accept"))
    )
    assert not result.is_error, result.content
    assert find(fresh, "lead", "Dora Flint")[0]["company"] == "Dogs Inc"
    entry = next(entry for entry in audited(fresh, "update_lead") if entry["status"] == "executed")
    assert (entry["door"], entry["user"], entry["entities"]) == ("mcp", "alice", [lead])
    undone = run(call(fresh, "undo_last", {}, ask=User("accept")))
    assert not undone.is_error, undone.content
    assert find(fresh, "lead", "Dora Flint")[0]["company"] == "Flint Ltd"


def test_a_tools_failure_is_a_result(server: LocalServer) -> None:
    missing = error_of(run(call(server, "get_lead", {"lead_id": "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"})))
    assert (missing["code"], missing["entity_type"], missing["retryable"]) == ("not_found", "lead", False)
    assert missing["request_id"]
    wrong = error_of(run(call(server, "search_leads", {"limit": "many"})))
    assert wrong["code"] == "invalid_input"


def test_nobody_is_asked_about_a_record_that_does_not_exist(server: LocalServer) -> None:
    user = User("accept")
    missing = error_of(run(call(server, "delete_lead", {"lead_id": "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"}, ask=user)))
    assert (missing["code"], missing["entity_type"], user.questions) == ("not_found", "lead", [])


def test_a_denied_call_is_not_run(server: LocalServer) -> None:
    denied = error_of(run(call(server, "search_opportunities", {}, user="bob")))
    assert denied["code"] == "permission_denied"


@both
@pytest.mark.parametrize(("path", "name"), [("/mcp", "no_such_tool"), ("/mcp/external", "create_lead")])
def test_a_tool_that_is_not_offered_is_unknown(server: LocalServer, revision: str, path: str, name: str) -> None:
    async def ask() -> MCPError:
        async with connected(server, path, revision=revision) as client:
            with pytest.raises(MCPError, match=f"Unknown tool: {name}") as raised:
                await client.call_tool(name, {})
            return raised.value

    error = run(ask())
    assert error.code == -32602
    assert "tools/list" in error.data["suggestion"]
