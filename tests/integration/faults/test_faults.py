"""Faults of clients, clocks and stores: repeated requests, wrong times, dependencies that do not answer.

Killed processes are in `test_kills.py`, faults of model providers in `test_providers.py`. The table
`tests/requirements/faults.toml` names the tests of each fault.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest

from aisha.adapters.issues.github import GitHubIssueTracker
from aisha.application.idempotency.keys import LEASE_TTL
from aisha.application.tooling.context import make_context
from aisha.application.tooling.gate.execution import execute_gated
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.crm.records import Record
from aisha.domain.errors import AishaError, UnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import (
    ALL_MODULES,
    Answer,
    answer_of,
    assert_problem,
    chat,
    event,
    function,
    operations,
)
from tests.fakes.models.scripted_model import ask
from tests.fakes.world import ALICE, BOB, World

KEY = {"idempotency-key": "5f0a3b52-8c8c-4f7c-9a9d-0a3c1f7d2b11"}
STREAM = {"accept": "text/event-stream"}
NOTE = "Create a note for Jack Russel: likes sailing"
Send = Callable[[str, Mapping[str, str]], Answer]


def to_chat(text: str, headers: Mapping[str, str]) -> Answer:
    return chat({"message": text}, ALICE, headers=headers)


def to_chat_stream(text: str, headers: Mapping[str, str]) -> Answer:
    return chat({"message": text}, ALICE, headers={**headers, **STREAM})


def to_flow_chat(text: str, headers: Mapping[str, str]) -> Answer:
    return chat({"message": text}, ALICE, path="/api/ai/flow-chat", app=function("flow_chat").app, headers=headers)


def to_flow_stream(text: str, headers: Mapping[str, str]) -> Answer:
    return to_flow_chat(text, {**headers, **STREAM})


def to_openai(text: str, headers: Mapping[str, str], **more: Any) -> Answer:
    body = {"model": "aisha", "messages": [{"role": "user", "content": text}], **more}
    return chat(body, ALICE, path="/v1/chat/completions", app=function("openai").app, headers=headers)


def to_openai_stream(text: str, headers: Mapping[str, str]) -> Answer:
    return to_openai(text, headers, stream=True)


DOORS = [to_chat, to_chat_stream, to_flow_chat, to_flow_stream, to_openai, to_openai_stream]


def notes(world: World) -> list[Record]:
    return world.records.search("demo", RecordQuery("note")).items


def message_counts(world: World) -> list[int]:
    """Return the number of messages of each of Alice's conversations."""
    heads, _ = world.conversations.recent("demo", "alice", 50, None)
    return [len(world.conversations.messages("demo", "alice", head.id, 50, None)[0]) for head in heads]


class Writing:
    """A model that writes a note and says so.

    Its answer waits until `free` is set. Each call after the note first raises one of `failures`.
    """

    def __init__(self, jack: str) -> None:
        self._jack, self.called = jack, threading.Event()
        self.free = threading.Event()
        self.free.set()
        self.failures: list[AishaError] = []

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        if request.capability != "chat_tools" or request.json_mode:
            raise UnavailableError("This model only chats.")
        self.called.set()
        assert self.free.wait(20)
        if not any(message.role == "tool" for message in request.messages):
            note = ask("create_note", entity_type="lead", entity_id=self._jack, content="Likes sailing")
            yield ModelFinished("writing", "writing-1", (note,))
            return
        if self.failures:
            raise self.failures.pop()
        yield TextChunk("Noted.")
        yield ModelFinished("writing", "writing-1")


@pytest.fixture
def model(world: World, crm: dict[str, Record]) -> Writing:
    writing = Writing(crm["jack"].id)
    world.use(chat_model=writing)
    return writing


# --- the same request again


@pytest.mark.parametrize("send", DOORS)
def test_the_same_request_runs_once_and_is_answered_the_same(world: World, crm: dict[str, Record], send: Send) -> None:
    first = send("Show me my warm leads", KEY)
    assert "Jack Russel" in first.text
    again = send("Show me my warm leads", KEY)
    assert (again.status, again.text) == (first.status, first.text)
    assert again.headers["content-type"] == first.headers["content-type"]
    assert (again.headers["idempotent-replayed"], first.headers.get("idempotent-replayed")) == ("true", None)
    assert message_counts(world) == [2]


