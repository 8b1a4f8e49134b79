"""Deciding about a call that waits: once, by its user alone, and exactly the call that was question about."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from aisha.api.schemas.conversations.chat import ChatResponse
from aisha.domain.crm.records import Record
from tests.fakes.aws.api_gateway import Answer, answer_of, assert_problem, call, chat, event, function
from tests.fakes.world import ALICE, BOB, RIVAL, World


def decide(confirmation_id: str, decision: object, caller: Mapping[str, str] = ALICE) -> Answer:
    body = json.dumps({"decision": decision})
    return call("confirmations", "POST", f"/api/ai/confirmations/{confirmation_id}", caller, body)


@pytest.fixture
def question(crm: dict[str, Record]) -> dict[str, Any]:
    """The chat response that asks for confirmation to delete Jack."""
    answer = chat({"message": "Delete the lead Jack Russel"}, ALICE)
    body: dict[str, Any] = answer.json
    assert body["status"] == "needs_confirmation", answer.text
    assert body["confirmation"]["tool"] == "delete_lead"
    return body


def test_nothing_happens_before_the_user_decides(
    world: World, crm: dict[str, Record], question: dict[str, Any]
) -> None:
    assert world.has("demo", crm["jack"])
    assert question["confirmation"]["isDestructive"] is True
    assert question["confirmation"]["confirmationType"] == "yes_no"
    assert "Jack Russel" in question["confirmation"]["question"]


def test_approval_runs_the_call_once(world: World, crm: dict[str, Record], question: dict[str, Any]) -> None:
    answer = decide(question["confirmation"]["id"], "approve")
    assert answer.status == 200
    response = ChatResponse.model_validate(answer.json)
    assert [(each.name, each.status) for each in response.tool_calls] == [("delete_lead", "executed")]
    assert response.conversation_id == question["conversationId"]
    assert not world.has("demo", crm["jack"])
    assert world.has("demo", crm["jane"])
    assert_problem(decide(question["confirmation"]["id"], "approve"), 410, "gone")


def test_a_decision_with_the_same_key_gets_the_same_answer(
    world: World, crm: dict[str, Record], question: dict[str, Any]
) -> None:
    url = f"/api/ai/confirmations/{question['confirmation']['id']}"
    sent = event("confirmations", "POST", url, ALICE, '{"decision": "approve"}')
    sent["headers"]["Idempotency-Key"] = "k1"
    first, second = (answer_of(function("confirmations"), sent) for _ in range(2))
    assert (first.status, second.status) == (200, 200)
    assert first.text == second.text
    assert_problem(
        answer_of(function("confirmations"), sent | {"body": '{"decision": "reject"}'}), 422, "invalid_input"
    )


def test_a_rejected_call_can_not_be_approved_later(
    world: World, crm: dict[str, Record], question: dict[str, Any]
) -> None:
    answer = decide(question["confirmation"]["id"], "reject")
    assert (answer.status, answer.json["status"], answer.json["toolCalls"]) == (200, "completed", [])
    assert_problem(decide(question["confirmation"]["id"], "approve"), 410, "gone")
    assert world.has("demo", crm["jack"])


@pytest.mark.parametrize("stranger", [BOB, RIVAL])
def test_other_users_can_not_decide(
    world: World, crm: dict[str, Record], question: dict[str, Any], stranger: dict[str, str]
) -> None:
    assert_problem(decide(question["confirmation"]["id"], "approve", stranger), 404, "not_found")
    assert world.has("demo", crm["jack"])
    assert decide(question["confirmation"]["id"], "approve").status == 200


def test_a_confirmation_expires_after_ten_minutes(
    world: World, crm: dict[str, Record], question: dict[str, Any]
) -> None:
    world.clock.advance(timedelta(minutes=10))
    assert_problem(decide(question["confirmation"]["id"], "approve"), 410, "gone")
    assert world.has("demo", crm["jack"])


@pytest.mark.parametrize("unknown", ["conf_01JD3Q9A7C5E3G1J9K7M5N3P1Q.01JD3Q9A7C5E3G1J9K7M5N3P1Q", "x", "conf_1"])
def test_an_unknown_id_is_not_found(world: World, unknown: str) -> None:
    assert_problem(decide(unknown, "approve"), 404, "not_found")


@pytest.mark.parametrize(
    ("body", "status", "code", "pointer"),
    [
        ('{"decision": "maybe"}', 422, "invalid_input", "/decision"),
        ('{"decision": true}', 422, "invalid_input", "/decision"),
        ("{}", 422, "invalid_input", "/decision"),
        ('{"decision": "approve", "choice": "Jane"}', 422, "invalid_input", "/choice"),
        ("[]", 422, "invalid_input", ""),
        ("{", 400, "malformed_request", None),
        (None, 400, "malformed_request", None),
        (json.dumps({"decision": "approve", "x": "x" * 256 * 1024}), 413, "payload_too_large", None),
    ],
)
def test_an_invalid_decision_is_refused(
    world: World,
    crm: dict[str, Record],
    question: dict[str, Any],
    body: str | None,
    status: int,
    code: str,
    pointer: str | None,
) -> None:
    url = f"/api/ai/confirmations/{question['confirmation']['id']}"
    assert_problem(call("confirmations", "POST", url, ALICE, body), status, code, pointer)
    assert world.has("demo", crm["jack"])
    assert decide(question["confirmation"]["id"], "approve").status == 200


def test_a_request_without_a_principal_is_unauthenticated(
    world: World, crm: dict[str, Record], question: dict[str, Any]
) -> None:
    assert_problem(decide(question["confirmation"]["id"], "approve", {}), 401, "unauthenticated")
    assert world.has("demo", crm["jack"])


def test_a_yes_to_a_question_that_another_one_replaces_meanwhile_runs_neither(
    world: World, crm: dict[str, Record], question: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    load, replaced = world.conversations.load, False

    def load_and_replace(*arguments: Any, **options: Any) -> Any:
        """Let another window ask about Jane, after the first look at the conversation."""
        nonlocal replaced
        session = load(*arguments, **options)
        if not replaced:
            replaced = True
            chat({"message": "Delete the lead Jane Doe", "conversationId": question["conversationId"]}, ALICE)
        return session

    monkeypatch.setattr(world.conversations, "load", load_and_replace)
    assert_problem(decide(question["confirmation"]["id"], "approve"), 410, "gone")
    assert world.has("demo", crm["jack"])
    assert world.has("demo", crm["jane"])
