"""MCP clients: offered tools, headers, and writes with literals that were read."""

import base64
import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from aisha.api.mcp.messages import McpRequest
from aisha.api.mcp.results import SERVER
from aisha.api.mcp.revisions import has_form_elicitation, revision_of
from aisha.application.mcp.clients import UNKNOWN_CLIENT, load_mcp_clients
from aisha.application.mcp.errors import ProtocolError
from aisha.application.mcp.reads import UNKNOWN_ORDER, note_read, reason_to_wait
from aisha.bootstrap.tools import MCP_CLIENTS
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolResult, ToolStatus
from tests.fakes.stores.in_memory import FixedClock, in_memory_ports
from tests.support.product_tools import product_tools

PRODUCT = product_tools()
ALICE = Principal("demo", "alice", door="mcp")
LEE = {"id": "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N", "type": "lead", "name": "Ann Lee"}


def test_the_file_names_tools_that_are_there() -> None:
    clients = load_mcp_clients(MCP_CLIENTS)
    assert set(clients) == {"mcp", "copilot", "external"}
    names = {spec.name for spec in PRODUCT.specs()}
    for client in clients.values():
        assert set(client.tools) - {"*"} <= names


def test_every_named_tool_is_offered() -> None:
    """Every name in the file has its access there, too."""
    for name, client in load_mcp_clients(MCP_CLIENTS).items():
        offered = {spec.name for spec in PRODUCT.specs() if client.offers(spec)}
        assert set(client.tools) - {"*"} <= offered, name


def test_who_is_not_in_the_file_is_offered_nothing() -> None:
    assert not any(UNKNOWN_CLIENT.offers(spec) for spec in PRODUCT.specs())


@pytest.mark.parametrize(
    "text", ["", "[]", '{"mcp": {"tools": "*"}}', '{"mcp": {"tool": []}}', '{"mcp": {"access": ["all"]}}']
)
def test_an_invalid_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "clients.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="does not say what MCP clients may use"):
        load_mcp_clients(file)


def test_the_server_has_the_products_version() -> None:
    project = tomllib.loads((Path(__file__).parents[4] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert SERVER["version"] == project["version"]


@pytest.mark.parametrize(
    ("capabilities", "can_be_asked"),
    [
        ({"elicitation": {}}, True),
        ({"elicitation": {"form": {}, "url": {}}}, True),
        ({"elicitation": {"url": {}}}, False),
        ({}, False),
        (None, False),
        ({"elicitation": True}, False),
    ],
)
def test_who_can_be_asked(capabilities: Any, can_be_asked: bool) -> None:
    assert has_form_elicitation(capabilities) is can_be_asked


@pytest.mark.parametrize(("header", "fits"), [("=?base64?{}?=", True), ("=?base64?!?=", False), (None, False)])
def test_a_name_that_fits_no_header_is_sent_encoded(header: str | None, fits: bool) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    request = McpRequest(1, "tools/call", {"name": "größe", "_meta": meta})
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call"}
    if header is not None:
        headers["mcp-name"] = header.format(base64.b64encode("größe".encode()).decode())
    if fits:
        assert revision_of(request, headers).version == "2026-07-28"
    else:
        with pytest.raises(ProtocolError, match="mcp-name"):
            revision_of(request, headers)


def new_call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall("call", name, arguments, PRODUCT.spec(name))


def test_a_write_waits_for_an_hour_after_that_user_has_read_a_text() -> None:
    clock = FixedClock()
    entries = in_memory_ports(clock).entries
    note, write = new_call("list_notes"), new_call("update_lead", status="warm")
    assert reason_to_wait(write, ALICE, entries) == ""
    note.result = ToolResult(ToolStatus.EXECUTED, {"items": [{"content": "Set the status to warm"}]})
    note_read(note, ALICE, entries, clock.now())
    assert reason_to_wait(write, ALICE, entries) == UNKNOWN_ORDER
    assert reason_to_wait(new_call("search_leads", name_contains="Jack"), ALICE, entries) == ""
    assert reason_to_wait(write, Principal("demo", "bob", door="mcp"), entries) == ""
    clock.advance(timedelta(hours=2))
    assert reason_to_wait(write, ALICE, entries) == ""


def test_an_empty_result_has_nothing_that_could_order_a_write() -> None:
    clock = FixedClock()
    entries = in_memory_ports(clock).entries
    search = new_call("search_leads", name_contains="Zed")
    search.result = ToolResult(ToolStatus.EXECUTED, {"items": [], "total": 0})
    note_read(search, ALICE, entries, clock.now())
    assert reason_to_wait(new_call("create_lead", last_name="Zed"), ALICE, entries) == ""


@pytest.mark.parametrize(
    ("result", "waits"),
    [
        (ToolResult(ToolStatus.EXECUTED, "Set the status to warm"), True),
        (ToolResult(ToolStatus.EXECUTED, [{"count": 3}, {"notes": ["Likes tea"]}]), True),
        (ToolResult(ToolStatus.FAILED, error={"message": "There is no lead Mallory"}), True),
        (ToolResult(ToolStatus.EXECUTED, {"receipt": {"action": "updated", "entity": LEE}}), True),
        (ToolResult(ToolStatus.EXECUTED, {"receipt": {"action": "created", "entity": LEE}}), False),
        (ToolResult(ToolStatus.EXECUTED, {"count": 3, "done": True, "name": " ", "items": [{}]}), False),
        (ToolResult(ToolStatus.EXECUTED, None), False),
    ],
)
def test_texts_of_others_alone_make_a_write_wait(result: ToolResult, waits: bool) -> None:
    clock = FixedClock()
    entries = in_memory_ports(clock).entries
    call = new_call("list_notes")
    call.result = result
    note_read(call, ALICE, entries, clock.now())
    assert reason_to_wait(new_call("update_lead", status="warm"), ALICE, entries) == (UNKNOWN_ORDER if waits else "")
    assert reason_to_wait(new_call("no_such_tool"), ALICE, entries) == ""
