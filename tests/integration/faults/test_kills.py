"""Kill the process at every step of a turn and send the same request again: every effect happens exactly once.

A step is a request to DynamoDB: it makes no difference where between two of them a process is killed. The model words
its calls anew at each try, as models do.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Unpack

import boto3
import pytest

from aisha.application.idempotency.keys import LEASE_TTL
from aisha.application.notifications import reminders
from aisha.application.scans import Finding
from aisha.application.suggestions.store import FoundFinding, save_findings
from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.gate.receipts import KIND as RECEIPT
from aisha.application.tooling.results import EntityRef
from aisha.application.voice.session import KIND as VOICE_SESSION
from aisha.application.voice.session import RealtimeSession
from aisha.bootstrap import Services
from aisha.bootstrap.services import Overrides
from aisha.domain.crm.queries import Create, RecordQuery
from aisha.domain.crm.records import Lead, Record
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk
from aisha.settings import read_settings
from infra.local.aws_fakes.embedded import EmbeddedAWS
from infra.local.tables import REGION
from tests.fakes.aws.api_gateway import Answer, answer_of, call, chat, event, function, serve
from tests.fakes.killed import run_killed_at
from tests.fakes.models.scripted_model import ask
from tests.fakes.stores.in_memory import FixedClock
from tests.fakes.world import ALICE

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
KILL_EVERY = int(os.environ.get("AISHA_TEST_KILL_EVERY") or "20")
"""Distance between the steps at which a scenario is killed; each scenario begins at another step."""
MAX_STEPS = 400
SETTINGS = read_settings({"AISHA_CACHE_SECONDS": "0"})
KEY = {"idempotency-key": "2f1c8a1e-7d0f-4a53-9a2b-5f3f6f3d9c11"}


def _user_text(request: ModelRequest) -> str:
    return next(message.content for message in reversed(request.messages) if message.role == "user")


def _either(*texts: str) -> str:
    """Return one of the texts, by chance in a fork, too."""
    return texts[os.urandom(1)[0] % len(texts)]


class Moody:
    """A model that answers a plan with two writes, then a text: in new words each time, in a fork in another order."""

    def __init__(self, jack: str) -> None:
        self._jack, self._home = jack, os.getpid()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        some, about = os.urandom(4).hex(), {"entity_type": "lead", "entity_id": self._jack}
        if request.capability != "chat_tools":
            yield ModelFinished("moody", "moody-1")
        elif "Plan" not in _user_text(request) or any(message.role == "tool" for message in request.messages):
            yield TextChunk(f"All done ({some}).")
            yield ModelFinished("moody", "moody-1")
        else:
            call = ask(
                "create_activity", f"a{some}", title=_either("Call", "Call with Jack"), activity_type="call", **about
            )
            note = ask("create_note", f"b{some}", content=_either("Plan a call", "A call with Jack"), **about)
            yield ModelFinished("moody", "moody-1", (call, note) if os.getpid() == self._home else (note, call))


@dataclass
class Stage:
    """An embedded database with the lead Jack in it, a clock, and the services of one process."""

    aws: EmbeddedAWS
    clock: FixedClock = field(default_factory=lambda: FixedClock(START))
    jack: str = ""
    services: Services = field(init=False)

    def __post_init__(self) -> None:
        self._client: Any = boto3.client("dynamodb", region_name=REGION)
        self.restart()

    def restart(self, **overrides: Unpack[Overrides]) -> None:
        """Replace every object that a process keeps between requests, as a new process would."""
        self.services = Services(settings=SETTINGS, clock=self, tools=tools()).replace(**overrides)
        serve(self.services)

    def now(self) -> datetime:
        """Return the time of the current clock; services hold this stage as their clock."""
        return self.clock.now()

    def request(self, operation: str, parameters: dict[str, Any]) -> Any:
        return self._client._make_api_call(operation, parameters)

    def search(self, kind: str) -> list[Record]:
        return self.services.records.search("demo", RecordQuery(kind)).items

    def conversations(self) -> list[list[tuple[str, bool]]]:
        """Return the messages of each conversation as pairs of role and whether it is finished."""
        heads, _ = self.services.conversations.recent("demo", "alice", 50, None)
        pages = [self.services.conversations.messages("demo", "alice", head.id, 50, None)[0] for head in heads]
        return [[(message.role, message.finished) for message in page] for page in pages]

    def entries(self, kind: str) -> int:
        return len(self.services.entries.page("demo", "alice", kind).items)

    def outcomes(self, tool: str) -> set[str]:
        """Return the statuses that the audit log has of a tool's calls."""
        return {entry.status for entry in self.services.audit_log.page("demo", 50) if entry.tool == tool}