@pytest.mark.parametrize("send", DOORS)
def test_a_key_is_for_one_request(world: World, crm: dict[str, Record], send: Send) -> None:
    send("Show me my warm leads", KEY)
    refused = send("Delete all my leads", KEY)
    # OpenAI's API refuses what is invalid with status 400.
    status = 400 if send in (to_openai, to_openai_stream) else 422
    assert (refused.status, refused.json["code"]) == (status, "invalid_input")
    assert message_counts(world) == [2]


def test_a_key_is_of_one_user(world: World, crm: dict[str, Record]) -> None:
    assert to_chat("Hello", KEY).status == 200
    assert chat({"message": "Show me my leads"}, BOB, headers=KEY).headers.get("idempotent-replayed") is None


@pytest.mark.parametrize("send", [to_chat, to_chat_stream, to_openai, to_openai_stream])
def test_while_the_first_runs_the_same_request_gets_a_409(world: World, model: Writing, send: Send) -> None:
    model.free.clear()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(send, NOTE, KEY)
        assert model.called.wait(20)
        second = send(NOTE, KEY)
        model.free.set()
        done = first.result()
    assert (second.status, second.json["code"], second.json["retryable"]) == (409, "in_progress", True)
    assert int(second.headers["retry-after"]) > 0
    assert second.headers.get("x-should-retry") != "false"
    assert send(NOTE, KEY).text == done.text
    assert len(notes(world)) == 1


@pytest.mark.parametrize("send", [to_chat, to_chat_stream, to_openai, to_openai_stream])
def test_a_turn_that_failed_after_it_wrote_goes_on_and_writes_nothing_twice(
    world: World, model: Writing, send: Send
) -> None:
    model.failures = [UnavailableError("The provider went away.")]
    failed = send(NOTE, KEY)
    assert "The provider went away." in failed.text
    assert len(notes(world)) == 1
    (head,), _ = world.conversations.recent("demo", "alice", 1, None)
    assert world.conversations.load("demo", "alice", head.id, 1).messages[0].finished is False
    again = send(NOTE, KEY)
    assert again.status == 200
    assert "Noted." in again.text
    assert len(notes(world)) == 1
    assert message_counts(world) == [2]


