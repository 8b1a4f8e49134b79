"""A question that waits is dropped by a clear no or a new order alone, and the reply says so."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.requests.chat_request import ChatRequest
from aisha.application.turn.confirming.waiting import with_rest
from aisha.application.turn.load import load_turn
from aisha.domain.crm.records import Lead
from tests.fakes.models.scripted_model import ask
from tests.unit.application.conftest import World

QUESTION = "shall I delete the lead **Ann Lee**?"


@pytest.fixture
def ann(world: World) -> Lead:
    return world.add_lead(first_name="Ann", last_name="Lee")


@pytest.fixture
def question_turn(world: World, ann: Lead) -> dict[str, Any]:
    return world.say("Delete Ann Lee", [ask("delete_lead", lead_id=ann.id)])


@pytest.mark.parametrize("text", ["hold on", "not yet", "wait", "maybe, let me think"])
def test_a_delay_keeps_it_waiting_and_says_so(world: World, question_turn: dict[str, Any], text: str) -> None:
    conversation = question_turn["conversationId"]
    waits = world.say(text, conversation=conversation)
    assert waits["response"] == f"All right, I'll wait. When you are ready: {QUESTION}"
    assert (waits["status"], waits["confirmation"]["id"]) == ("needs_confirmation", question_turn["confirmation"]["id"])
    assert [step["text"] for step in waits["followUps"]] == ["Yes, go ahead", "No, leave it"]
    assert (world.lead_names(), world.model.requests) == (["Ann Lee"], [])
    world.say("yes", conversation=conversation)
    assert world.lead_names() == []


def test_a_question_in_between_is_answered_and_the_call_keeps_waiting(
    world: World, question_turn: dict[str, Any]
) -> None:
    conversation = question_turn["conversationId"]
    reply = world.say("What time is it?", "Nine.", conversation=conversation)
    assert reply["response"] == f"Nine.\n\nI'm still waiting for your answer: {QUESTION}"
    assert reply["status"] == "needs_confirmation"
    assert world.say("ok, delete her", conversation=conversation)["response"] == "Done, I deleted the lead Ann Lee."
    assert world.lead_names() == []


def test_a_no_after_a_question_in_between_drops_it(world: World, question_turn: dict[str, Any]) -> None:
    world.say("What time is it?", "Nine.", conversation=question_turn["conversationId"])
    world.say("no, keep her", conversation=question_turn["conversationId"])
    world.say("yes", "Yes to what?", conversation=question_turn["conversationId"])
    assert world.lead_names() == ["Ann Lee"]


def test_a_no_with_more_to_it_is_not_asked_again(world: World, question_turn: dict[str, Any]) -> None:
    reply = world.say("No, tell me the time first", "Nine.", conversation=question_turn["conversationId"])
    assert (reply["response"], reply["status"]) == ("Nine.", "completed")


def test_a_new_order_drops_a_deletion_and_says_so(world: World, question_turn: dict[str, Any]) -> None:
    conversation = question_turn["conversationId"]
    reply = world.say("Add Bob Hall", [ask("add_lead", last_name="Hall")], "I added Hall.", conversation=conversation)
    assert reply["response"] == "I added Hall.\n\nI left the lead Ann Lee as it is."
    world.say("yes", "Yes to what?", conversation=conversation)
    assert world.lead_names() == ["Ann Lee", "Hall"]


def test_a_question_about_another_record_replaces_it_and_says_so(world: World, question_turn: dict[str, Any]) -> None:
    conversation, bob = question_turn["conversationId"], world.add_lead(first_name="Bob", last_name="Hall")
    reply = world.say("Delete Bob Hall instead", [ask("delete_lead", lead_id=bob.id)], conversation=conversation)
    question = "Shall I delete the lead **Bob Hall**? It can be restored for one day."
    assert reply["response"] == f"I left the lead Ann Lee as it is.\n\n{question}"
    world.say("yes", conversation=conversation)
    assert world.lead_names() == ["Ann Lee"]


def test_the_same_order_again_only_asks_again(world: World, ann: Lead, question_turn: dict[str, Any]) -> None:
    again = world.say(
        "Delete her now", [ask("delete_lead", lead_id=ann.id)], conversation=question_turn["conversationId"]
    )
    assert again["response"] == question_turn["response"]


def test_an_order_for_the_same_record_says_that_it_was_not_deleted(full: World) -> None:
    lead = full.add_lead(first_name="Ann", last_name="Lee", owner="alice")
    question_turn = full.say("Delete Ann Lee", [ask("delete_lead", lead_id=lead.id)])
    change = [ask("update_lead", lead_id=lead.id, status="lost")]
    reply = full.say("Mark her as lost instead", change, "She is lost.", conversation=question_turn["conversationId"])
    assert reply["response"] == "She is lost.\n\nI did not delete the lead Ann Lee."


def test_a_new_order_says_what_was_asked_about_and_is_not_done(world: World) -> None:
    doubtful = replace(ask("add_lead", last_name="Hall"), doubt="I'm not sure I understood you")
    question_turn = world.say("Hall it is", [doubtful])
    order = [ask("add_lead", last_name="Stone")]
    reply = world.say("Add Stone", order, "I added Stone.", conversation=question_turn["conversationId"])
    assert (reply["response"], world.lead_names()) == ("I added Stone.\n\nI did not add the lead Hall.", ["Stone"])


def test_a_dropped_question_cannot_be_confirmed_any_more_and_is_in_the_audit_log(
    world: World, question_turn: dict[str, Any]
) -> None:
    order = [ask("add_lead", last_name="Hall")]
    world.say("Add Hall", order, "I added Hall.", conversation=question_turn["conversationId"])
    audit = world.deps.ports.audit
    assert audit is not None
    statuses = [entry.status for entry in audit.log.page("demo", limit=20) if entry.tool == "delete_lead"]
    assert sorted(statuses) == ["pending", "rejected"]


def test_an_expired_question_is_not_repeated(world: World, question_turn: dict[str, Any]) -> None:
    world.clock.advance(timedelta(minutes=10))
    assert "expired" in world.say("hold on", conversation=question_turn["conversationId"])["response"]
    reply = world.say("What time is it?", "Nine.", conversation=question_turn["conversationId"])
    assert (reply["response"], reply["status"]) == ("Nine.", "completed")


def test_why_many_records_were_asked_about(world: World) -> None:
    question_turn = world.say("Add 11", [ask("add_leads", items=[{"last_name": f"L{n}"} for n in range(11)])])
    explanation = world.say("why did you ask?", conversation=question_turn["conversationId"])
    assert explanation["response"].startswith("I asked because it would change many records: ")
    assert explanation["confirmation"]["id"] == question_turn["confirmation"]["id"]


def test_after_the_expiry_there_is_a_reason_and_no_question(world: World, question_turn: dict[str, Any]) -> None:
    world.clock.advance(timedelta(minutes=10))
    explanation = world.say("why did you ask?", conversation=question_turn["conversationId"])
    assert explanation["response"].startswith("I asked because ")
    assert ("Shall I" in explanation["response"], explanation["status"]) == (False, "completed")


def test_a_call_that_does_not_exist_drops_no_question(world: World, question_turn: dict[str, Any]) -> None:
    reply = world.say("Sing", [ask("sing")], "I can't.", conversation=question_turn["conversationId"])
    assert reply["response"] == f"I can't.\n\nI'm still waiting for your answer: {QUESTION}"


def test_of_several_orders_one_for_the_same_record_says_that_it_was_not_deleted(full: World) -> None:
    lead = full.add_lead(first_name="Ann", last_name="Lee", owner="alice")
    other = full.add_lead(first_name="Bob", last_name="Hall", owner="alice")
    question_turn = full.say("Delete Ann Lee", [ask("delete_lead", lead_id=lead.id)])
    changes = [ask("update_lead", one.id, lead_id=one.id, status="lost") for one in (other, lead)]
    order = "Mark Bob Hall as lost and mark Ann Lee as lost"
    reply = full.say(order, changes, "Both are lost.", conversation=question_turn["conversationId"])
    assert reply["response"] == "Both are lost.\n\nI did not delete the lead Ann Lee."


@pytest.mark.parametrize(
    ("postponed", "rest"),
    [(["and mark Bob as lost"], "and mark Bob as lost"), (["send him everything"], ""), ([], "")],
)
def test_a_question_keeps_the_rest_of_the_message_in_the_users_words_with_all_of_it(
    world: World, question_turn: dict[str, Any], postponed: list[str], rest: str
) -> None:
    message = "Delete Ann Lee and mark Bob as lost if he does not call"
    conversation = world.deps.conversations.load("demo", "alice", question_turn["conversationId"], 9).conversation
    assert conversation.pending is not None
    question = with_rest(
        load_turn(ChatRequest(message=message), world.principal, world.deps).input, conversation.pending, postponed
    )
    assert (question.rest, question.message) == (rest, message if rest else "")


def test_an_order_on_several_records_takes_its_place(full: World) -> None:
    lead = full.add_lead(first_name="Ann", last_name="Lee", owner="alice")
    other = full.add_lead(first_name="Bob", last_name="Hall", owner="alice")
    question_turn = full.say("Delete Ann Lee", [ask("delete_lead", lead_id=lead.id)])
    draft = {"entity_type": "lead", "entity_id": other.id, "activity_type": "call", "title": "Call"}
    call = ask("bulk_create_activities", items=[draft])
    reply = full.say("Plan a call with Bob Hall", [call], "Planned.", conversation=question_turn["conversationId"])
    assert "I left the lead Ann Lee as it is." in reply["response"]
