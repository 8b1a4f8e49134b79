"""An MCP client's stream that waits for the user while the stores fail, and what counts against its user's limits."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from aisha.api.mcp.sessions import SESSION_HEADER
from aisha.application.mcp.waiting import KIND
from aisha.domain.entries import PROFILE
from aisha.domain.errors import NotFoundError, UnavailableError
from aisha.domain.records import Record
from aisha.settings import read_settings
from tests.fakes.api_gateway import REQUEST_ID, Answer, chat, function
from tests.fakes.world import ALICE, World


def send(body: Mapping[str, Any], session: str = "") -> Answer:
    headers = {"accept": "application/json, text/event-stream"} | ({SESSION_HEADER: session} if session else {})
    return chat({"jsonrpc": "2.0", **body}, ALICE, path="/mcp", app=function("mcp").app, headers=headers)


def request(method: str, **params: Any) -> dict[str, Any]:
    return {"id": 7, "method": method, "params": params}


def greeting() -> Answer:
    return send(request("initialize", protocolVersion="2025-11-25", capabilities={"elicitation": {}}))


def final_result(jack: Record) -> dict[str, Any]:
    """What a call that must wait ends with."""
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
def hurried(world: World) -> None:
    """Nobody is waited for long."""
    world.use(settings=read_settings({"AISHA_MCP_QUESTION_SECONDS": "0.3"}))


def failing(monkeypatch: pytest.MonkeyPatch, world: World, fails: Callable[[int], bool]) -> list[int]:
    """The store does not say at these looks for the answer whether it is there; what it was asked at."""
    find, looks = world.entries.find, list[int]()

    def found(tenant: str, owner: str | None, kind: str, entry_id: str) -> Any:
        if kind == KIND:
            looks.append(len(looks))
            if fails(len(looks)):
                raise UnavailableError("The store is away")
        return find(tenant, owner, kind, entry_id)

    monkeypatch.setattr(world.entries, "find", found)
    return looks


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("fails", [lambda look: look == 2, lambda look: True])
def test_a_store_that_is_away_for_a_while_costs_no_answer(
    crm: dict[str, Record], world: World, monkeypatch: pytest.MonkeyPatch, fails: Callable[[int], bool]
) -> None:
    looks = failing(monkeypatch, world, fails)
    assert "confirmation" in final_result(crm["jack"])["structuredContent"]
    assert len(looks) > 2


@pytest.mark.usefixtures("hurried")
def test_a_call_whose_conversation_is_gone_is_answered_with_that(
    crm: dict[str, Record], world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = failing(monkeypatch, world, lambda _: False)
    load = world.conversations.load

    def loaded(*args: Any) -> Any:
        if looks:
            raise NotFoundError("There is no such conversation.", entity_type="conversation")
        return load(*args)

    monkeypatch.setattr(world.conversations, "load", loaded)
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
def test_what_works_in_the_stores_counts_against_the_limits(world: World, message: dict[str, Any]) -> None:
    world.entries.put("demo", None, PROFILE, PROFILE, {"limits": {"user_per_minute": 1}})
    assert send(message).status != 429
    refused = send(message)
    assert (refused.status, refused.json["code"]) == (429, "rate_limited")
    assert greeting().status == 200
    assert send(request("ping")).status == 200
    assert send({"method": "notifications/initialized"}).status == 202
