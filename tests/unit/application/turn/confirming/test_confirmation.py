"""Confirmations: a call that waits for the user runs once, exactly as the user was asked about it, or never."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.dialogue.yes_no import read_decision
from aisha.application.turn.confirming.confirmation import decide_confirmation
from aisha.domain.errors import GoneError, NotFoundError
from aisha.renderers.json_response import render
from tests.fakes.models.scripted_model import ask
from tests.unit.application.conftest import World


@pytest.fixture
def ask_to_delete(world: World) -> Callable[[], dict[str, Any]]:
    def say() -> dict[str, Any]:
        lead = world.add_lead(first_name="Ann", last_name="Lee")
        return world.say("Delete Ann Lee", [ask("delete_lead", lead_id=lead.id)])

    return say


def decide(world: World, confirmation: dict[str, Any], approve: bool) -> dict[str, Any]:
    return render(decide_confirmation(confirmation["id"], world.principal, world.deps, approve=approve), "req-2")


def test_a_destructive_call_waits_and_is_asked_by_name(
    world: World, ask_to_delete: Callable[[], dict[str, Any]]
) -> None:
    answer = ask_to_delete()
    assert answer["status"] == "needs_confirmation"
    assert "Ann Lee" in answer["response"]
    assert (answer["confirmation"]["tool"], answer["confirmation"]["isDestructive"]) == ("delete_lead", True)
    assert [step["text"] for step in answer["followUps"]] == ["Yes, go ahead", "No, leave it"]
    assert answer["toolCalls"][0]["status"] == "pending"
    assert world.lead_names() == ["Ann Lee"]


def test_a_delete_is_asked_about_with_how_long_it_can_be_undone(full: World) -> None:
    lead = full.add_lead(first_name="Ann", last_name="Lee", owner="alice")
    answer = full.say("Delete Ann Lee", [ask("delete_lead", lead_id=lead.id)])
    question = "Shall I delete the lead **Ann Lee**? It can be restored for one day."
    assert answer["confirmation"]["question"] == question
    full.say("yes", conversation=answer["conversationId"])
    assert full.lead_names() == []
    full.clock.advance(timedelta(hours=23, minutes=59))
    full.say("undo that", [ask("undo_last")], "She is back.", conversation=answer["conversationId"])
    assert full.lead_names() == ["Ann Lee"]


def test_yes_runs_the_stored_call_once_without_asking_a_model(
    world: World, ask_to_delete: Callable[[], dict[str, Any]]
) -> None:
    answer = ask_to_delete()
    done = world.say("Yes, delete Ann Lee", conversation=answer["conversationId"])
    assert done["toolCalls"][0]["status"] == "executed"
    assert "Ann Lee" in done["response"]
    assert (world.lead_names(), world.model.requests, done["entities"]) == ([], [], [])
    with pytest.raises(GoneError):
        decide(world, answer["confirmation"], True)


def test_the_call_that_ran_is_kept_with_the_answer(world: World, ask_to_delete: Callable[[], dict[str, Any]]) -> None:
    answer = ask_to_delete()
    world.say("yes", conversation=answer["conversationId"])
    (call,) = world.messages(answer["conversationId"])[-1].tool_calls
    assert (call.name, call.status) == ("delete_lead", "executed")


def test_what_is_stored_in_the_place_of_the_call_that_was_shown_does_not_run(
    world: World, ask_to_delete: Callable[[], dict[str, Any]]
) -> None:
    answer = ask_to_delete()
    other = world.add_lead(first_name="Bob", last_name="Hall")
    stored = world.deps.conversations.load("demo", "alice", answer["conversationId"], 0).conversation
    assert stored.pending is not None
    forged = replace(stored, pending=replace(stored.pending, arguments={"lead_id": other.id}))
    session = world.deps.conversations.load("demo", "alice", answer["conversationId"], 50)
    world.deps.conversations.finish(session, forged, session.messages[-1])
    done = world.say("yes", conversation=answer["conversationId"])
    assert "not what you were asked about" in done["response"]
    assert world.lead_names() == ["Ann Lee", "Bob Hall"]


def test_no_drops_it(world: World, ask_to_delete: Callable[[], dict[str, Any]]) -> None:
    answer = ask_to_delete()
    world.say("no, keep her", conversation=answer["conversationId"])
    world.say("yes", "Yes to what?", conversation=answer["conversationId"])
    assert world.lead_names() == ["Ann Lee"]


def test_after_a_reply_that_asks_something_itself_only_the_button_confirms(
    world: World, ask_to_delete: Callable[[], dict[str, Any]]
) -> None:
    answer = ask_to_delete()
    world.say("What time is it?", "Nine. Shall I set an alarm?", conversation=answer["conversationId"])
    world.say("yes", "Which alarm?", conversation=answer["conversationId"])
    assert world.lead_names() == ["Ann Lee"]
    assert decide(world, answer["confirmation"], True)["toolCalls"][0]["status"] == "executed"
    assert world.lead_names() == []


def test_a_yes_after_ten_minutes_changes_nothing(world: World, ask_to_delete: Callable[[], dict[str, Any]]) -> None:
    answer = ask_to_delete()
    world.clock.advance(timedelta(minutes=10))
    late = world.say("yes", conversation=answer["conversationId"])
    assert "expired" in late["response"]
    assert world.lead_names() == ["Ann Lee"]


def test_a_confirmation_can_be_rejected_by_its_id_and_by_its_user_alone(
    world: World, ask_to_delete: Callable[[], dict[str, Any]]
) -> None:
    answer = ask_to_delete()
    world.principal = replace(world.principal, user="bob")
    with pytest.raises(NotFoundError):
        decide(world, answer["confirmation"], True)
    with pytest.raises(NotFoundError):
        decide(world, {"id": "conf_nonsense"}, True)
    world.principal = replace(world.principal, user="alice")
    assert decide(world, answer["confirmation"], False)["toolCalls"] == []
    assert world.lead_names() == ["Ann Lee"]
    question, reply = world.messages(answer["conversationId"])[2:]
    assert (question.role, reply.finished) == ("user", True)


def test_rights_are_checked_again_when_it_runs(world: World, ask_to_delete: Callable[[], dict[str, Any]]) -> None:
    answer = ask_to_delete()
    world.principal = replace(world.principal, modules=frozenset())
    done = decide(world, answer["confirmation"], True)
    assert done["toolCalls"][0]["status"] == "rejected"
    assert world.lead_names() == ["Ann Lee"]


def test_more_than_ten_records_in_one_call_wait(world: World) -> None:
    items = [{"last_name": f"L{n}"} for n in range(11)]
    answer = world.say("Add 11", [ask("add_leads", items=items)])
    assert (answer["status"], world.lead_names()) == ("needs_confirmation", [])
    world.say("yes", conversation=answer["conversationId"])
    assert len(world.lead_names()) == 11


def test_the_duration_of_a_confirmed_call_is_reported(world: World) -> None:
    answer = world.say("Add 50", [ask("add_leads", items=[{"last_name": f"L{n}"} for n in range(50)])])
    done = world.say("yes", conversation=answer["conversationId"])
    assert done["timing"]["toolsMs"] == pytest.approx(done["toolCalls"][0]["durationMs"], abs=0.1)
    assert done["timing"]["toolsMs"] > 0


def test_more_than_ten_records_in_many_calls_are_sent_back_as_a_whole(world: World) -> None:
    calls = [ask("add_lead", f"c_{n}", last_name=f"L{n}") for n in range(11)]
    answer = world.say("Add 11", calls, "I'll do that in one go.")
    assert {call["error"]["code"] for call in answer["toolCalls"]} == {"conflict"}
    assert world.lead_names() == []


@pytest.mark.parametrize(
    "text", ["yes", "Yes, please!", "ok go ahead", "sure, delete Ann Lee", "do it", "Yep 👍", "ja"]
)
def test_words_that_mean_yes(text: str) -> None:
    assert read_decision(text, "Shall I delete the lead **Ann Lee**?") is True


@pytest.mark.parametrize("text", ["no", "No thanks", "don't", "cancel that", "nope, keep her", "please stop"])
def test_words_that_mean_no(text: str) -> None:
    assert read_decision(text, "Shall I delete the lead **Ann Lee**?") is False


@pytest.mark.parametrize(
    "text", ["yes but John", "delete John too", "what would happen?", "yes and no", "", "Tell me more"]
)
def test_words_that_decide_nothing(text: str) -> None:
    assert read_decision(text, "Shall I delete the lead **Ann Lee**?") is None
