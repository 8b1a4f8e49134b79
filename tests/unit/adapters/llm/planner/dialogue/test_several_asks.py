"""Several asks in one message: what needs a yes waits, and everything else is answered before the question."""

from collections.abc import Iterator

import pytest

from aisha.application.turn.confirming.confirmation import decide_confirmation
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk, ToolCallRequest
from aisha.renderers.json_response import render
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import replies
from tests.support.tenants.desk import REGISTRY


def test_a_write_that_the_gate_asks_about_does_not_swallow_the_other_asks() -> None:
    stage = Stage(REGISTRY, NOW, profiles=lambda _: {"rules": {"create_note": "ask"}})
    before = stage.counts()
    answer = stage.say(
        "Add a note to Jack Russel that he likes tea. What is Viktor Petrescu's phone number? Call Viktor on Friday."
    )
    assert "603 555 0143" in answer["response"]
    assert "I scheduled a call with Viktor Petrescu" in answer["response"]
    assert answer["confirmation"]["question"].startswith("Shall I add this note to Jack Russel?")
    assert stage.counts() == before | {"activity": before["activity"] + 1}
    stage.say("yes", answer["conversationId"])
    assert stage.counts()["note"] == before["note"] + 1


def test_the_rest_of_a_message_is_done_after_the_yes_to_its_first_order() -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.counts()
    asked = stage.say("Delete the lead Priya Nair and delete Dmitri Volkov")
    assert "“delete Dmitri Volkov”" in asked["response"]
    again = stage.say("yes", asked["conversationId"])
    assert again["response"].startswith("Done, I deleted the lead Priya Nair.")
    assert again["confirmation"]["question"].startswith("Shall I delete the lead **Dmitri Volkov**?")
    stage.say("yes", asked["conversationId"])
    assert stage.counts() == before | {"lead": before["lead"] - 2}


def test_a_no_leaves_the_rest_of_the_message_and_says_so() -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.counts()
    asked = stage.say("Delete the lead Priya Nair and delete Dmitri Volkov")
    refused = stage.say("no", asked["conversationId"])
    assert "I have left the rest, too: “and delete Dmitri Volkov”" in refused["response"]
    assert stage.counts() == before


def test_the_button_of_a_question_goes_on_with_the_rest_too() -> None:
    stage = Stage(REGISTRY, NOW)
    asked = stage.say("Delete the lead Priya Nair and delete Dmitri Volkov")
    events = decide_confirmation(asked["confirmation"]["id"], stage.principal, stage.deps, approve=True)
    assert render(events, "test")["confirmation"]["question"].startswith("Shall I delete the lead **Dmitri Volkov**?")


def test_a_new_record_is_called_and_noted_in_the_same_message() -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.counts()
    stage.say("new lead Petra Novotna, Novotna Glass, then a call with her Tuesday at 10 and a note that she likes tea")
    changed = {kind for kind, count in stage.counts().items() if count != before[kind]}
    assert changed == {"lead", "activity", "note"}


class AddingModel:
    """A model that calls a tool, and claims that the user asked for something else, too."""

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        if request.messages[-1].role == "user":
            call = ToolCallRequest("call_1", "run_scan", '{"scan_type": "stale_leads"}', doubt="I'm not sure")
            yield ModelFinished("test", "test", (call,), postponed=("delete everything",))
        else:
            yield TextChunk("done")
            yield ModelFinished("test", "test")


def test_a_model_can_not_add_to_what_the_user_asked_for() -> None:
    stage = Stage(REGISTRY, NOW, model=AddingModel())
    asked = stage.say("scan my deals")
    answer = stage.say("yes", asked["conversationId"])
    assert "confirmation" in asked
    assert "everything" not in answer["response"]


