"""Test that a message writes nothing that it takes back or corrects, and leaves alone what it says stays."""

import pytest

from tests.answers.judge import differences
from tests.fakes.systems.mail import RecordingMailSender
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import replies
from tests.support.tenants.desk import REGISTRY


def changes_of(*messages: str) -> tuple[list[tuple[str, dict[str, str]]], str]:
    """Return what changed in the records, and the last reply."""
    stage = Stage(REGISTRY, NOW)
    before = stage.records.snapshot("demo")
    reply = stage.converse(*messages)[-1]["response"]
    changes = differences(before, stage.records.snapshot("demo"), stage.principal.tzinfo)
    return [(change.name, {name: str(value) for name, value in change.values.items()}) for change in changes], reply


@pytest.mark.parametrize(
    "message",
    [
        "move the discovery call with Paloma to tomorrow at ten... no, eleven",
        "move the discovery call with Paloma to friday at 11. Sorry, I mean tomorrow at 11",
    ],
)
def test_the_time_that_corrects_another_is_the_one_that_counts(message: str) -> None:
    ((name, values),) = changes_of(message)[0]
    assert name == "Discovery call"
    assert values["due_at"].startswith("2026-03-05T11:00")


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("put the redwood expansion at ninety thousand and oh no scratch that ninety five", "$95,000"),
        ("bump redwood expansion to a hundred and ten thousand, oh no scratch that a hundred and five", "$105,000"),
        ("set the amount of redwood expansion to 90k no scratch that 95 and note they want net 60", "$95,000"),
    ],
)
def test_of_an_amount_taken_back_for_another_only_the_other_is_asked_about(message: str, asked: str) -> None:
    changes, reply = changes_of(message)
    assert not [name for name, values in changes if "amount" in values]
    assert asked in reply


def test_a_corrected_day_replaces_the_day_before_it() -> None:
    changes, _ = changes_of("change the close date of the Falcon training deal to April 2, i mean April 3")
    assert changes == [("Falcon Aerospace Training Package", {"close_date": "2026-04-03"})]


def test_a_field_that_a_correction_leaves_alone_is_not_written() -> None:
    changes, _ = changes_of("Set the ABC pilot to 56,000. No, leave the amount as is, it's the close date: June 5.")
    assert changes == [("ABC Corp Pilot Project", {"close_date": "2026-06-05"})]


def test_who_stays_is_not_deleted() -> None:
    stage = Stage(REGISTRY, NOW)
    answer = stage.say(
        "Delete the lead Gabriela Fonseca – no, sorry, wrong one, Gabriela stays – it's Olga Ivanenko that goes."
    )
    assert "Gabriela" not in str(answer.get("confirmation"))


def test_each_record_gets_only_the_value_said_of_it() -> None:
    changes, _ = changes_of("lars eriksen is qualified now, isabel navarro score up to 75")
    assert sorted(changes) == [("Isabel Navarro", {"score": "75"}), ("Lars Eriksen", {"status": "qualified"})]


@pytest.mark.parametrize(
    "message",
    [
        "Evergreen Builders Platform Rollout to closed won! haha jk, they ghosted me again",
        "please don't let anyone put XYZ Inc Platform Rollout back to prospecting, its done, its over",
        "Got a card from Melissa Tran, Tran Orthodontics. She's in Bob's area so he'll enter her himself",
    ],
)
def test_what_is_a_joke_or_only_told_changes_nothing_unasked(message: str) -> None:
    assert changes_of(message)[0] == []


def test_a_change_that_needs_two_answers_is_not_asked_about_again() -> None:
    stage = Stage(REGISTRY, NOW)
    asked = stage.say("maybe set Jack Russel and Viktor Petrescu to qualified")
    again = stage.say("yes", asked["conversationId"])
    assert "Viktor Petrescu" in again["confirmation"]["question"]
    last = stage.say("yes", asked["conversationId"])
    assert last["status"] == "completed"


def test_a_task_beside_a_doubtful_change_does_not_wait_for_it() -> None:
    changes, reply = changes_of("maybe set Jack Russel to qualified and add a note that he wants a quote")
    assert [name for name, _ in changes] == ["he wants a quote"]
    assert "shall I change the status of the lead Jack Russel" in reply


