"""The local server over HTTP, with real tokens, on the demo data."""

import logging
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from infra.local.cli import main
from infra.local.errors import FolderInUseError, PortInUseError
from infra.local.server import stores
from infra.local.server.server import LocalServer
from tests.fakes.local import place_demo_data, with_settings
from tests.support.local_http import LEADS, as_user, connect, delete_jack, find_jack, names, problem

pytestmark = pytest.mark.slow


# --- without a token


def test_health_reports_every_dependency_as_ok(http: httpx.Client) -> None:
    response = http.get("/health")
    assert response.status_code == 200
    states = {dependency["name"]: dependency["state"] for dependency in response.json()["dependencies"]}
    assert states == dict.fromkeys(("records", "conversations", "tools", "model"), "ok")


def test_the_description_and_its_page_are_there(http: httpx.Client) -> None:
    assert http.get("/docs").headers["content-type"].startswith("text/html")
    description = http.get("/openapi.json").json()
    assert "/api/ai/chat" in description["paths"]
    assert description["servers"] == [{"url": "/"}]


def test_getting_ready_does_not_look_like_a_failed_request(
    server: LocalServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server.warm_up()
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("infra.local")]
    assert any(line.startswith("ready for the first turn after") for line in lines)
    assert not any(" 422 " in line for line in lines)


def test_every_answer_has_an_id_of_its_own(http: httpx.Client) -> None:
    paths = ("/health", "/docs", "/local/jwks", "/nothing", LEADS, "/health")
    assert len({http.get(path).headers["x-request-id"] for path in paths}) == len(paths)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/nothing"),
        ("GET", "/api/crm"),
        ("GET", "/api/crm/lead/a/b"),
        ("GET", "/local/reset"),
        ("GET", "/local/secrets"),
        ("GET", "/%00"),
        ("TRACE", "/nothing"),
    ],
)
def test_an_unknown_path_is_not_found(http: httpx.Client, method: str, path: str) -> None:
    problem(http.request(method, path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/health", "GET"),
        ("DELETE", "/api/ai/chat", "POST"),
        ("TRACE", "/api/ai/analytics", "GET, POST"),
        ("PUT", "/mcp", "POST"),
        ("GET", "/api/crm/hooks/conn_demo_1", "POST"),
        ("PUT", "/api/ai/conversations/conv_1", "DELETE, GET, PATCH"),
    ],
)
def test_a_method_that_a_path_does_not_have_is_refused(
    http: httpx.Client, method: str, path: str, allowed: str
) -> None:
    refused = http.request(method, path)
    problem(refused, 405, "method_not_allowed")
    assert refused.headers["allow"] == allowed


# --- requests


@pytest.mark.parametrize("size", [300_000, 7_000_000], ids=["for the function", "for Lambda"])
def test_a_body_that_is_too_large_is_refused(http: httpx.Client, size: int) -> None:
    response = http.post("/api/ai/chat", content=b"x" * size, headers=as_user(http))
    problem(response, 413, "payload_too_large")
    assert http.get("/health").status_code == 200


def test_a_wrong_request_is_refused_by_the_function(http: httpx.Client) -> None:
    alice = as_user(http)
    problem(http.post("/api/ai/chat", content=b"{", headers=alice), 400, "malformed_request")
    body = problem(http.get(LEADS, params={"limit": "many"}, headers=alice), 422, "invalid_input")
    assert body["pointer"] == "/limit"


def test_path_and_query_arrive_decoded(http: httpx.Client) -> None:
    alice = as_user(http)
    [lead] = http.get(f"{LEADS}?name_contains=henrik%20J%C3%B8rgensen", headers=alice).json()["items"]
    assert lead["last_name"] == "Jørgensen"
    assert http.get(f"{LEADS}/{lead['id']}", headers=alice).json() == lead


