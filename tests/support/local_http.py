"""Requests to the running local server, as a demo user."""

from typing import Any

import httpx

from infra.local.server.server import LocalServer

LEADS = "/api/crm/lead"


def connect(server: LocalServer) -> httpx.Client:
    return httpx.Client(base_url=server.url, timeout=30, trust_env=False)


def as_user(http: httpx.Client, user: str = "alice", tenant: str = "demo") -> dict[str, str]:
    token = http.get("/local/token", params={"user": user, "tenant": tenant}).json()["token"]
    return {"authorization": f"Bearer {token}"}


def problem(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    body: dict[str, Any] = response.json()
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
    assert (body["status"], body["code"], body["type"]) == (status, code, f"urn:aisha:problem:{code}")
    assert body["message"]
    assert body["request_id"] == response.headers["x-request-id"]
    assert len(body["request_id"]) == 36
    return body


def names(response: httpx.Response) -> list[str]:
    assert response.status_code == 200, response.text
    return [item["display_name"] for item in response.json()["items"]]


# --- resets


def delete_jack(http: httpx.Client, headers: dict[str, str]) -> None:
    turn = http.post("/api/ai/chat", json={"message": "Delete Jack Russel"}, headers=headers).json()
    assert turn["status"] == "needs_confirmation", turn
    path = f"/api/ai/confirmations/{turn['confirmation']['id']}"
    assert http.post(path, json={"decision": "approve"}, headers=headers).json()["success"]


def find_jack(http: httpx.Client, headers: dict[str, str]) -> list[str]:
    return names(http.get(f"{LEADS}?name_contains=Jack", headers=headers))