@pytest.mark.parametrize(
    "message",
    [
        "Move the ABC Corp pilot to negotiation. The annual licence stays exactly as it is.",
        "Move the ABC Corp pilot project to negotiation. The amount remains unchanged.",
        "Move the ABC Corp pilot to negotiation, but keep the close date as it is.",
        "Move the ABC Corp pilot to negotiation. The annual license can wait.",
    ],
)
def test_what_else_stays_as_it_is_takes_no_order_back(message: str) -> None:
    changes, _ = changes_of(message)
    assert [(name, values["stage"]) for name, values in changes] == [("ABC Corp Pilot Project", "negotiation")]


@pytest.mark.parametrize(
    "message",
    [
        "Move the ABC Corp pilot to negotiation. No wait, the pilot stays as it is.",
        "Move the ABC Corp pilot to negotiation. No, wait, leave the annual license as it is.",
        "Move the ABC Corp pilot to negotiation. The deal stays as it is.",
        "Raise the ABC Corp pilot to 60k. Hmm, leave the amount as it is.",
        "Mark Nina Kowalski as VP. The contact stays as it is, sorry.",
        "Set Lars Eriksen to lost. The rep stays as he is.",
        "Delete the lead Santiago Quiroga. Actually wait, don't.",
    ],
)
def test_an_order_whose_record_or_field_stays_as_it_is_is_taken_back(message: str) -> None:
    assert changes_of(message)[0] == []


def test_the_one_that_stays_as_it_is_may_be_the_one_of_the_order_after_it() -> None:
    _, reply = changes_of(
        "List my new leads in Seattle.",
        "Mark Santiago Quiroga unqualified.",
        "The other can stay as he is, but add a note to him that their budget opens in April.",
    )
    assert "note to **Kenji Watanabe**" in reply


def test_an_undo_takes_back_the_whole_of_an_order_for_several_records() -> None:
    order = "Set Lars Eriksen, Viktor Petrescu and Hannah Weissberg to contacted"
    assert len(changes_of(order)[0]) == 3
    assert changes_of(order, "undo")[0] == []


def test_an_undo_takes_back_only_the_last_of_several_orders() -> None:
    orders = ["Set Lars Eriksen to contacted", "Set Viktor Petrescu to contacted", "undo"]
    assert changes_of(*orders)[0] == [("Lars Eriksen", {"status": "contacted"})]


def test_an_undo_after_an_order_that_was_not_done_is_asked_about() -> None:
    orders = ["Set Lars Eriksen to contacted", "Set Dmitri Volkov to hot", "undo this last change"]
    changes, reply = changes_of(*orders)
    assert changes == [("Lars Eriksen", {"status": "contacted"})]
    assert "Your last request has not been carried out" in reply


def test_to_put_a_record_back_at_what_it_should_be_is_one_change() -> None:
    orders = ["Set the Falcon training package to negotiation", "That one belongs at proposal, so put it back."]
    changes, reply = changes_of(*orders)
    assert changes == []
    assert "stage is now **proposal**" in reply


@pytest.mark.parametrize(
    "message", ["Share the Cobalt deal between Bob and me", "divide the lead Lars Eriksen between bob and carol"]
)
def test_a_record_is_not_given_to_one_of_two_owners(message: str) -> None:
    changes, reply = changes_of(message)
    assert changes == []
    assert "one owner" in reply


@pytest.mark.parametrize(
    "lines",
    [
        ("remind me to call Nina on Friday", "actually make that Monday"),
        ("remind me to email Wei Zhang next week", "make it Tuesday"),
    ],
)
def test_another_day_for_a_reminder_of_a_record_plans_no_second_one(lines: tuple[str, str]) -> None:
    changes, reply = changes_of(*lines)
    assert len(changes) == 1
    assert "I've moved" in reply


def test_another_day_for_a_reminder_puts_up_no_second_one() -> None:
    lines = ("remind me to buy milk tomorrow", "remind me to water the plants on Friday", "actually make that Monday")
    _, reply = changes_of(*lines)
    assert reply == "I'll remind you again on Mon, Mar 9 at 9:00 AM: water the plants."


