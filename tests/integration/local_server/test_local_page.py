"""The web client as the local server serves it."""

from pathlib import Path

import pytest
from starlette.routing import Router
from starlette.testclient import TestClient

from infra.local.server import web_client


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    (tmp_path / "index.html").write_text("<title>Desk</title>")
    monkeypatch.setattr(web_client, "DIST", tmp_path)
    return TestClient(Router(web_client.page_routes()))


def test_the_address_of_the_server_opens_the_page(client: TestClient) -> None:
    response = client.get("/")
    assert (response.status_code, response.text) == (200, "<title>Desk</title>")
    assert response.url.path == web_client.PATH


def test_every_file_comes_with_the_headers_of_a_strict_page(client: TestClient) -> None:
    for path in ("/desk/", "/desk/missing.js"):
        headers = client.get(path).headers
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_the_page_may_connect_to_the_provider_of_realtime_voice_where_there_is_one(client: TestClient) -> None:
    talking = TestClient(Router(web_client.page_routes("https://api.openai.com/v1")))
    assert "connect-src 'self' https://api.openai.com;" in talking.get("/desk/").headers["content-security-policy"]
    assert "connect-src 'self';" in client.get("/desk/").headers["content-security-policy"]


def test_a_missing_file_is_not_found_and_no_path_leads_out_of_the_folder(client: TestClient) -> None:
    assert client.get("/desk/missing.js").status_code == 404
    assert client.get("/desk/%2e%2e/%2e%2e/etc/passwd").status_code == 404


def test_a_tree_without_a_build_has_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_client, "DIST", tmp_path / "none")
    assert web_client.page_routes() == []


def test_the_committed_build_has_the_element() -> None:
    assert "aisha-assistant" in (web_client.DIST / "assistant.js").read_text(encoding="utf-8")