@cache
def tools() -> ToolRegistry:
    return Services(settings=SETTINGS).tools


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with EmbeddedAWS(None) as aws:
        new = Stage(aws)
        lead = Lead(first_name="Jack", last_name="Russel", company="ABC Corp", owner="alice")
        new.jack = new.services.records.write("demo", [Create(lead)])[0].record.id
        yield new
        serve()
        new.services.close()


Send = Callable[[], Answer]


def in_a_fork(stage: Stage, send: Send) -> Answer:
    """Send with new services: a fork has none of the threads of its parent's pool."""
    stage.services = stage.services.replace()
    serve(stage.services)
    return send()


def every_kill(stage: Stage, first: int, send: Send) -> Iterator[Answer]:
    """Kill the process at each step, with the tables as they were, and yield the answer to the repeated request."""
    stage.aws.keep_as_seed(START)
    for killed, number in enumerate(range((first - 1) % KILL_EVERY + 1, MAX_STEPS, KILL_EVERY)):
        assert stage.aws.restore_seed(START)
        start = stage.clock.now()
        first_answer = run_killed_at(number, lambda: in_a_fork(stage, send), stage.request)
        stage.clock = FixedClock(start + LEASE_TTL)
        again = send()
        assert again.status == 200, f"killed at {number}: {again.text}"
        yield again
        stage.clock = FixedClock(start)
        if first_answer is not None:
            assert killed, "the request was done before the first kill"
            assert first_answer.text == again.text, "without a kill the first answer is replayed"
            return
    pytest.fail(f"it is not done after {MAX_STEPS} steps")


def say(text: str, conversation: str | None = None, headers: Mapping[str, str] = KEY) -> Answer:
    body = {"message": text} | ({"conversationId": conversation} if conversation else {})
    return chat(body, ALICE, headers=headers)


def test_a_chat_that_writes_twice(stage: Stage) -> None:
    stage.restart(chat_model=Moody(stage.jack))
    for answer in every_kill(stage, 1, lambda: say("Plan a call with Jack and note it")):
        (activity,), (note,) = stage.search("activity"), stage.search("note")
        assert [call["status"] for call in answer.json["toolCalls"]] == ["executed", "executed"], answer.text
        assert activity.id in answer.text
        assert note.id in answer.text
        assert stage.conversations() == [[("user", True), ("assistant", True)]]
        assert stage.entries(RECEIPT) == 2
        assert "executed" in stage.outcomes("create_activity")


@pytest.mark.slow
def test_a_stream_that_keeps_a_reminder(stage: Stage) -> None:
    accept = KEY | {"accept": "text/event-stream"}
    for answer in every_kill(stage, 3, lambda: say("Remind me to water the plants tomorrow at 9am", headers=accept)):
        assert stage.entries(reminders.KIND) == 1, answer.text
        assert answer.text.rstrip().endswith("data: [DONE]")
        assert stage.conversations() == [[("user", True), ("assistant", True)]]


@pytest.mark.slow
def test_a_yes_to_what_was_asked(stage: Stage) -> None:
    question = say("Delete the lead Jack Russel", headers={}).json
    assert question["status"] == "needs_confirmation"
    for answer in every_kill(stage, 5, lambda: say("yes", question["conversationId"])):
        assert [(call["name"], call["status"]) for call in answer.json["toolCalls"]] == [("delete_lead", "executed")]
        assert stage.search("lead") == []
        assert stage.conversations() == [[("user", True), ("assistant", True)] * 2]
        assert stage.entries(RECEIPT) == 1


@pytest.mark.slow
def test_the_last_change_alone_is_taken_back(stage: Stage) -> None:
    first = say("Create a lead called Nora Fink", headers={}).json
    say("Create a lead called Paul Lang", first["conversationId"], headers={})
    assert len(stage.search("lead")) == 3
    for answer in every_kill(stage, 4, lambda: say("undo that", first["conversationId"])):
        assert [(call["name"], call["status"]) for call in answer.json["toolCalls"]] == [("undo_last", "executed")]
        assert {lead.display_name for lead in stage.search("lead")} == {"Jack Russel", "Nora Fink"}, answer.text