@pytest.mark.slow
def test_simultaneous_requests_get_their_own_tenants_records(http: httpx.Client, server: LocalServer) -> None:
    headers = {"demo": as_user(http), "rival": as_user(http, "rita", "rival")}
    results: list[tuple[str, set[str]]] = []

    def read(tenant: str) -> None:
        with connect(server) as client:
            for _ in range(5):
                items = client.get(f"{LEADS}?limit=50", headers=headers[tenant]).json()["items"]
                results.append((tenant, {item["owner"] for item in items}))

    threads = [threading.Thread(target=read, args=(tenant,)) for tenant in ("demo", "rival") * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 40
    assert all(owners == ({"rita"} if tenant == "rival" else {"alice", "bob"}) for tenant, owners in results)


# --- tenants and modules


def test_the_rival_sees_its_own_records_only(http: httpx.Client) -> None:
    alice, rita = as_user(http), as_user(http, "rita", "rival")
    [ours] = http.get(f"{LEADS}?name_contains=Jack", headers=alice).json()["items"]
    [theirs] = http.get(f"{LEADS}?name_contains=Jack", headers=rita).json()["items"]
    assert ours["display_name"] == theirs["display_name"]
    assert ours["company"] != theirs["company"]
    assert http.get(f"{LEADS}/{ours['id']}", headers=alice).status_code == 200
    problem(http.get(f"{LEADS}/{ours['id']}", headers=rita), 404, "not_found")
    problem(http.get(f"{LEADS}/{theirs['id']}", headers=alice), 404, "not_found")


def test_a_closed_module_stays_closed(http: httpx.Client) -> None:
    problem(http.get("/api/crm/opportunity", headers=as_user(http, "bob")), 403, "permission_denied")
    assert names(http.get("/api/crm/opportunity", headers=as_user(http)))


# --- the assistant


def test_the_question_of_the_first_page_is_answered(http: httpx.Client) -> None:
    response = http.post("/api/ai/chat", json={"message": "Tell me about Jack Russel"}, headers=as_user(http))
    turn = response.json()
    assert response.status_code == 200
    assert (turn["success"], turn["status"]) == (True, "completed")
    assert "Jack Russel" in turn["response"]
    assert "search_leads" in [call["name"] for call in turn["toolCalls"]]
    assert 2 <= len(turn["followUps"]) <= 4


def test_a_conversation_goes_on_and_is_listed_for_its_user_alone(http: httpx.Client) -> None:
    alice = as_user(http)
    first = http.post("/api/ai/chat", json={"message": "Tell me about Jack Russel"}, headers=alice).json()
    again = {"message": "Are there any notes about him?", "conversationId": first["conversationId"]}
    assert "callback" in http.post("/api/ai/chat", json=again, headers=alice).json()["response"].lower()
    path = f"/api/ai/conversations/{first['conversationId']}"
    assert len(http.get(path, headers=alice).json()["messages"]) == 4
    for user, tenant in (("bob", "demo"), ("rita", "rival")):
        problem(http.get(path, headers=as_user(http, user, tenant)), 404, "not_found")
    assert http.delete(path, headers=alice).status_code == 204
    problem(http.get(path, headers=alice), 404, "not_found")


def test_a_reset_brings_the_demo_data_back_and_takes_the_talk_away(http: httpx.Client) -> None:
    alice = as_user(http)
    [omar] = http.get(f"{LEADS}?name_contains=Omar Benali", headers=alice).json()["items"]
    path = f"{LEADS}/{omar['id']}"
    tag = http.get(path, headers=alice).headers["etag"]
    changed = http.patch(path, json={"status": "unqualified"}, headers=alice | {"if-match": tag})
    assert changed.json()["status"] == "unqualified" != omar["status"]
    delete_jack(http, alice)
    assert find_jack(http, alice) == []
    assert http.get("/api/ai/conversations", headers=alice).json()["items"]
    assert http.post("/local/reset").status_code == 200
    assert find_jack(http, alice) == ["Jack Russel"]
    # By id, too: records that were read so are cached.
    assert http.get(path, headers=alice).json()["status"] == omar["status"]
    assert http.get("/api/ai/conversations", headers=alice).json()["items"] == []


@pytest.mark.slow
def test_demo_data_that_has_aged_is_made_again(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    alice = as_user(http)
    [before] = http.get(f"{LEADS}?name_contains=Jack", headers=alice).json()["items"]
    monkeypatch.setattr(stores, "SEED_HOURS", -1)
    assert http.post("/local/reset").status_code == 200
    [after] = http.get(f"{LEADS}?name_contains=Jack", headers=alice).json()["items"]
    assert after["id"] != before["id"]
    assert after["last_contacted_at"] > before["last_contacted_at"]


# --- starting and stopping


@pytest.fixture
def no_server(server: LocalServer) -> Iterator[None]:
    """Stop the module's server during the test: a process has room for one."""
    server.stop()
    yield
    server.start()


@pytest.mark.usefixtures("no_server")
@pytest.mark.slow
def test_a_restart_keeps_data_and_tokens(tmp_path: Path) -> None:
    place_demo_data(tmp_path)
    with LocalServer(tmp_path) as server, connect(server) as http:
        alice = as_user(http)
        delete_jack(http, alice)
    with LocalServer(tmp_path) as server, connect(server) as http:
        assert find_jack(http, alice) == []
        assert find_jack(http, as_user(http, "rita", "rival")) == ["Jack Russel"]


def test_a_port_or_a_folder_in_use_is_said_in_one_line(
    server: LocalServer, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = server.url.rpartition(":")[2]
    with pytest.raises(PortInUseError, match=f"Port {port} is in use"):
        LocalServer(tmp_path, int(port)).start()
    with pytest.raises(FolderInUseError, match=f"in use by process {os.getpid()}"):
        LocalServer(folder).start()
    assert main(["ask", "--port", "1", "--folder", str(folder), "hello"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")


# --- pages of other origins

VITE = "http://localhost:5173"


def ask_to_call(http: httpx.Client, path: str, origin: str = VITE) -> httpx.Response:
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type"}
    return http.options(path, headers={"origin": origin, **asked})


def test_a_page_of_an_allowed_origin_may_call(server: LocalServer, http: httpx.Client) -> None:
    with with_settings(server, cors_origins=(VITE,)):
        answer = ask_to_call(http, "/api/ai/chat")
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == VITE
        assert "POST" in answer.headers["access-control-allow-methods"]
        assert {"authorization", "content-type"} <= {*answer.headers["access-control-allow-headers"].split(",")}
        refused = http.post("/api/ai/chat", json={"message": "Hello"}, headers={"origin": VITE})
        assert refused.headers["access-control-allow-origin"] == VITE, "a page can read the gateway's refusals"


def test_a_page_of_another_origin_may_not(server: LocalServer, http: httpx.Client) -> None:
    assert "access-control-allow-origin" not in ask_to_call(http, "/api/ai/chat").headers
    with with_settings(server, cors_origins=(VITE,)):
        assert "access-control-allow-origin" not in ask_to_call(http, "/api/ai/chat", "http://evil.example").headers
        assert ask_to_call(http, "/api/nothing").status_code == 404


def test_there_is_no_stream_to_resume(http: httpx.Client) -> None:
    answer = http.get("/api/ai/chat/some-chat/stream", headers=as_user(http))
    assert (answer.status_code, answer.content) == (204, b"")


def test_an_mcp_client_without_a_token_is_led_to_the_authorization_server(
    server: LocalServer, http: httpx.Client
) -> None:
    with with_settings(server, authorization_server="https://id.example.com"):
        challenge = http.post("/mcp", json={}).headers["www-authenticate"]
        url = challenge.partition('resource_metadata="')[2].rstrip('"')
        for address in (url, f"{server.url}/.well-known/oauth-protected-resource/mcp"):
            metadata = http.get(address).json()
            assert metadata["resource"] == f"{server.url}/mcp"
        copilot = http.get("/.well-known/oauth-protected-resource/mcp/copilot").json()
        assert copilot["resource"] == f"{server.url}/mcp/copilot"
