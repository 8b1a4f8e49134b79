"""Test that an order writes what it says, to whom it says it, and asks about words that its writes do not hold."""

import pytest

from aisha.domain.crm.records import Lead
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import replies
from tests.support.tenants.desk import REGISTRY


def test_a_person_who_is_only_told_of_is_given_nothing() -> None:
    message = "Schedule a demo for Amara Okafor next Wednesday at 10, her colleague Kenji will join."
    answer = Stage(REGISTRY, NOW).say(message)
    assert "I'm not sure what you mean by “Kenji”" in answer["response"]
    assert (answer["status"], answer["toolCalls"][-1]["arguments"].get("owner")) == ("needs_confirmation", None)


def test_it_is_not_surely_the_record_spoken_of_when_the_order_begins_with_another_thing() -> None:
    answers = Stage(REGISTRY, NOW).converse(
        "what is the amount of the Meridian patient portal?", "also the pilot there is dead, mark it lost"
    )
    assert answers[-1]["status"] == "needs_confirmation"
    assert "“pilot”" in answers[-1]["response"]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Increase the Redwood amount by 10% and set the probability to 60", ["$128,700", "60%"]),
        ("Giorgio called. push the close date to april 30", ["Silverline Bank Support Renewal", "Apr 30"]),
        ("Nina's new number is +1 490 555 0177. Please update her phone", ["+1 490 555 0177"]),
        ("Paloma signed! Close the training package as won", ["Stonebridge Legal Training Package", "closed won"]),
        ("for the silverline renewal: next step call Giorgio, probability 30", ["**call Giorgio**", "30%"]),
    ],
)
def test_an_order_changes_what_it_says_of_the_record_that_it_means(message: str, said: list[str]) -> None:
    (reply,) = replies(message)
    assert "updated" in reply
    assert [one for one in said if one not in reply] == []


def test_two_changes_of_one_deal_are_one_question_and_one_change() -> None:
    message = "I spoke to Divya Krishnan. Move her deal to negotiation and set the close date to the end of next month."
    which, done = replies(message, "the platform one")
    assert which.count("Which one do you mean?") == 1
    assert "stage is now **negotiation** and close date is now **Thu, Apr 30**" in done


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("remind me tomorrow at 3 to call jack russel", "for tomorrow at 3:00 PM"),
        (
            "I want to make a reminder: on Thursday I must call Ulrich Baumann because of the customs papers.",
            "because of the customs papers",
        ),
        ("Remind me every morning to check my leads", "can't plan anything that repeats"),
        ("Set up a weekly call with Omar every Tuesday at 9", "can't plan anything that repeats"),
        ("log that I met Tamara Novak yesterday", "log a meeting with Tamara Novak as completed"),
        ("Schedule an onboarding call with Emeka Nwosu tomorrow at 3pm", "Onboarding call with Emeka Nwosu"),
        ("QBR with Meridian done.", "I don't see “QBR”"),
        ("Isabel Navarro is keen. Have Bob call her on Monday morning.", "assigned it to bob"),
    ],
)
def test_what_is_planned_says_what_was_ordered(message: str, said: str) -> None:
    assert said in replies(message)[-1]


def test_a_wish_that_is_told_beside_an_order_is_asked_about() -> None:
    (reply,) = replies("Mohammed wants the annual license moved to negotiation, bump the amount to 68k.")
    assert "shall I change the stage of the deal Willow Creek Schools Annual License to negotiation" in reply


def test_the_contact_said_after_a_deal_was_made_is_linked_to_it() -> None:
    reply = replies("Add a deal for Meridian Health: name Lab Module, 45000 USD", "The contact is Sanjay Gupta")[-1]
    assert "the contact of the deal Lab Module to Sanjay Gupta" in reply


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("Note on Lars Eriksen: wants the blue ones, and set his score to 88", ""),
        ("Mark the discovery call with Mateo Villanueva as done, he needs an offer until April", ""),
        ("Set Omar Benali to qualified since this week", ""),
        ("Delete Santiago Quiroga, $12k", "$12k"),
    ],
)
def test_a_value_that_no_call_holds_is_named(message: str, named: str) -> None:
    (reply,) = replies(message)
    assert ("I'm not sure what you mean by" in reply) == bool(named)
    assert named in reply


def test_a_new_owner_whom_nobody_knows_is_asked_about() -> None:
    answer = Stage(REGISTRY, NOW).say("assign Amara Okafor to Steve Miller")
    assert answer["status"] == "needs_confirmation"
    assert "don't know a colleague called Steve Miller" in answer["response"]
    assert "owner is now **Bob**" in replies("assign Amara Okafor to bob")[0]


def test_a_value_of_the_reason_is_none_of_the_order() -> None:
    (reply,) = replies("Stonebridge Legal Platform Rollout is as good as signed, put its probability at 85")
    assert reply == "I've updated **Stonebridge Legal Platform Rollout**: probability is now **85%**."


def test_two_titles_are_one_value() -> None:
    assert "job title is now **CFO and COO**" in replies("Change Ingrid Halvorsen's title to CFO and COO")[0]


def test_a_text_for_a_field_is_written_there_and_not_into_a_note() -> None:
    answer = Stage(REGISTRY, NOW).converse(
        "What stage is the Redwood Media Expansion in?", "Please write in the next step: legal review by their lawyer."
    )[-1]
    call = answer["toolCalls"][-1]
    assert call["name"] == "update_opportunity"
    assert call["arguments"]["next_step"] == "legal review by their lawyer"


def test_an_order_after_a_remark_about_another_person_is_about_that_person() -> None:
    stage = Stage(REGISTRY, NOW)
    stage.converse(
        "Charlotte Pemberton is a no, mark her lost. Leilani Kahananui looks good though, move her to qualified.", "yes"
    )
    records = stage.records.snapshot("demo").values()
    leads = {one.display_name: str(one.status) for one in records if isinstance(one, Lead)}
    assert (leads["Charlotte Pemberton"], leads["Leilani Kahananui"]) == ("lost", "qualified")


def test_they_are_the_two_companies_named_as_a_pair() -> None:
    message = "Helios Solar and Blue Harbor Logistics are both in trouble. Set their health to churning."
    assert "**Helios Solar** and **Blue Harbor Logistics**: health is now **churning**" in replies(message)[0]


def test_a_meeting_with_several_people_has_its_title_and_length() -> None:
    message = "Schedule a meeting with Wei Zhang and Giorgio Conti on Monday at 9, duration one hour, subject: renewal."
    answer = Stage(REGISTRY, NOW).say(message)
    arguments = answer["toolCalls"][-1]["arguments"]
    assert (arguments["title"], arguments["duration"]) == ("Renewal", 60)


def test_a_call_with_the_contact_of_a_deal_is_not_put_on_the_deal_unasked() -> None:
    answers = Stage(REGISTRY, NOW).converse(
        "which of my deals are stuck?", "put a call with the contact on the first one in for monday 11"
    )
    assert answers[-1]["status"] == "needs_confirmation"
    assert "“contact”" in answers[-1]["response"]
