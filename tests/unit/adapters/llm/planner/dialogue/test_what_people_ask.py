"""Questions as people ask them: joined, checked, imagined, about notes, parts, differences and the rest of a list."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.tenants.desk import REGISTRY


def replies(*messages: str) -> list[str]:
    stage, conversation, found = Stage(REGISTRY, NOW), None, list[str]()
    before = stage.records.snapshot("demo")
    for message in messages:
        answer = stage.say(message, conversation)
        conversation = answer["conversationId"]
        found.append(answer["response"])
    assert stage.records.snapshot("demo") == before
    return found


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        (
            "Pipeline by stage, biggest open deal, and what's overdue.",
            ("$589,000", "Stonebridge Legal Platform Rollout", "Priya Nair"),
        ),
        ("how much is in the pipeline all together and how much of it is mine", ("$1,273,500", "$1,036,500")),
        ("how many deals close in May, and do any of them belong to Bob?", ("7 deals", "Cobalt Mining")),
        ("total lost, total won, total open", ("$180,000", "$274,000", "$1,273,500")),
        ("How many leads do I have marked lost, and who are they?", ("4 lost leads", "Colin MacAllister")),
    ],
)
def test_questions_that_a_sentence_joins_are_all_answered(message: str, parts: tuple[str, ...]) -> None:
    assert all(part in replies(message)[0] for part in parts)


@pytest.mark.parametrize(
    ("message", "count"),
    [
        ("which leads came from referral? only mine please", "You have 8 leads"),
        ("Show my leads in Chicago, but just the warm ones", "You have 2 warm leads in Chicago"),
        ("list bob's leads. new ones only.", "Bob has 4 new leads"),
        ("Please list the meetings - meetings only, not calls - that are planned for March.", "3 scheduled meetings"),
    ],
)
def test_what_follows_a_list_in_the_same_message_narrows_it(message: str, count: str) -> None:
    (reply,) = replies(message)
    assert reply.startswith(count) or f"There are {count}" in reply


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Sorry, stupid question, but Falcon isn't a customer yet, is it?", "is a **prospect**"),
        ("I had in mind that the Redwood deal closes in April. Is that right?", "Sat, May 30"),
        ("I booked the XYZ rollout as won in my sheet. Correct?", "closed lost"),
    ],
)
def test_a_statement_to_confirm_is_a_question(message: str, expected: str) -> None:
    assert expected in replies(message)[0]


@pytest.mark.parametrize(
    ("message", "total"),
    [
        ("If Redwood doesn't come through, how much would be left in proposal? (don't touch anything!)", "$472,000"),
        ("Suppose both Stonebridge deals vanished. What's left open?", "$1,112,500"),
        ("How much do we lose if Silverline walks away?", "$92,000"),
        ("Were we to lose the Redwood deal, what would remain in proposal? Please change nothing.", "$472,000"),
    ],
)
def test_a_lost_deal_is_taken_from_the_total(message: str, total: str) -> None:
    assert f"**{total}**" in replies(message)[0]


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (("Total in negotiation.", "Bob's share?"), "$99,000"),
        (("Total in negotiation.", "Bob's share?", "Difference between his and mine?"), "**$10,000**"),
        (("does bob have more leads than me", "how many more do I have then"), "**20**"),
        (("Annual revenue of Falcon Aerospace and of Silverline Bank, please.", "The difference?"), "$105,000,000"),
        (("how much is in my pipeline", "and without the prospecting stuff"), "$716,500"),
        (("leads in Boston", "how many of them are lost?", "and the others, who are they?"), "Marcus Thornbury"),
        (("Which industry is Meridian Health in? And how many employees?", "Same for Pinnacle"), "1,500"),
        (("Has the demo with Sanjay happened yet?", "and the one with Kofi?"), "Kofi Mensah"),
        (("what is the phone of Omar Benali", "What did I ask you about before?"), "what is the phone of Omar Benali"),
        (("When does the Redwood expansion close?", "and what was it before?"), "only see what the CRM holds now"),
        (("When does the Redwood expansion close?", "A month later, please"), "Tue, Jun 30"),
        (("my new leads, top 3 by value", "whats the email of 3?"), "nadia.rahman@"),
        (("is Omar Benali warm", "and how many days since we last spoke"), "45 days ago"),
    ],
)
def test_a_follow_up_is_about_the_answer_before(messages: tuple[str, ...], expected: str) -> None:
    assert expected in replies(*messages)[-1]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Who wants a quote over three years?", "Lucia Ferrari"),
        ("who the heck owns Cobalt Mining", "is owned by **Bob**"),
        ("what stage is the patient portal at", "Meridian Health Patient Portal"),
        ("Bob's week", "Prepare proposal"),
        ("When is Kofi Mensah's product demo booked for?", "Fri, Mar 20"),
        ("Could I get our prospects among the accounts please", "6 prospect accounts"),
        ("Not the leads, the contacts: who at Orchard has gone longest without hearing from us?", "Xavier Delacroix"),
        ("How many open deals does Helios have?", "2 open deals with Helios Solar"),
        ("No, not the phone, I want the mail of Giorgio Conti.", "giorgio.conti@silverlinebank.example"),
    ],
)
def test_a_question_is_answered_by_its_own_words(message: str, expected: str) -> None:
    assert expected in replies(message)[0]


def test_what_no_note_says_is_not_answered_from_notes() -> None:
    assert "mentioning" not in replies("who wants a helicopter ride")[0]


def test_he_has_no_activities_of_others_in_his_week() -> None:
    assert "Paloma" not in replies("what does Bob's week look like?")[0]
