"""Requests to the MCP endpoints that are refused, and what is published about them."""

from typing import Any

import httpx
import pytest

from infra.local.server.server import LocalServer
from tests.fakes.local import token, with_settings
from tests.support.mcp_client import INITIALIZE, STATEFUL, STATELESS, post, request

pytestmark = pytest.mark.slow


def test_a_wrong_token_is_refused(server: LocalServer) -> None:
    answer = post(server, INITIALIZE, bearer="nonsense")
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("{", -32700),
        ("[]", -32600),
        ([INITIALIZE], -32600),
        ({"id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1}, -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "result": "yes"}, -32600),
    ],
)
def test_an_invalid_message_is_refused(server: LocalServer, body: Any, code: int) -> None:
    answer = post(server, body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert answer.json()["error"]["data"]["request_id"] == answer.headers["x-request-id"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (request("resources/list"), -32601),
        (request("server/discover"), -32601),
        (request("tools/call", arguments={}), -32602),
        (request("tools/call", name="search_leads", arguments=[]), -32602),
    ],
)
def test_an_invalid_request_is_answered_with_an_error(server: LocalServer, body: Any, code: int) -> None:
    answer = post(server, body, mcp_protocol_version="2025-06-18")
    assert (answer.status_code, answer.json()["id"], answer.json()["error"]["code"]) == (200, 7, code)


def test_an_unsupported_revision_is_refused(server: LocalServer) -> None:
    answer = post(server, request("ping"), mcp_protocol_version="1999-01-01")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32022)
    assert answer.json()["error"]["data"]["supported"] == [STATELESS, STATEFUL, "2025-06-18", "2025-03-26"]


def test_headers_must_match_the_request(server: LocalServer) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = request("tools/call", name="delete_lead", arguments={}, _meta=meta)
    named = {"mcp_protocol_version": STATELESS, "mcp_method": "tools/call"}
    for headers in ({}, {"mcp_name": "search_leads"}, {"mcp_name": "delete_lead", "mcp_method": "tools/list"}):
        answer = post(server, body, **(named | headers))
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)
    without = post(server, request("tools/list"), mcp_protocol_version=STATELESS, mcp_method="tools/list")
    assert (without.status_code, without.json()["error"]["code"]) == (400, -32602)
    ping = post(server, request("ping", _meta=meta), mcp_protocol_version=STATELESS, mcp_method="ping")
    assert (ping.status_code, ping.json()["error"]["code"]) == (404, -32601)


def test_an_unknown_session_is_not_found(server: LocalServer) -> None:
    answer = post(server, request("ping"), mcp_session_id="made-up", mcp_protocol_version=STATEFUL)
    assert answer.status_code == 404


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost.evil.example", "http://["])
def test_pages_of_other_origins_are_refused(server: LocalServer, origin: str) -> None:
    refused = post(server, INITIALIZE, origin=origin)
    assert (refused.status_code, refused.json()["code"]) == (403, "permission_denied")


def test_pages_of_localhost_are_allowed(server: LocalServer) -> None:
    assert post(server, INITIALIZE, origin="http://localhost:6274").status_code == 200


def test_there_is_no_stream_and_no_session_to_end(server: LocalServer) -> None:
    for method in ("GET", "DELETE"):
        answer = httpx.request(
            method, f"{server.url}/mcp", headers={"authorization": f"Bearer {token(server)}"}, trust_env=False
        )
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_a_notification_is_accepted(server: LocalServer) -> None:
    answer = post(server, {"jsonrpc": "2.0", "method": "notifications/initialized"}, mcp_protocol_version=STATEFUL)
    assert (answer.status_code, answer.content) == (202, b"")


def test_the_authorization_server_of_the_settings_is_published(server: LocalServer) -> None:
    url = f"{server.url}/.well-known/oauth-protected-resource"
    assert httpx.get(url, trust_env=False).status_code == 404
    with with_settings(server, authorization_server="https://id.example.com"):
        metadata = httpx.get(url, trust_env=False).json()
    assert (metadata["resource"], metadata["authorization_servers"]) == (
        f"{server.url}/mcp",
        ["https://id.example.com"],
    )
