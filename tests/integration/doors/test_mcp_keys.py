"""MCP calls with an `Idempotency-Key`, which run once."""

from collections.abc import Mapping
from typing import Any

import pytest

from aisha.domain.crm.queries import RecordQuery, Written
from aisha.domain.crm.records import Note, Record
from aisha.domain.errors import UnavailableError
from tests.fakes.aws.api_gateway import Answer, assert_problem, chat, function
from tests.fakes.world import ALICE, BOB, World

KEY = {"idempotency-key": "5f0a3b52-8c8c-4f7c-9a9d-0a3c1f7d2b11"}


def send(
    name: str,
    arguments: Mapping[str, Any],
    *,
    user: Mapping[str, str] = ALICE,
    key: Mapping[str, str] = KEY,
    rpc_id: int = 1,
    path: str = "/mcp",
    **meta: Any,
) -> Answer:
    params = {"name": name, "arguments": arguments} | ({"_meta": meta} if meta else {})
    message = {"jsonrpc": "2.0", "id": rpc_id, "method": "tools/call", "params": params}
    return chat(message, user, path=path, app=function("mcp").app, headers=key)


def note(lead: Record, text: str = "likes sailing") -> dict[str, Any]:
    return {"entity_type": "lead", "entity_id": lead.id, "content": text}


def notes(world: World) -> list[str]:
    records = world.records.search("demo", RecordQuery("note", limit=50)).items
    return [note.content for note in records if isinstance(note, Note)]


def written(world: World) -> list[str]:
    """Return the ids of notes and leads; there are two leads before a test writes."""
    queries = (RecordQuery(kind, limit=50) for kind in ("note", "lead"))
    return [record.id for query in queries for record in world.records.search("demo", query).items]


def test_the_same_call_runs_once_and_gets_the_same_result_under_its_own_id(
    world: World, crm: dict[str, Record]
) -> None:
    first = send("create_note", note(crm["jack"]))
    again = send("create_note", note(crm["jack"]), rpc_id=7, progressToken="p2")
    assert (first.json["id"], again.json["id"]) == (1, 7)
    assert again.json["result"] == first.json["result"]
    assert "isError" not in first.json["result"] or not first.json["result"]["isError"]
    assert (first.headers.get("idempotent-replayed"), again.headers["idempotent-replayed"]) == (None, "true")
    assert len(notes(world)) == 1


@pytest.mark.parametrize("key", ["", "k" * 300])
def test_a_key_that_can_not_be_one_is_refused_with_any_message(world: World, key: str) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    answer = chat(ping, ALICE, path="/mcp", app=function("mcp").app, headers={"idempotency-key": key})
    assert_problem(answer, 422, "invalid_input")


def test_a_key_belongs_to_one_call_of_one_user(world: World, crm: dict[str, Record]) -> None:
    send("create_note", note(crm["jack"]))
    assert_problem(send("create_note", note(crm["jack"], "another")), 422, "invalid_input")
    assert_problem(send("create_note", note(crm["jack"]), key={"idempotency-key": "é"}), 422, "invalid_input")
    assert send("create_note", note(crm["jane"], "Bob's"), user=BOB).headers.get("idempotent-replayed") is None
    assert len(notes(world)) == 2
    for _ in range(2):
        send("create_note", note(crm["jack"]), key={})
    assert len(notes(world)) == 4


def test_a_waiting_call_asks_once(world: World, crm: dict[str, Record]) -> None:
    lead = {"lead_id": crm["jack"].id}
    first, again = send("delete_lead", lead), send("delete_lead", lead)
    assert "confirmation" in first.text
    assert again.json["result"] == first.json["result"]
    assert len(world.conversations.recent("demo", "alice", 50, None)[0]) == 1
    assert world.has("demo", crm["jack"])


def test_a_call_that_failed_may_be_tried_again(
    world: World, crm: dict[str, Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> list[Written]:
        raise UnavailableError("The store does not answer")

    with monkeypatch.context() as patch:
        patch.setattr(world.records, "write", away)
        assert send("create_note", note(crm["jack"])).json["result"]["isError"] is True
    response = send("create_note", note(crm["jack"]))
    assert not response.json["result"].get("isError")
    assert notes(world) == ["likes sailing"]


@pytest.mark.parametrize("tool", ["create_note", "create_lead"])
def test_a_call_whose_result_was_lost_writes_only_once(
    world: World, crm: dict[str, Record], monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    new = {"first_name": "Mia", "last_name": "Wong", "email": "mia@wong.example"}
    arguments = note(crm["jack"]) if tool == "create_note" else new

    def cut_off(*_: object) -> None:
        raise RuntimeError("the process ends here")

    with monkeypatch.context() as patch:
        patch.setattr("aisha.api.mcp.results.call_result", cut_off)
        assert send(tool, arguments).status == 500
    assert len(written(world)) == 3
    response = send(tool, arguments).json["result"]
    assert not response.get("isError"), response
    assert len(written(world)) == 3
