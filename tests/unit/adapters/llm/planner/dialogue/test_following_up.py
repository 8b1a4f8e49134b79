"""Test that what follows an answer is about the list or the field that was shown last."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import replies
from tests.support.tenants.desk import REGISTRY


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["show the open deals with Helios Solar", "together thats how much"], "$61,500"),
        (["who's my lead with the highest estimated value?", "and who's in second place?"], "Camille Dubois"),
        (["what's Jack Russel's job title?", "Super. His email as well if you'd be so kind"], "jack.russel@"),
        (["contacts at ABC Corp", "which of them did we speak to most recently?"], "Quentin Marchand"),
        (["what's in negotiation?", "push the Stonebridge one out to May 8"], "Stonebridge Legal Training Package"),
        (["how many open deals do we have with ABC Corp", "what's their combined value?"], "$187,000"),
        (["How is the Blue Harbor Fleet Tracking deal?", "Who's our contact person there?"], "Divya Krishnan"),
        (["Make Kofi's job title Art Director", "oh, what was it before?"], "**Creative Director**"),
        (["Push the demo with Kofi to the 23rd", "When was it until now?"], "Mar 20"),
        (["my new leads, top 3 by value", "call the first one tomorrow at 4"], "Call with Camille Dubois"),
        (["my new leads, top 3 by value", "note on 2: back in May"], "Hannah Weissberg"),
        (["who do we know at Blue Harbor?", "Tamara, right. What's the best number for her"], "211 555 0121"),
    ],
)
def test_a_follow_up_means_the_list_shown_last(messages: list[str], said: str) -> None:
    assert said in replies(*messages)[-1]


def test_what_is_done_and_the_other_one_are_of_the_last_list() -> None:
    stage = Stage(REGISTRY, NOW)
    listed = stage.say("what's overdue on my list?")
    done = stage.say("The call's done, I rang him Monday from the car, so tick that off", listed["conversationId"])
    assert "Call Rafael Monteiro about the pilot" in done["response"]
    moved = stage.say("And the other one, no chance today. Move it to tomorrow at 11", listed["conversationId"])
    assert "Send the revised quote to Priya Nair" in moved["response"]


def test_an_order_that_says_which_of_two_records_asks_for_none() -> None:
    reply = replies("what calls do i have tomorrow", "set the smaller one of her deals to won")[-1]
    assert "Which one" not in reply


@pytest.mark.parametrize(
    ("message", "total"),
    [
        ("if redwood signs the expansion this week i'd set it to won, what would my won total be then", "$391,000"),
        ("If we lose the ABC pilot, how many open deals would I have left?", "12 open deals"),
    ],
)
def test_a_total_asked_on_a_condition_is_told_with_and_without_it(message: str, total: str) -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.records.snapshot("demo")
    reply = stage.say(message)["response"]
    assert total in reply
    assert "I haven't changed anything" in reply
    assert stage.records.snapshot("demo") == before


def test_every_question_of_an_enumeration_is_answered() -> None:
    reply = replies("Wei Zhang's email, and the phone numbers of Jack Russel and Omar Benali")[-1]
    assert all(one in reply for one in ("wei.zhang@", "212 555 0142", "906 555 0108"))


def test_a_question_about_a_person_whom_a_note_mentions_is_about_them() -> None:
    reply = replies("Add a note to Redwood Media that Jasmine wants quarterly billing, and give me her phone")[-1]
    assert "531 555 0175" in reply


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("I'm seeing the ABC Corp people today, which deals have I got running with them", "deals with ABC Corp"),
        ("Just off to Helios Solar. How many open deals do they have, and who's our contact", "at Helios Solar"),
        ("Move the ABC Corp Pilot Project to negotiation. Who's our contact on it?", "John Doe"),
        ("Give Siobhan Fitzgerald and Omar Benali to Bob and tell me how many leads he has then", "Bob has 14 leads"),
        ("Ann from Tidewater Foods called. What deals do we have with her company?", "with Tidewater Foods"),
        ("Add Jon Weber as a contact at ABC Corp, and how many open deals do we have with them?", "2 open deals"),
        ("Add Deb Ashworth as a contact at Willow Creek Schools. Who else do we have there?", "Catalina Moreno"),
    ],
)
def test_a_pronoun_means_what_the_message_named(message: str, said: str) -> None:
    assert said in replies(message)[-1]


@pytest.mark.parametrize(
    "messages",
    [
        ["Open a deal on Falcon Aerospace called Spares for 46k, and add Hugo Brandt as a contact there"],
        ["Open a deal on Falcon Aerospace called Spares for 46k", "add a contact for them, Hugo Brandt"],
        ["Tell me about Falcon Aerospace", "add Hugo Brandt as a contact there"],
        ["I was at Falcon Aerospace today. Add Hugo Brandt as a contact there"],
    ],
)
def test_a_contact_there_is_one_of_the_company_spoken_of(messages: list[str]) -> None:
    assert "**Hugo Brandt** (Falcon Aerospace)" in replies(*messages)[-1]


def test_an_order_for_another_person_keeps_what_the_last_one_said() -> None:
    reply = replies("book a demo with Nina Kowalski next Tuesday at 9", "and one with Kofi Mensah at half past ten")[-1]
    assert "demo with Kofi Mensah for Tue, Mar 10 at 10:30 AM" in reply


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["Who do we have at Redwood Media?", "The Actuary's title should read Head of Research."], "Zachary Holloway"),
        (["show me the two deals with Stonebridge Legal, the larger one first"], "Training Package"),
        (
            ["show Stonebridge Legal's deals, the larger one first", "We won the second one. Change the stage"],
            "Training",
        ),
        (
            ["Set the probability of the Stonebridge rollout to 60", "and the training one to 90"],
            "Training Package to 90%",
        ),
        (["Set the score of Lars Eriksen to 60", "and Omar to 70"], "score of the lead Omar Benali to 70"),
        (["Which of my prospect accounts make over 50 million?", "Set the health on both to healthy"], "Orchard Fresh"),
        (
            ["Tell me about Falcon Aerospace", "Falcon goes back to unknown"],
            "health of **Falcon Aerospace** is already",
        ),
        (["Set Lars Eriksen's score, that should be 78"], "score is now **78**"),
        (["who of mine is in the lost pile?"], "Dmitri Volkov"),
        (["I'm off to Falcon next week, what's Nina Kowalski's job title there"], "Superintendent"),
    ],
)
def test_a_description_or_a_bare_value_goes_with_the_record_and_the_field_spoken_of(
    messages: list[str], said: str
) -> None:
    assert said in replies(*messages)[-1]


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("make it shorter", "Best,"),
        ("a bit more formal please", "Yours sincerely,"),
        ("hmm too long make it brief", "Best,"),
        ("can you make that more polite", "Yours sincerely,"),
    ],
)
def test_a_draft_about_a_topic_is_worded_anew_in_another_tone_without_a_question(wish: str, said: str) -> None:
    reply = replies("draft an email to kofi mensah about the field service", wish)[-1]
    assert "our conversation about the field service" in reply
    assert said in reply


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Met Divya of Blue Harbor today. Add a deal for them, 40k", "**Blue Harbor Logistics deal**"),
        ("Spoke to Kofi Mensah. Create a deal for him called Rooftop, 25k", "**Rooftop** (prospecting) for **Kofi"),
        ("Met Ann Lee of Zenith Labs. Add a deal for them, 40k", "couldn't find"),
    ],
)
def test_a_deal_for_those_just_met_is_theirs_and_has_no_name_of_them(message: str, said: str) -> None:
    assert said in replies(message)[-1]


def test_a_deal_for_those_just_met_is_not_one_of_the_company_shown_before() -> None:
    lines = ("Tell me about ABC Corp", "Met Ann Lee of Zenith Labs. Add a deal for them, 40k")
    assert "couldn't find" in replies(*lines)[-1]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["Show me Bob's deals", "which close this month?"], "Bob has 2 deals"),
        (["show my deals in proposal", "which close before April?"], "You have 2 deals in proposal"),
        (["show Bob's leads", "which are still new?"], "Bob has 4 new leads"),
        (["deals in negotiation", "which is Bob's?"], "Bob has 2 deals in negotiation"),
        (["show me customers", "which have over 500 staff?"], "3 customer accounts"),
        (["Which accounts are prospects?", "how many of them have more than 300 people?"], "4 prospect accounts"),
        (["what's the weighted forecast for q2?", "which deals are in that?"], "12 open deals"),
    ],
)
def test_a_question_that_leaves_the_kind_out_is_about_those_shown_last(messages: list[str], said: str) -> None:
    assert said in replies(*messages)[-1]


@pytest.mark.parametrize(
    "messages",
    [
        ["who is John Smith?", "who else works at his company?"],
        ["Add a contact: Petra Novak, at XYZ Inc, petra@xyzinc.example", "who else do we know there?"],
    ],
)
def test_who_else_is_at_a_company_are_its_other_people(messages: list[str]) -> None:
    reply = replies(*messages)[-1]
    assert "contacts at XYZ Inc other than" in reply
    assert "Bronwyn Llewellyn" in reply


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["which leads are in Chicago?", "which of my leads are based there?"], "You have 9 leads in Chicago"),
        (["what's Bob got in Boston?", "and what leads do I have there?"], "You have 5 leads in Boston"),
        (["I'm flying to Denver on Thursday", "which leads are there?"], "7 leads in Denver"),
        (["I'll be at Helios Solar on Friday", "any open deals there?"], "2 open deals with Helios Solar"),
        (["Tell me about Falcon Aerospace", "which deals do we have there?"], "Falcon Aerospace Training Package"),
    ],
)
def test_there_is_the_place_or_the_company_spoken_of(messages: list[str], said: str) -> None:
    assert said in replies(*messages)[-1]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["show me my contacts", "just the customers"], "You have 12 customer contacts"),
        (["my contacts", "how many of those are customers?"], "You have 12 customer contacts"),
        (["my contacts", "only the prospects"], "1 prospect contact"),
        (["all our accounts", "just the customers"], "8 customer accounts"),
    ],
)
def test_a_kind_that_is_a_state_of_those_shown_narrows_them(messages: list[str], said: str) -> None:
    assert said in replies(*messages)[-1]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["bump the fleet tracking deal to seventy k oh and what's the close date on that one"], "Mar 8"),
        (["tell me about the field service deal", "what's the stage of that one"], "qualification"),
    ],
)
def test_that_one_is_the_one_record_spoken_of_last(messages: list[str], said: str) -> None:
    reply = replies(*messages)[-1]
    assert said in reply
    assert "Which" not in reply


@pytest.mark.parametrize("wish", ["no thanks", "no"])
def test_a_no_after_a_change_does_not_say_that_nothing_was_changed(wish: str) -> None:
    reply = replies("set jack russel to lost", wish)[-1]
    assert "stays as it is" in reply
    assert "nothing was changed" not in reply.lower()


@pytest.mark.parametrize("question", ["is anything at risk in april?", "anything shaky next month?"])
def test_what_is_at_risk_in_a_month_are_the_deals_that_close_then(question: str) -> None:
    assert "open deals closing in April 2026" in replies(question)[-1]


@pytest.mark.parametrize(
    "line", ["show me the Silverline deals", "show me the Pinnacle deals", "give me the ABC deals"]
)
def test_a_company_after_show_me_is_no_colleague_beside_the_user(line: str) -> None:
    reply = replies(line)[-1]
    assert "or you" not in reply
    assert " with " in reply or " matching " in reply


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["what's my biggest open deal?", "and the second biggest?"], "ABC Corp Annual License"),
        (["which lead has the highest score?", "and the second highest?"], "Jack Russel"),
        (["compare the two Stonebridge deals", "which closes first?"], "Stonebridge Legal Training Package"),
        (["what's Kofi's title?", "and Nina's?"], "The job title of **Nina Kowalski**"),
        (["what's Wei's number?", "Giorgio's too"], "The phone number of **Giorgio Conti**"),
        (["how many leads does Bob have?", "and Alice's?"], "Alice has 32 leads"),
    ],
)
def test_a_short_follow_up_says_what_is_other_than_before(messages: list[str], said: str) -> None:
    assert said in replies(*messages)[-1]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["Who's Wei Zhang?", "and Giorgio Conti?", "give me both their emails"], ("wei.zhang@", "giorgio.conti@")),
        (["Who's John Doe?", "and John Smith?", "what are their phone numbers?"], ("336 555 0192", "631 555 0105")),
        (
            ["Tell me about Falcon Aerospace", "who do we know there?", "what are their phone numbers?"],
            ("629 555 0194", "962 555 0150"),
        ),
    ],
)
def test_fields_of_several_people_are_told_for_each(messages: list[str], said: tuple[str, ...]) -> None:
    reply = replies(*messages)[-1]
    assert all(one in reply for one in said)