@pytest.mark.slow
def test_an_approval_by_its_id(stage: Stage) -> None:
    question = say("Delete the lead Jack Russel", headers={}).json
    path = f"/api/ai/confirmations/{question['confirmation']['id']}"
    approval = event("confirmations", "POST", path, ALICE, '{"decision": "approve"}')
    approval["headers"] |= KEY
    for answer in every_kill(stage, 7, lambda: answer_of(function("confirmations"), approval)):
        assert [(call["name"], call["status"]) for call in answer.json["toolCalls"]] == [("delete_lead", "executed")]
        assert stage.search("lead") == []
        assert stage.conversations() == [[("user", True), ("assistant", True)] * 2]


@pytest.mark.slow
def test_a_plan_that_was_agreed_to(stage: Stage) -> None:
    def plan(body: dict[str, Any], headers: Mapping[str, str]) -> Answer:
        return chat(body, ALICE, path="/api/ai/flow-chat", app=function("flow_chat").app, headers=headers)

    text = "Create a new account called Zeta Works with contact Maria Lopez"
    proposal = plan({"message": text}, {}).json
    assert proposal["needsConfirmation"] is True
    agreed = {"message": "yes", "conversationId": proposal["conversationId"]}
    for answer in every_kill(stage, 9, lambda: plan(agreed, KEY)):
        (account,), (contact,) = stage.search("account"), stage.search("contact")
        assert {account.display_name, contact.display_name} == {"Zeta Works", "Maria Lopez"}, answer.text
        assert {step["status"] for step in answer.json["steps"]} == {"executed"}
        assert stage.conversations() == [[("user", True), ("assistant", True)] * 2]


@pytest.mark.slow
def test_the_door_for_clients_of_openai(stage: Stage) -> None:
    stage.restart(chat_model=Moody(stage.jack))
    body = {"model": "aisha", "messages": [{"role": "user", "content": "Plan a call with Jack and note it"}]}
    app = function("openai").app
    for answer in every_kill(stage, 6, lambda: chat(body, ALICE, path="/v1/chat/completions", app=app, headers=KEY)):
        assert len(stage.search("activity")) == len(stage.search("note")) == 1, answer.text
        assert stage.conversations() == [[("user", True), ("assistant", True)]]


@pytest.mark.slow
def test_a_scan_on_demand(stage: Stage) -> None:
    scan = event("scans", "POST", "/api/ai/scans", ALICE, json.dumps({"scanType": "data_quality"}))
    scan["headers"] |= KEY
    for answer in every_kill(stage, 2, lambda: answer_of(function("scans"), scan)):
        assert len(stage.search("event")) == 1, answer.text


def post(name: str, path: str, body: Any, headers: Mapping[str, str] = KEY) -> Answer:
    return call(name, "POST", path, ALICE, json.dumps(body), headers=headers)


def voice_call(
    stage: Stage, number: int, tool: str, arguments: Mapping[str, Any], transcript: str | None
) -> dict[str, Any]:
    """Return the body of a realtime model's call in an open session, with the user's words before it."""
    session = RealtimeSession(
        f"{VOICE_SESSION}_01JD3Q8S5V0W8Y2Z6T4R9K7M1N", "conv_1", False, START + timedelta(hours=1)
    )
    if stage.services.entries.find("demo", "alice", VOICE_SESSION, session.id) is None:
        stage.services.entries.put("demo", "alice", VOICE_SESSION, session.id, session.body(), expected_version=0)
    about = {"sessionId": session.id, "callId": f"call_{number}", "name": tool, "arguments": arguments}
    return about | ({"userTranscript": transcript, "userItemId": f"item_{number}"} if transcript else {})


def relay(body: Mapping[str, Any]) -> Answer:
    """Send a voice call and return its answer; `replayed` is false, so that answers of repeated calls compare equal."""
    answer = post("realtime", "/api/ai/realtime/tools", body, {})
    return replace(answer, text=json.dumps(answer.json | {"replayed": False}))


@pytest.mark.slow
def test_a_spoken_call_that_writes(stage: Stage) -> None:
    message = "Remind me to buy flowers"
    body = voice_call(stage, 1, "stickynotes", {"action": "create", "text": "Buy flowers"}, message)
    for answer in every_kill(stage, 5, lambda: relay(body)):
        assert answer.json["status"] == "executed", answer.text
        assert stage.entries(reminders.KIND) == 1, answer.text
        assert stage.conversations() == [[("user", True), ("assistant", True)]]


