"""MCP streams that wait for the user while stores fail, and the rate limits of MCP messages."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from aisha.api.mcp.sessions import SESSION_HEADER
from aisha.application.mcp.waiting import KIND
from aisha.domain.crm.records import Record
from aisha.domain.entries import PROFILE
from aisha.domain.errors import NotFoundError, UnavailableError
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import REQUEST_ID, Answer, chat, function
from tests.fakes.world import ALICE, World


def send(body: Mapping[str, Any], session: str = "") -> Answer:
    headers = {"accept": "application/json, text/event-stream"} | ({SESSION_HEADER: session} if session else {})
    return chat({"jsonrpc": "2.0", **body}, ALICE, path="/mcp", app=function("mcp").app, headers=headers)


def request(method: str, **params: Any) -> dict[str, Any]:
    return {"id": 7, "method": method, "params": params}


def greeting() -> Answer:
    return send(request("initialize", protocolVersion="2025-11-25", capabilities={"elicitation": {}}))


def final_result(jack: Record) -> dict[str, Any]:
    """Return the result of a call that needs confirmation."""
    delete = request("tools/call", name="delete_lead", arguments={"lead_id": jack.id})
    answer = send(delete, greeting().headers[SESSION_HEADER])
    question, final = (
        json.loads(line.removeprefix("data: ")) for line in answer.text.splitlines() if line.startswith("data: ")
    )
    assert question["method"] == "elicitation/create"
    assert final["id"] == 7
    result: dict[str, Any] = final["result"]
    return result


@pytest.fixture
def short_wait(world: World) -> None:
    """Limit the time that a call waits for the user."""
    world.use(settings=read_settings({"AISHA_MCP_QUESTION_SECONDS": "0.3"}))


def failing(monkeypatch: pytest.MonkeyPatch, world: World, fails: Callable[[int], bool]) -> list[int]:
    """Let these reads of the user's decision fail; return a list that gets the number of each read."""
    find, reads = world.entries.find, list[int]()

    def find_or_fail(tenant: str, owner: str | None, kind: str, entry_id: str) -> Any:
        if kind == KIND:
            reads.append(len(reads))
            if fails(len(reads)):
                raise UnavailableError("The store is away")
        return find(tenant, owner, kind, entry_id)

    monkeypatch.setattr(world.entries, "find", find_or_fail)
    return reads


@pytest.mark.usefixtures("short_wait")
@pytest.mark.parametrize("fails", [lambda read: read == 2, lambda read: True])
def test_a_waiting_call_survives_an_unavailable_store(
    crm: dict[str, Record], world: World, monkeypatch: pytest.MonkeyPatch, fails: Callable[[int], bool]
) -> None:
    reads = failing(monkeypatch, world, fails)
    assert "confirmation" in final_result(crm["jack"])["structuredContent"]
    assert len(reads) > 2


@pytest.mark.usefixtures("short_wait")
def test_a_deleted_conversation_is_the_error_of_its_waiting_call(
    crm: dict[str, Record], world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = failing(monkeypatch, world, lambda _: False)
    load = world.conversations.load

    def load_or_fail(*args: Any) -> Any:
        if reads:
            raise NotFoundError("There is no such conversation.", entity_type="conversation")
        return load(*args)

    monkeypatch.setattr(world.conversations, "load", load_or_fail)
    result = final_result(crm["jack"])
    assert result["isError"]
    error = result["structuredContent"]["error"]
    assert (error["code"], error["request_id"]) == ("not_found", REQUEST_ID)


@pytest.mark.parametrize(
    "message",
    [
        request("tools/list"),
        request("tools/call", name="search_leads", arguments={}),
        {"id": "confirm_01JD3Q8S5V0W8Y2Z6T4R9K7M1N", "result": {"action": "accept"}},
    ],
)
def test_messages_that_use_the_stores_count_against_the_limits(world: World, message: dict[str, Any]) -> None:
    world.entries.put("demo", None, PROFILE, PROFILE, {"limits": {"user_per_minute": 1}})
    assert send(message).status != 429
    refused = send(message)
    assert (refused.status, refused.json["code"]) == (429, "rate_limited")
    assert greeting().status == 200
    assert send(request("ping")).status == 200
    assert send({"method": "notifications/initialized"}).status == 202