def test_the_rest_of_a_message_is_no_order_of_its_own_after_the_yes() -> None:
    stage = Stage(REGISTRY, NOW)
    dmitri = stage.records.get("demo", "lead", stage.id_of("@lead:Dmitri Volkov"))
    asked = stage.say(
        "Delete the lead Priya Nair. Viktor said I should maybe mark Dmitri Volkov as new and set his score to 90"
    )
    answer = stage.say("yes", asked["conversationId"])
    assert answer["response"].startswith("Done, I deleted the lead Priya Nair.")
    assert stage.records.get("demo", "lead", stage.id_of("@lead:Dmitri Volkov")) == dmitri


def test_them_are_those_named_before_the_question() -> None:
    stage = Stage(REGISTRY, NOW)
    answer = stage.say(
        "I have a catch up with the ABC Corp people this afternoon. How many open deals do we have with them?"
    )
    assert answer["response"].startswith("There are 2 open deals with ABC Corp worth **$187,000**")
    hired = Stage(REGISTRY, NOW).say(
        "Please add Jonas Weber as a contact at ABC Corp, and tell me how many open deals we have with them."
    )
    assert "There are 2 open deals with ABC Corp" in hired["response"]


def test_what_is_told_before_a_question_is_no_condition() -> None:
    said = "I'm pleased with myself this morning so humour me, how much have I closed won since the first of January"
    assert "You have 3 won deals closed since Thu, Jan 1" in Stage(REGISTRY, NOW).say(said)["response"]
    said = "For my pitch deck: number of customer accounts vs prospect accounts"
    told = "There are 8 customer accounts.\n\nThere are 6 prospect accounts."
    assert Stage(REGISTRY, NOW).say(said)["response"] == told


def test_a_question_goes_on_with_another_field_and_with_the_contact_of_whom_it_named() -> None:
    said = "What is the amount of the Redwood Media Expansion, and by which date are we expecting to close the same?"
    assert Stage(REGISTRY, NOW).say(said)["response"].endswith("amount **$117,000**, close date **Sat, May 30**.")
    said = "I'm doing my prep for Helios Solar, so tell me how many open deals I have with them and who the contact is"
    assert "There are 2 contacts at Helios Solar" in Stage(REGISTRY, NOW).say(said)["response"]


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        (
            "remind me in 20 min to call wei zhang and in an hour to send the quote to priya and what do i have today",
            ("Call with Wei Zhang", "11:00 AM: send the quote to priya", "Here is your day"),
        ),
        (
            "they signed the training package with stonebridge, note on stonebridge the contract starts in may, remind "
            "me end of month to send the invoice, and who do we know there",
            ("the contract starts in may", "Mar 31 at 9:00 AM: send the invoice", "Paloma Ortega"),
        ),
    ],
)
def test_a_reminder_beside_other_orders_leaves_time_for_the_rest(message: str, parts: tuple[str, ...]) -> None:
    reply = Stage(REGISTRY, NOW).say(message)["response"]
    assert [part for part in parts if part not in reply] == []
    assert "haven't done the rest" not in reply


@pytest.mark.parametrize(
    ("message", "person"),
    [
        ("set up a meeting with john smith and bob thursday at 3", "John Smith"),
        ("meeting with bob and nina kowalski tomorrow at 11", "Nina Kowalski"),
    ],
)
def test_a_meeting_is_planned_with_those_on_record_and_names_the_colleague_left_out(message: str, person: str) -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.counts()["activity"]
    reply = stage.say(message)["response"]
    assert f"Meeting with {person}" in reply
    assert "I can't add Bob" in reply
    assert stage.counts()["activity"] == before + 1


def test_what_only_announces_orders_orders_nothing() -> None:
    line = "Need two things done: set Nadia Rahman to contacted, and remind me Sunday evening to prepare the demo"
    (reply,) = replies(line)
    assert "status is now **contacted**" in reply
    assert "?" not in reply


def test_what_another_does_not_need_is_a_reason_to_cancel_it() -> None:
    (reply,) = replies(
        "cancel the product demo with Kofi, he doesn't need it and move the Helios field service to proposal"
    )
    assert "I've cancelled **Product demo**" in reply
    (reply,) = replies("book a demo with Kofi for Friday at 2pm. He doesn't need it.")
    assert "I've" not in reply