@pytest.mark.slow
def test_a_spoken_yes(stage: Stage) -> None:
    delete = {"lead_id": stage.jack}
    question = relay(voice_call(stage, 1, "delete_lead", delete, "Delete Jack Russel"))
    assert question.json["status"] == "needs_confirmation", question.text
    body = voice_call(stage, 2, "delete_lead", delete, "Yes, please")
    for answer in every_kill(stage, 10, lambda: relay(body)):
        assert answer.json["status"] == "confirmed", answer.text
        assert stage.search("lead") == []
        assert stage.conversations() == [[("user", True), ("assistant", True)] * 2]


def call_jack(stage: Stage) -> dict[str, Any]:
    return {"entity_type": "lead", "entity_id": stage.jack, "title": "Call Jack", "activity_type": "call"}


@pytest.mark.slow
def test_a_suggestion_that_is_accepted(stage: Stage) -> None:
    about = EntityRef(type="lead", id=stage.jack, name="Jack Russel")
    finding = Finding(
        entity=about, kind="silent", text="Call Jack", priority=7, tool="create_activity", arguments=call_jack(stage),
        owner="alice",
    )  # fmt: skip
    save_findings(stage.services.entries, "demo", [FoundFinding(finding, "stale_leads")], "one", START)
    path = f"/api/ai/suggestions/suggestion_{stage.jack}.silent/accept"
    for answer in every_kill(stage, 1, lambda: post("suggestions", path, {})):
        assert answer.json["suggestion"]["status"] == "accepted", answer.text
        assert len(stage.search("activity")) == 1, answer.text


@pytest.mark.slow
def test_a_notification_that_is_executed(stage: Stage) -> None:
    body = {"title": "Call Jack", "callback": {"tool": "create_activity", "arguments": call_jack(stage)}}
    notification = post("notifications", "/api/ai/notifications", body, {}).json["id"]
    path = f"/api/ai/notifications/{notification}/execute"
    for answer in every_kill(stage, 1, lambda: post("notifications", path, None)):
        assert answer.json["success"], answer.text
        assert len(stage.search("activity")) == 1, answer.text


@pytest.mark.slow
def test_a_call_of_an_mcp_client_that_must_wait(stage: Stage) -> None:
    about = {"name": "delete_lead", "arguments": {"lead_id": stage.jack}}
    body = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": about}
    app = function("mcp").app
    for answer in every_kill(stage, 2, lambda: chat(body, ALICE, path="/mcp", app=app, headers=KEY)):
        heads, _ = stage.services.conversations.recent("demo", "alice", 50, None)
        assert len(heads) == 1, "one question to the user about the call"
        assert heads[0].pending is not None
        assert heads[0].pending.id in answer.text
        assert stage.conversations() == [[("user", True), ("assistant", True)]]


@pytest.mark.slow
def test_a_call_of_an_mcp_client_is_not_judged_by_its_own_words(stage: Stage) -> None:
    note = {"entity_type": "lead", "entity_id": stage.jack, "content": "Call him at +49 30 901820"}
    about = {"name": "create_note", "arguments": note}
    body = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": about}
    app = function("mcp").app
    for answer in every_kill(stage, 1, lambda: chat(body, ALICE, path="/mcp", app=app, headers=KEY)):
        assert "confirmation" not in answer.json["result"]["structuredContent"], answer.text
        assert len(stage.search("note")) == 1


@pytest.mark.slow
def test_a_turn_that_was_cut_off_shows_as_such_and_the_talk_goes_on(stage: Stage) -> None:
    stage.restart(chat_model=Moody(stage.jack))
    text = "Plan a call with Jack and note it"
    assert run_killed_at(20, lambda: in_a_fork(stage, lambda: say(text)), stage.request) is None
    assert stage.conversations() == [[("user", True), ("assistant", False)]]
    (head,), _ = stage.services.conversations.recent("demo", "alice", 1, None)
    conversation = call("conversations", "GET", f"/api/ai/conversations/{head.id}", ALICE).json
    assert [message["finished"] for message in conversation["messages"]] == [True, False]
    assert say("Are you there?", head.id, {}).status == 200
    again = say(text)
    assert again.status == 409
    assert again.headers["retry-after"] == "2"
    stage.clock.advance(LEASE_TTL)
    assert say(text).json["conversationId"] == head.id
    assert stage.conversations() == [[("user", True), ("assistant", True)] * 2]
    assert len(stage.search("activity")) == 1
