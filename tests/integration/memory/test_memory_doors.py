"""Writes and deletions through every door reach memory's queue (A-121)."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from aisha.adapters.auth.principal import principal_of_context
from aisha.application.scans.contract import Finding
from aisha.application.suggestions.store import FoundFinding, save_findings, suggestion_id
from aisha.application.tooling.context import make_context
from aisha.application.tooling.results import EntityRef
from aisha.bootstrap import Services
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.crm.records import Note, Record
from aisha.domain.errors import UnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import Answer, call, chat, function
from tests.fakes.aws.memory_queue import RecordingWorkQueue
from tests.fakes.models.openai_realtime import KEY, openai_realtime
from tests.fakes.models.scripted_model import ask
from tests.fakes.world import ALICE, World

CONTENT = "likes sailing on lake Wannsee"
STATELESS_VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS_VERSION,
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
}


@pytest.fixture
def queue(world: World) -> RecordingWorkQueue:
    sent = RecordingWorkQueue()
    world.use(work_queue=sent)
    return sent


@pytest.fixture
def voice(world: World, queue: RecordingWorkQueue) -> Iterator[None]:
    """Serve a provider of spoken conversations on a loopback port."""
    with openai_realtime() as server:
        environment = {"OPENAI_API_KEY": KEY, "AISHA_OPENAI_BASE_URL": f"{server.url}/v1"}
        world.use(chat_model=world.services.chat_model, settings=read_settings(environment))
        yield


def by_mcp(tool: str, arguments: Mapping[str, Any], /, **more: Any) -> Any:
    params = {"name": tool, "arguments": arguments, "_meta": META, **more}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"mcp-protocol-version": STATELESS_VERSION, "mcp-method": "tools/call", "mcp-name": tool}
    answer = chat(message, ALICE, path="/mcp", app=function("mcp").app, headers=headers)
    assert answer.status == 200, answer.text
    return answer.json["result"]


def by_mcp_after_a_yes(tool: str, arguments: Mapping[str, Any], /) -> None:
    """Call the tool, confirm the question that the client puts to its user, and call it again."""
    question = by_mcp(tool, arguments)
    assert question["resultType"] == "input_required", question
    yes = {"confirmation": {"action": "accept"}}
    by_mcp(tool, arguments, requestState=question["requestState"], inputResponses=yes)


def by_notification(tool: str, arguments: Mapping[str, Any], /) -> None:
    body = {"title": "Now", "callback": {"tool": tool, "arguments": arguments}}
    notification = ok(call("notifications", "POST", "/api/ai/notifications", ALICE, json.dumps(body))).json["id"]
    ok(call("notifications", "POST", f"/api/ai/notifications/{notification}/execute", ALICE))


def by_voice(tool: str, arguments: Mapping[str, Any], /) -> None:
    session = ok(call("realtime", "GET", "/api/ai/realtime", ALICE)).json["sessionId"]
    body = {"sessionId": session, "callId": "call_1", "name": tool, "arguments": arguments}
    body |= {"userTranscript": f"Note on Jack Russel: {CONTENT}", "userItemId": "item_1"}
    relay(body)


def relay(body: Mapping[str, Any]) -> Any:
    return ok(call("realtime", "POST", "/api/ai/realtime/tools", ALICE, json.dumps(body))).json


def by_voice_after_a_yes(tool: str, arguments: Mapping[str, Any], /) -> None:
    session = ok(call("realtime", "GET", "/api/ai/realtime", ALICE)).json["sessionId"]
    body = {"sessionId": session, "name": tool, "arguments": arguments}
    question = relay(body | {"callId": "call_1", "userTranscript": "Delete him", "userItemId": "item_1"})
    assert question["status"] == "needs_confirmation", question
    relay(body | {"callId": "call_2", "userTranscript": "Yes", "userItemId": "item_2"})


def by_suggestion(tool: str, arguments: Mapping[str, Any], /) -> None:
    services: Services = function("suggestions").app.services
    context = make_context(principal_of_context(ALICE, services.clock.now()), services.tool_ports, "sweep")
    entity = EntityRef(type="lead", id=arguments["entity_id"], name="Jack Russel")
    finding = Finding(
        kind="silent", entity=entity, text="Note it", priority=5, tool=tool, arguments=dict(arguments),
        owner=context.principal.user,
    )  # fmt: skip
    found = FoundFinding(finding, "next_steps")
    assert save_findings(services.entries, context.principal.tenant, [found], "sweep_1", context.now) == [True]
    suggestion = suggestion_id(finding.kind, entity.id)
    ok(call("suggestions", "POST", f"/api/ai/suggestions/{suggestion}/accept", ALICE, "{}"))


def by_chat(tool: str, arguments: Mapping[str, Any], /) -> None:
    ok(chat({"message": f"Create a note for Jack Russel: {arguments['content']}"}, ALICE))


def by_confirmation(tool: str, arguments: Mapping[str, Any], /) -> None:
    confirmation = ok(chat({"message": "Delete the lead Jack Russel"}, ALICE)).json["confirmation"]["id"]
    ok(call("confirmations", "POST", f"/api/ai/confirmations/{confirmation}", ALICE, '{"decision": "approve"}'))


def ok(answer: Answer) -> Answer:
    assert answer.status == 200, answer.text
    assert answer.json.get("success", True), answer.text
    return answer


class Failing:
    """A model that writes a note and then fails."""

    def __init__(self, lead: str) -> None:
        self._lead = lead

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        if request.json_mode or any(message.role == "tool" for message in request.messages):
            raise UnavailableError("The model does not answer")
        note = ask("create_note", entity_type="lead", entity_id=self._lead, content=CONTENT)
        yield ModelFinished("failing", "failing-1", (note,))


Door = Callable[..., Any]

WRITERS: list[Door] = [by_chat, by_mcp, by_voice, by_notification, by_suggestion]
DELETERS: list[Door] = [by_confirmation, by_mcp_after_a_yes, by_voice_after_a_yes]


@pytest.mark.usefixtures("voice")
@pytest.mark.parametrize("door", WRITERS)
def test_a_note_written_through_any_door_is_remembered_with_what_was_done(
    queue: RecordingWorkQueue, crm: dict[str, Record], door: Door
) -> None:
    jack = crm["jack"]
    door("create_note", {"entity_type": "lead", "entity_id": jack.id, "content": CONTENT})
    turn, note = sorted(queue.texts, key=lambda text: CONTENT in text.partition("Done:")[2])
    assert "About: lead Jack Russel" in turn
    assert f"Done: wrote a note: {CONTENT}" in note
    assert "(through MCP)" not in turn
    assert len({chunk.id for chunk in queue.chunks}) == len(queue.chunks) == 2
    assert queue.forgotten == []


@pytest.mark.usefixtures("voice")
@pytest.mark.parametrize("door", DELETERS)
def test_what_is_deleted_through_any_door_is_forgotten(
    queue: RecordingWorkQueue, crm: dict[str, Record], door: Door
) -> None:
    door("delete_lead", {"lead_id": crm["jack"].id})
    assert queue.forgotten == [("record", crm["jack"].id)]
    assert queue.chunks == []


@pytest.mark.usefixtures("voice")
@pytest.mark.parametrize("door", WRITERS)
def test_what_is_undone_is_forgotten_whichever_door_it_came_through(
    queue: RecordingWorkQueue, crm: dict[str, Record], door: Door
) -> None:
    door("create_note", {"entity_type": "lead", "entity_id": crm["jack"].id, "content": CONTENT})
    ids = {chunk.id for chunk in queue.chunks}
    by_mcp("undo_last", {})
    assert {chunk_id for _, chunk_id in queue.forgotten} == ids


@pytest.mark.usefixtures("voice")
@pytest.mark.parametrize("door", WRITERS)
def test_a_queue_that_is_away_takes_no_write_back(
    world: World, queue: RecordingWorkQueue, crm: dict[str, Record], door: Door
) -> None:
    queue.is_away = True
    door("create_note", {"entity_type": "lead", "entity_id": crm["jack"].id, "content": CONTENT})
    (note,) = world.records.search("demo", RecordQuery("note")).items
    assert isinstance(note, Note)
    assert note.content == CONTENT


def test_a_read_leaves_nothing(queue: RecordingWorkQueue, crm: dict[str, Record]) -> None:
    by_mcp("get_lead", {"lead_id": crm["jack"].id})
    assert queue.messages == []


def test_a_turn_that_acted_and_then_failed_is_remembered(
    world: World, queue: RecordingWorkQueue, crm: dict[str, Record]
) -> None:
    world.use(chat_model=Failing(crm["jack"].id))
    answer = chat({"message": f"Note that Jack {CONTENT}"}, ALICE)
    assert answer.json.get("success") is not True, answer.text
    assert any(f"Done: wrote a note: {CONTENT}" in text for text in queue.texts)
