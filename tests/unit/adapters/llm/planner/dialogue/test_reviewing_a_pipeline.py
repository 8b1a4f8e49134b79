"""Test the questions of somebody who goes through a pipeline: risks, periods, ties, sellers, what was bought."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import replies
from tests.support.tenants.desk import REGISTRY


@pytest.mark.parametrize(
    "question", ["which of those would you worry about", "which is the riskiest", "which may slip?"]
)
def test_the_riskiest_are_looked_for_among_the_deals_just_listed(question: str) -> None:
    reply = replies("show me my open deals over 80k", question)[-1]
    assert reply.startswith("Of your 6 open deals worth over $80,000, 4 may slip, the likeliest first:")
    assert "1. **Silverline Bank Support Renewal**" in reply


def test_which_of_several_people_to_worry_about_is_told_of_each() -> None:
    reply = replies("my warm leads", "which of these should I worry about")[-1]
    assert all(name in reply for name in ("Aaliyah Freeman", "Jack Russel", "Lars Eriksen"))


def test_whether_one_deal_may_slip_is_told_with_the_reasons() -> None:
    (safe, risky) = replies("is the Redwood deal at risk?"), replies("will Blue Harbor Fleet Tracking close on time?")
    assert safe[-1].endswith("Nothing on record points to a risk.")
    assert "It may slip: its account is at risk; it closes soon and nothing is scheduled" in risky[-1]


def test_the_month_before_is_counted_from_the_month_that_was_searched() -> None:
    said = replies("won deals in February", "and in January?", "and the month before?")
    assert said[1].startswith("There is 1 won deal closed in January 2026")
    assert said[2] == "There are no won deals closed in December 2025."


def test_several_first_ones_are_told_as_a_tie() -> None:
    reply = replies("won deals in February", "which was the bigger one")[-1]
    assert reply.startswith("That's a tie: **Helios Solar Annual License** and **Quantum Leap Labs Pilot Project**")


def test_a_ranking_goes_on_with_the_field_of_the_one_before() -> None:
    reply = replies("my warm leads", "which one has the best score", "who has the lowest")[-1]
    assert "**Ingrid Halvorsen** (Fjord Shipping), warm, score 62" in reply


def test_closes_first_is_no_place_in_the_list() -> None:
    reply = replies("compare Redwood and Meridian Patient Portal", "which one is bigger", "and which closes first?")[-1]
    assert reply == "The close date of **Meridian Health Patient Portal** is **Sun, Mar 22**."


def test_a_company_named_beside_a_deal_is_compared_by_its_deal() -> None:
    reply = replies("compare Redwood and Meridian Patient Portal")[-1]
    assert reply.startswith("Redwood Media Expansion and Meridian Health Patient Portal side by side:")


@pytest.mark.parametrize("question", ["who closed the most", "which rep did best?"])
def test_the_best_seller_is_told_by_the_deals_of_each(question: str) -> None:
    reply = replies("won deals this year", question)[-1]
    assert reply.endswith("There are 3 won deals closed in 2026 worth **$274,000**:\n\n- You: 3, $274,000")


def test_records_are_split_by_where_they_are() -> None:
    assert "- Chicago: 12" in replies("leads per city")[-1]
    assert replies("how many contacts per state")[-1].endswith("I can't split that by state.")


@pytest.mark.parametrize("question", ["what has Helios bought from us", "what did Helios buy from us this year"])
def test_what_a_company_bought_are_the_deals_won_with_it(question: str) -> None:
    reply = replies(question)[-1]
    assert "Helios Solar Annual License" in reply
    assert "Field Service" not in reply


def test_what_is_asked_of_a_long_list_is_told_of_its_first_records() -> None:
    reply = replies("list all leads", "who owns them")[-1]
    assert reply.endswith("10. **Ingrid Halvorsen**: owner you\n\nThese are the first 10; there are 34 more.")


def test_a_deal_without_a_contact_says_so() -> None:
    messages = ("add a deal for Blue Harbor: fleet expansion, 75k, closes end of june", "who's the contact for it?")
    assert replies(*messages)[-1] == "**Fleet Expansion** has no contacts on record."


def test_an_unknown_company_is_said_to_be_unknown() -> None:
    assert "Nordlys" in (reply := replies("who's our contact at Nordlys and when did we last speak")[-1])
    assert "more steps" not in reply


def test_a_time_of_day_after_a_day_is_one_of_that_day() -> None:
    said = replies("what have I got on thursday", "free at 3?", "anything at noon?")
    assert said[1] == "There are no activities tomorrow at 3:00 PM."
    assert "**Discovery call** (Paloma Ortega)" in said[2]


@pytest.mark.parametrize(
    ("order", "denial"),
    [
        ("mark Jack Russel as lost", "oops, not lost"),
        ("mark Jack Russel as lost", "no wait, he isn't lost yet"),
        ("set the amount of Redwood Media Expansion to 90k", "no, not 90k"),
        ("complete the call with Rafael", "oh sorry it isn't done yet"),
    ],
)
def test_a_change_that_is_said_to_be_wrong_is_offered_to_be_undone(order: str, denial: str) -> None:
    stage = Stage(REGISTRY, NOW)
    before = _states(stage)
    conversation = stage.say(order)["conversationId"]
    asked = stage.say(denial, conversation)
    assert asked["response"] == "That seems to be wrong: shall I undo your last change?"
    stage.say("yes", conversation)
    assert _states(stage) == before


def _states(stage: Stage) -> dict[str, tuple[object, ...]]:
    """Return what the orders above change of each record, by its id."""
    records = stage.records.snapshot("demo").values()
    return {one.id: tuple(getattr(one, name, None) for name in ("status", "amount")) for one in records}


def test_a_field_that_only_deals_have_is_changed_on_the_company_s_deal() -> None:
    reply = replies("push the falcon close date by two weeks")[-1]
    assert reply == "I've updated **Falcon Aerospace Training Package**: close date is now **Mon, Mar 30**."


def test_completed_activities_are_chosen_among_the_completed_ones() -> None:
    reply = replies("delete all my completed tasks")[-1]
    assert reply.startswith("Which activity should I delete?")
    assert "completed" in reply
    assert "scheduled" not in reply


def test_a_reminder_about_her_is_about_the_person_named_beside_the_company() -> None:
    told = (
        "I came out of the meeting with Paloma at Stonebridge, it went well, so remind me next Monday to send her one"
    )
    assert "Paloma Ortega" in (reply := replies(told)[-1])
    assert "So remind" not in reply


def test_a_task_with_a_priority_is_moved_without_a_question() -> None:
    order = "create a task to send the contract to Paloma by next Wednesday, high priority"
    assert replies(order, "make it Tuesday")[-1] == "I've moved **Send the contract** to Tue, Mar 10 at 9:00 AM."


def test_more_searches_than_run_in_a_round_are_made_in_the_next() -> None:
    names = ("Mateo Villanueva", "Siobhan Fitzgerald", "Leilani Kahananui", "Charlotte Pemberton", "Thandiwe Mokoena")
    lines = "\n".join(f"{9 + place:02}:00 {name}" for place, name in enumerate(names))
    reply = replies(f"Calls to schedule, all on Friday 6 March:\n{lines}")[-1]
    assert all(name in reply for name in names)
    assert "couldn't find" not in reply


def test_a_field_asked_for_after_a_change_is_told() -> None:
    reply = replies("set Jack Russel's title to VP Sales", "And his phone?")[-1]
    assert reply == "The phone number of **Jack Russel** is **+1 212 555 0142**."