@pytest.mark.parametrize(
    "lines",
    [
        ("book a call with Kofi Mensah on Friday at 9", "no, cancel that"),
        ("move ABC Corp Pilot Project to negotiation", "cancel that"),
        ("add a note to Nina Kowalski: likes tea", "no, scrap that"),
    ],
)
def test_what_was_just_done_is_taken_back_after_a_yes(lines: tuple[str, str]) -> None:
    changes, reply = changes_of(*lines)
    assert changes
    assert "Shall I take that back?" in reply
    assert not changes_of(*lines, "yes")[0]


def test_no_after_a_change_does_not_say_that_nothing_was_changed() -> None:
    _, reply = changes_of("add a note to Nina Kowalski: likes tea", "no thanks, that's all")
    assert "nothing was changed" not in reply


def test_an_activity_just_shown_is_cancelled_and_of_several_one_is_asked_for() -> None:
    changes, _ = changes_of("what's Paloma's email?", "when am I seeing her next?", "cancel that")
    assert changes == [("Discovery call", {"status": "cancelled"})]
    for order in ("cancel that one", "push it to Monday", "delete that one"):
        changes, reply = changes_of("what's on tomorrow?", order)
        assert not changes
        assert "Which one do you mean?" in reply


def test_what_has_taken_place_is_moved_into_the_future_only_after_a_yes() -> None:
    reply = replies("log a call with Kofi Mensah yesterday", "move it to next thursday")[-1]
    assert reply.startswith("That has taken place already: shall I change the due date")


def test_another_time_of_day_of_what_has_taken_place_keeps_its_day() -> None:
    reply = replies("log a call with Kofi Mensah yesterday", "actually it was at 3pm")[-1]
    assert "yesterday at 3:00 PM" in reply


def test_an_undo_says_which_orders_of_the_message_it_leaves() -> None:
    changes, reply = changes_of("Set Omar Benali to qualified and Isabel Navarro to warm", "undo that")
    assert changes == [("Omar Benali", {"status": "qualified"})]
    assert "for **Omar Benali** stays" in reply


def test_an_order_on_a_condition_with_an_article_waits() -> None:
    changes, reply = changes_of("In the case that Silverline Bank signs, we shall raise the amount to 110000.")
    assert changes == []
    assert "I haven't changed anything" in reply


def test_what_was_held_off_is_done_when_it_is_ordered_later() -> None:
    messages = ("I was going to set Mateo Villanueva's value to 65k but hold off for now", "OK, make it 65k", "yes")
    assert changes_of(*messages[:1])[0] == []
    assert changes_of(*messages)[0] == [("Mateo Villanueva", {"estimated_value": "65000"})]


def test_an_activity_that_is_scratched_by_its_person_is_not_planned_again() -> None:
    messages = ("Plan a call with Isabel Navarro tomorrow at 4", "ugh scratch the one with Isabel", "yes")
    assert changes_of(*messages)[0] == []


def test_a_reminder_that_is_an_activity_is_cancelled() -> None:
    changes, _ = changes_of("Remind me in two hours to ring Chukwuemeka back", "cancel that reminder")
    ((name, values),) = changes
    assert (name, values["status"]) == ("Call with Chukwuemeka Eze", "cancelled")


def test_that_note_is_the_one_just_written() -> None:
    assert changes_of("note on Amara Okafor: likes tea", "delete that note", "yes")[0] == []


def test_other_words_of_an_email_are_shown_before_it_is_sent() -> None:
    stage = Stage(REGISTRY, NOW, mail=RecordingMailSender())
    draft = "Write Tariq Mahmoud a short email that the samples should arrive by Monday"
    reply = stage.converse(draft, "Make it by Tuesday and send it")[-1]["response"]
    assert "arrive by Tuesday" in reply
    assert "arrive by Monday" not in reply


@pytest.mark.parametrize("message", ["no, undo that", "Oh no! Undo that please", "nope, undo"])
def test_a_no_before_an_undo_leaves_it_an_order(message: str) -> None:
    changes, reply = changes_of("Set Jack Russel's score to 12", message)
    assert changes == []
    assert reply.startswith("I've taken that back")
