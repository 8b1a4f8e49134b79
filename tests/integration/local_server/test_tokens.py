"""Tokens of the local server: what they open, and which are refused."""

import json
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import jwt
import pytest

from infra.local.server.keys import TokenSigner
from infra.local.server.server import LocalServer
from tests.support.local_http import LEADS, as_user, names, problem

pytestmark = pytest.mark.slow


def test_a_token_opens_its_users_data(http: httpx.Client) -> None:
    assert names(http.get(LEADS, params={"name_contains": "Jack Russell"}, headers=as_user(http))) == ["Jack Russel"]


def test_a_request_without_a_token_is_refused(http: httpx.Client) -> None:
    for method, path in (("GET", LEADS), ("POST", "/api/ai/chat"), ("GET", "/api/ai/tools")):
        response = http.request(method, path)
        problem(response, 401, "unauthenticated")
        assert response.headers["www-authenticate"] == "Bearer"


def forged(server: LocalServer, http: httpx.Client, kind: str, folder: Path) -> str:
    good = as_user(http)["authorization"].removeprefix("Bearer ")
    claims = jwt.decode(good, options={"verify_signature": False})
    now = datetime.now(UTC)
    match kind:
        case "expired":
            return server.signer.sign({**claims, "exp": now - timedelta(minutes=5)}, now)
        case "another key":
            return TokenSigner(folder).sign(claims, now)
        case "another audience":
            return server.signer.sign({**claims, "aud": "others"}, now)
        case "another issuer":
            return server.signer.sign({**claims, "iss": "others"}, now)
        case "no tenant":
            return server.signer.sign({**claims, "tenant_id": None}, now)
        case "unsigned":
            return jwt.encode(claims, "", algorithm="none")
        case "changed":
            head, _, signature = good.split(".")
            return ".".join((head, jwt.encode({**claims, "tenant_id": "rival"}, "x" * 32).split(".")[1], signature))
        case _:
            return "garbage"


KINDS = ("expired", "another key", "another audience", "another issuer", "no tenant", "unsigned", "changed", "garbage")


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_that_is_not_right_is_refused(
    server: LocalServer, http: httpx.Client, kind: str, tmp_path: Path
) -> None:
    token = forged(server, http, kind, tmp_path)
    problem(http.get(LEADS, headers={"authorization": f"Bearer {token}"}), 401, "unauthenticated")


@pytest.mark.parametrize("header", ["Bearer", "Basic YTpi", "x", "Bearer a b c"])
def test_a_header_without_a_token_is_refused(http: httpx.Client, header: str) -> None:
    problem(http.get(LEADS, headers={"authorization": header}), 401, "unauthenticated")


def test_a_client_can_not_say_who_it_is(http: httpx.Client) -> None:
    context = json.dumps({"requestId": "mine", "authorizer": {"tenant_id": "demo", "user_id": "alice"}})
    message = {"message": "Tell me about Umbra Trading"}
    headers = {"x-amzn-request-context": context, "X-Amzn-Request-Context": context}
    problem(http.post("/api/ai/chat", json=message, headers=headers), 401, "unauthenticated")
    response = http.post("/api/ai/chat", json=message, headers=headers | as_user(http, "rita", "rival"))
    assert response.status_code == 200
    assert "Umbra Trading" in response.json()["response"]
    assert response.headers["x-request-id"] != "mine"


def test_only_demo_users_get_a_token(http: httpx.Client) -> None:
    body = http.get("/local/token", params={"user": "bob"}).json()
    assert (body["user"], body["tenant"]) == ("bob", "demo")
    assert datetime.fromisoformat(body["expiresAt"]) > datetime.now(UTC) + timedelta(hours=11)
    problem(http.get("/local/token", params={"user": "mallory"}), 404, "not_found")
    problem(http.get("/local/token", params={"user": "alice", "tenant": "rival"}), 404, "not_found")


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"sec-fetch-site": "cross-site"}])
def test_pages_of_other_sites_get_no_token_and_reset_nothing(http: httpx.Client, headers: dict[str, str]) -> None:
    problem(http.get("/local/token", headers=headers), 403, "permission_denied")
    problem(http.post("/local/reset", headers=headers), 403, "permission_denied")


def test_the_signing_key_is_kept_for_its_owner_alone(server: LocalServer, folder: Path) -> None:
    assert stat.S_IMODE((folder / "signing-key.pem").stat().st_mode) == 0o600
    assert TokenSigner(folder).jwks() == server.signer.jwks()
    assert not {"d", "p", "q"} & set(server.signer.jwks()["keys"][0])