def test_a_confirmed_write_is_audited_once_however_often_its_answer_is_cut_off(
    world: World, crm: dict[str, Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the write and before the answer is stored; the client sends the yes again."""
    question = to_chat("Delete the lead Jack Russel", {}).json
    yes = {"message": "yes", "conversationId": question["conversationId"]}
    finish, cuts = type(world.conversations).finish, iter([1, 2])

    def cut_off(*args: Any) -> Any:
        if next(cuts, None):
            raise UnavailableError("The answer can't be stored.")
        return finish(*args)

    monkeypatch.setattr(type(world.conversations), "finish", cut_off)
    assert chat(yes, ALICE, headers=KEY).status == 503
    assert not world.has("demo", crm["jack"])
    assert chat(yes, ALICE, headers=KEY).status == 200
    entries = [one for one in world.audit.page("demo", 50) if one.tool == "delete_lead"]
    assert sorted(entry.status for entry in entries) == ["executed", "intended", "pending"]
    (intended, executed) = sorted((one for one in entries if one.status != "pending"), key=lambda one: one.sequence)
    assert executed.intent == intended.id


def test_a_turn_whose_time_is_up_ends_in_an_error_and_can_be_resumed(world: World, model: Writing) -> None:
    assert read_settings({}).turn_seconds < 29, "API Gateway gives up then"
    world.use(settings=read_settings({"AISHA_TURN_SECONDS": "0.000001"}))
    assert_problem(to_chat(NOTE, KEY), 504, "deadline_exceeded")
    assert "error" in to_chat_stream(NOTE, {}).text
    world.use(settings=read_settings({}))
    assert to_chat(NOTE, KEY).json["response"] == "Noted."
    assert len(notes(world)) == 1


def test_every_function_that_writes_honours_the_key(world: World, crm: dict[str, Record]) -> None:
    brief = event("preferences", "POST", "/api/ai/mode/brief", ALICE)
    brief["headers"] |= KEY
    first, again = (answer_of(function("preferences"), brief) for _ in range(2))
    assert (first.status, again.text) == (200, first.text)
    assert again.headers["idempotent-replayed"] == "true"
    coach = event("preferences", "POST", "/api/ai/mode/coach", ALICE)
    coach["headers"] |= KEY
    assert_problem(answer_of(function("preferences"), coach), 422, "invalid_input")
    reads = {"createEmbedding", "singleTurn", "suggest", "speak", "recommendNextStep"}
    names = ["analytics", "confirmations", "flow_chat", "chat", "preferences", "notifications", "openai", "realtime"]
    for name in [*names, "scans", "suggestions", "mcp"]:
        lacking = {post.id for post in operations(name) if post.method == "POST" and not post.idempotent}
        assert lacking <= reads, name


def test_a_tool_that_looks_before_it_writes_finds_its_own_write_done(world: World, crm: dict[str, Record]) -> None:
    alice = Principal("demo", "alice", modules=frozenset(ALL_MODULES))

    def run(*, is_repeated: bool) -> ToolCall:
        context = make_context(alice, world.services.tool_ports, "msg_1.0", is_repeated=is_repeated)
        call = world.services.tools.create_call("convert_lead", {"lead_id": crm["jack"].id}, context, "call_1")
        execute_gated(call, alice, is_confirmed=True)
        return call

    first, again, other = run(is_repeated=False), run(is_repeated=True), run(is_repeated=False)
    assert (first.result.status, again.result.value) == ("executed", first.result.value)
    assert other.result.status == "failed"


# --- a client that connects anew


def send_ui_message(text: str = NOTE, message: str = "m1", trigger: str = "submit-message", **more: Any) -> Answer:
    sent = {"id": message, "role": "user", "parts": [{"type": "text", "text": text}]}
    return chat({"id": "chat-1", "messages": [sent], "trigger": trigger, **more}, ALICE)


def test_a_ui_client_that_posts_its_message_again_runs_nothing_again(world: World, model: Writing) -> None:
    first = send_ui_message()
    assert send_ui_message().text == first.text
    assert len(notes(world)) == 1
    assert send_ui_message(message="m2").text != first.text, "another message of the same words"
    assert len(notes(world)) == 2


def test_a_ui_client_that_asks_for_another_answer_gets_one(world: World, model: Writing) -> None:
    send_ui_message()
    assert send_ui_message(trigger="regenerate-message").headers.get("idempotent-replayed") is None
    assert message_counts(world) == [4]
    assert len(notes(world)) == 1


def test_what_was_cut_off_is_finished_when_a_ui_client_asks_anew(world: World, model: Writing) -> None:
    model.failures = [UnavailableError("The provider went away.")]
    assert "went away" in send_ui_message().text
    assert "Noted." in send_ui_message(trigger="regenerate-message").text
    assert len(notes(world)) == 1
    assert message_counts(world) == [2]


def test_data_that_was_asked_for_makes_it_another_request(world: World, crm: dict[str, Record]) -> None:
    first = send_ui_message("Hello")
    assert send_ui_message("Hello", attachedData={"CART": {"items": 1}}).headers.get("idempotent-replayed") is None
    assert send_ui_message("Hello").text == first.text


# --- clocks, and items that outlive their time


@pytest.mark.parametrize("minutes", [-5, 5])
def test_a_confirmation_ends_by_its_own_time_whatever_a_clock_says(
    world: World, crm: dict[str, Record], minutes: int
) -> None:
    """The clocks of the process that asks and of the one that gets the yes may differ by five minutes."""
    question = to_chat("Delete the lead Jack Russel", {}).json
    ends = datetime.fromisoformat(question["confirmation"]["expiresAt"])
    world.clock.advance(timedelta(minutes=10 + minutes))
    answer = chat({"message": "yes", "conversationId": question["conversationId"]}, ALICE)
    is_late = minutes > 0
    assert world.has("demo", crm["jack"]) is is_late
    assert ("expired" in answer.json["response"]) is is_late
    assert (world.clock.now() >= ends) is is_late


def test_an_expired_key_that_was_not_deleted_yet_counts_no_longer(world: World, crm: dict[str, Record]) -> None:
    to_chat("Show me my warm leads", KEY)
    world.clock.advance(timedelta(hours=24))
    assert to_chat("Show me my warm leads", KEY).headers.get("idempotent-replayed") is None


# --- stores that do not answer


def fail(*_: Any, **__: Any) -> Any:
    raise UnavailableError("The store does not answer.")


class NoSecrets:
    """A store of secrets that does not answer."""

    def get(self, name: str) -> str:
        raise UnavailableError(f"The store of secrets did not answer about {name}.")


def test_without_its_secrets_what_leaves_the_crm_is_refused_and_reads_are_answered(
    world: World, crm: dict[str, Record]
) -> None:
    world.use(issue_tracker=GitHubIssueTracker("http://127.0.0.1:9", "abc/crm", NoSecrets()))
    question = to_chat("file a bug: the export button does nothing", {}).json
    assert question["status"] == "needs_confirmation"
    done = chat({"message": "yes", "conversationId": question["conversationId"]}, ALICE).json
    assert [(call["status"], call["error"]["code"]) for call in done["toolCalls"]] == [("failed", "unavailable")]
    assert "Jack Russel" in to_chat("Show me my warm leads", {}).json["response"]


def test_without_the_audit_log_writes_are_refused_and_reads_answered(
    world: World, model: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world.audit, "append", fail)
    answer = to_chat(NOTE, {}).json
    assert [(call["status"], call["error"]["code"]) for call in answer["toolCalls"]] == [("failed", "unavailable")]
    assert notes(world) == []


@pytest.mark.parametrize("send", [to_chat, to_chat_stream, to_flow_chat, to_openai])
def test_while_nothing_can_be_written_a_turn_that_reads_is_answered(
    world: World, crm: dict[str, Record], monkeypatch: pytest.MonkeyPatch, send: Send
) -> None:
    def unavailable(*_: object, **__: object) -> Any:
        raise UnavailableError("The record store does not answer right now.")

    world.use()
    stores = [(world.conversations, "begin"), (world.conversations, "finish"), (world.entries, "put")]
    for store, name in [*stores, (world.records, "write"), (world.audit, "append")]:
        monkeypatch.setattr(store, name, unavailable)
    answer = send("Which company does Jack Russel work for?", {})
    assert answer.status == 200, answer.text
    assert "ABC Corp" in answer.text
    refused = send(NOTE, {})
    assert notes(world) == []
    assert refused.status in (200, 503)
    assert "right now" in refused.text


def test_a_conversation_that_could_not_be_stored_goes_on_when_it_can(
    world: World, crm: dict[str, Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    world.use()
    with monkeypatch.context() as patch:
        patch.setattr(world.conversations, "begin", fail)
        first = to_chat("Which company does Jack Russel work for?", {}).json
        assert any("You can go on here" in warning for warning in first["warnings"])
        going_on = {"message": "Who is Jack Russel?", "conversationId": first["conversationId"]}
        second = chat(going_on, ALICE).json
    assert second["conversationId"] == first["conversationId"]
    third = chat(going_on, ALICE)
    assert (third.status, third.json["conversationId"], third.json["warnings"]) == (200, first["conversationId"], [])
    fourth = chat({"message": "and his email?", "conversationId": first["conversationId"]}, ALICE).json
    assert "Jack Russel" in json.dumps(fourth)


def test_an_id_that_was_given_to_nobody_or_somebody_else_begins_no_conversation(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.use()
    with monkeypatch.context() as patch:
        patch.setattr(world.conversations, "begin", fail)
        conversation_id = to_chat("Who is Jack Russel?", {}).json["conversationId"]
    for conversation, token in (
        (conversation_id, BOB),
        (f"{conversation_id[:-1]}{'0' if conversation_id[-1] != '0' else '1'}", ALICE),
    ):
        assert_problem(chat({"message": "Hi", "conversationId": conversation}, token), 404, "not_found")


def test_without_the_store_of_keys_nothing_runs(world: World, model: Writing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world.entries, "find", fail)
    assert_problem(to_chat(NOTE, KEY), 503, "unavailable")
    assert (notes(world), model.called.is_set()) == ([], False)


def test_a_model_answer_that_can_not_be_kept_is_not_acted_upon(
    world: World, model: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = world.entries.put

    def put_no_journal(tenant: str, owner: str | None, kind: str, *rest: Any, **more: Any) -> Any:
        return fail() if kind == "turn_journal" else put(tenant, owner, kind, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(world.entries, "put", put_no_journal)
        assert_problem(to_chat(NOTE, KEY), 503, "unavailable")
        assert notes(world) == []
    assert to_chat(NOTE, KEY).status == 200
    assert len(notes(world)) == 1


def test_an_answer_that_can_not_be_kept_is_given_all_the_same(
    world: World, model: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("aisha.application.idempotency.keys.IdempotencyKeys.keep", fail)
        assert to_chat(NOTE, KEY).status == 200
    assert to_chat(NOTE, KEY).status == 409
    world.clock.advance(LEASE_TTL)
    assert json.loads(to_chat(NOTE, KEY).text)["response"] == "Noted."
    assert len(notes(world)) == 1
