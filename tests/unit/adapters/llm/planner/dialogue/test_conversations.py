"""Short conversations: what a message means after those before it, and beside the others of the same message."""

import pytest

from aisha.domain.crm.queries import RecordQuery
from aisha.domain.crm.records import Opportunity
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import replies
from tests.support.tenants.desk import REGISTRY

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("When does Willow Creek's annual license close?", "The close date of **Willow Creek Schools Annual License**"),
        ("what's the stage of the rollout at Stonebridge", "The stage of **Stonebridge Legal Platform Rollout** is"),
        ("i'd say 30% on the Silverline support renewal", "the deal Silverline Bank Support Renewal to 30%"),
        ("what's Jack Russel's phone number", "The phone number of **Jack Russel** is"),
        ("Remind me, how'd we come by Isabel Navarro?", "The source of **Isabel Navarro** is **referral**."),
        ("falcon training opp - stage, nxt step?", "stage **proposal**, next step **Agree on scope**"),
        (
            "May I know the present stage and amount of the Redwood Media Expansion opportunity?",
            "**Redwood Media Expansion**: stage **proposal**, amount **$117,000**.",
        ),
        ("how many people work at Helios Solar", "The number of employees of **Helios Solar** is **380**."),
        (
            "If Caleb signs this week that patient portal deal is won, what would that put me at for won deals?",
            "With **Meridian Health Patient Portal** ($120,000) it would be 4 won deals worth",
        ),
    ],
)
def test_words_beside_a_company_say_which_of_its_deals_is_meant(message: str, said: str) -> None:
    assert said in replies(message)[0]


def test_a_deal_that_was_only_found_is_not_the_one_spoken_of() -> None:
    _, *_, last = replies(
        "show the deals called Platform Rollout", "how many leads are there", "move it to qualification"
    )
    assert "I've updated" not in last


@pytest.mark.parametrize(
    ("first", "then", "said"),
    [
        ("show deals in negotiation", "biggest first", "1. **Blue Harbor Fleet Tracking**"),
        ("show bob's open deals", "Narrow it to qualification stage.", "Bob has 3 open deals in qualification"),
        ("deals closing in April", "Leave out anything below 50k.", "There are 2 deals closing in April 2026"),
        ("what have i got on march 20", "Without the emails.", "You have 2 scheduled activities on Fri, Mar 20"),
        ("what's overdue", "just the call", "There is 1 overdue call"),
        ("total value of my open deals", "only the ones in proposal", "You have 7 open deals in proposal"),
        (
            "How many open deals are there with Helios Solar?",
            "Which of them closes first?",
            "Helios Solar Field Service",
        ),
        ("What have we closed as won since New Year, in dollars?", "In how many deals?", "There are 3 won deals"),
        ("my warm leads", "only the ones w/ score 80+", "You have 3 warm leads with a score of at least 80"),
        ("my open deals", "just the ones, say, above 100k", "You have 4 open deals worth over $100,000"),
        ("What do my deals at proposal stage add up to?", "And the average per deal?", "$84,142.86 on average"),
        ("how many of my open deals close in april", "worth?", "**$315,500**"),
        ("total value of my open deals", "And how many deals does that make?", "You have 13 open deals"),
        ("forecast for this month", "how many deals is that spread over?", "There are 6 open deals closing in March"),
        (
            "add up the estimated value of my warm leads",
            "with bob's included?",
            "7 warm leads owned by Bob or you worth **$318",
        ),
        ("my deals in negotiation", "and across the whole team, not just mine?", "There are 4 deals in negotiation"),
        ("how many leads do I have", "and everyone's?", "There are 44 leads"),
        ("how many overdue things do I have", "what are they?", "Call Rafael Monteiro about the pilot"),
        ("What stage is the Falcon Aerospace Training Package in?", "who do i call there", "Nina Kowalski"),
        ("biggest deal in negotiation", "how many are there?", "There are 4 deals in negotiation"),
        ("how many open deals do we have with ABC Corp?", "What is their value together?", "**$187,000**"),
        ("what's on tomorrow and friday?", "and monday?", "on Mon, Mar 9"),
        ("how many new leads do I have, and what's the est value all together?", "same for contacted?", "$474,000"),
        ("what did we win this year?", "which one was the little one", "Orchard Fresh Markets Expansion"),
        ("deals in proposal", "and in negotiation?\nwhat do the two make together", "**11 deals** worth **$777,000**"),
        ("list all open deals, biggest first", "what stage is the second one in?\nand the third?", "Meridian Health"),
    ],
)
def test_a_list_or_a_total_is_sorted_and_narrowed(first: str, then: str, said: str) -> None:
    assert said in replies(first, *then.split("\n"))[-1]


@pytest.mark.parametrize("message", ["just mark them all as lost", "not now", "just kidding", "drop it"])
def test_an_order_or_an_aside_after_a_list_is_no_narrower_list(message: str) -> None:
    *_, reply = replies("show my warm leads", message)
    assert "warm leads" not in reply


@pytest.mark.parametrize(
    ("order", "answer", "said"),
    [
        ("mark them all as lost", "yes", "status is now **lost**"),
        ("add a note to each of them: check the budget", "yes please", "“check the budget”"),
        ("mark them all as lost", "show more", "Here are the next 10:"),
        ("mark them all as lost", "no", "nothing was changed"),
    ],
)
def test_an_order_for_all_of_a_list_of_which_only_a_part_was_shown_is_asked_about(
    order: str, answer: str, said: str
) -> None:
    _, question, reply = replies("show me my leads", order, answer)
    assert question == "I've shown you 10 of 32 so far. Shall I do that for these 10 only?"
    assert said in reply


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ("Omar Benali: job title to Head of Fleet and set him to qualified", ["**Head of Fleet**", "**qualified**"]),
        ("Jack Russel's score should be 92 and set the status to qualified", ["**92**", "**qualified**"]),
    ],
)
def test_a_value_that_is_stated_before_an_order_for_another_field_is_set_too(message: str, values: list[str]) -> None:
    (reply,) = replies(message)
    assert all(value in reply for value in values)


def test_a_list_and_its_order_in_one_message_are_one_answer() -> None:
    (reply,) = replies("which deals are closing this month, biggest first")
    assert reply.count("closing in March 2026") == 1
    assert reply.index("Meridian Health Patient Portal") < reply.index("Falcon Aerospace Training Package")


def test_a_statement_with_a_value_of_its_own_is_no_answer_to_whom_something_is_for() -> None:
    *_, reply = replies("schedule a call", "the ABC annual license went up to 150k by the way")
    assert "call" not in reply


def test_records_that_an_order_leaves_out_of_a_list_are_left_out() -> None:
    (reply,) = replies("leads from cold calls, skip lost + unqualified")
    assert "There are 4 leads from cold calls" in reply
    assert "Tomasz" not in reply


@pytest.mark.parametrize(
    ("before", "message", "said"),
    [
        (
            "new deal Summer Training for Falcon Aerospace, 20k",
            "already in qualification btw",
            "the stage “qualification”?",
        ),
        ("add lead Tessa Blom, Kestrel Optics", "typo. Blum not Blom", "the last name to Blum"),
        ("set the amount of the ABC Corp Annual License to 140k", "oh and expected close June 12", "to Fri, Jun 12?"),
    ],
)
def test_more_of_what_was_just_changed_is_confirmed_first(before: str, message: str, said: str) -> None:
    assert said in replies(before, message)[1]


def test_a_value_that_is_set_against_another_is_the_one_that_counts() -> None:
    *_, owner = replies("create an account Larkspur Dental", "owner should be bob not me")
    assert owner == "I've updated **Larkspur Dental**: owner is now **Bob**."
    assert replies("Cobalt Mining should be type customer, not prospect") == [
        "I've updated **Cobalt Mining**: type is now **customer**."
    ]


def test_details_in_a_sentence_of_their_own_belong_to_the_new_record() -> None:
    (reply,) = replies(
        "Add Greta Lindholm as a contact. Head of Procurement at Tidewater Foods, greta.lindholm@tidewaterfoods.example"
    )
    assert "**Greta Lindholm** (Tidewater Foods)" in reply
    assert "Job title: Head of Procurement" in reply


def test_one_order_for_several_records_makes_each_of_them() -> None:
    (reply,) = replies(
        "Set up an account Larkspur Dairy (type prospect), a contact there Moira Quill, Head of Procurement"
    )
    assert "I've created the account **Larkspur Dairy**" in reply
    assert "the contact Moira Quill" in reply.replace("*", "")


def test_all_names_said_before_a_pronoun_for_several_are_meant() -> None:
    (reply,) = replies("I rang both Nadia Rahman and Santiago Quiroga, switch them from new to contacted")
    assert reply == "I've updated **Nadia Rahman** and **Santiago Quiroga**: status is now **contacted**."


def test_what_is_counted_after_a_change_of_the_same_message_includes_it() -> None:
    (reply,) = replies(
        "hand Siobhan Fitzgerald and Leilani Kahananui to Bob and tell me how many leads he has after that"
    )
    assert "Bob has 14 leads" in reply


def test_what_has_no_round_left_is_offered_and_the_yes_goes_on_with_it() -> None:
    first, second = replies(
        "I need an account Marigold Bakery, a lead Ann Lee at Marigold Bakery and a call with her tomorrow at 3", "yes"
    )
    assert first.endswith("I haven't done the rest yet: “a call with her tomorrow at 3”. Shall I go on with it?")
    assert "Ann Lee" in second
    assert "tomorrow at 3:00 PM" in second


def test_a_yes_that_repeats_the_offered_order_takes_the_offer_up() -> None:
    _, second = replies("If Jack Russel doesn't answer by Friday, mark him as lost", "yes please, remind me")
    assert "ark the lead Jack Russel as lost" in second
    assert "belongs" not in second


@pytest.mark.parametrize(
    ("first", "then", "said"),
    [
        ("can you pull up john for me", "the consultant", "**John Brown**"),
        ("show the open deals of Helios Solar", "push the second one to 30 April", "Helios Solar Support Renewal"),
        ("move stonebridge to won", "training package", "Stonebridge Legal Training Package**: stage is now"),
        (
            "when am I seeing Bronwyn",
            "make that half an hour later",
            "to Fri, Mar 13 at 1:30 PM",
        ),
        (
            "Is something planned with Kofi Mensah?",
            "put this one on 23 march at 10",
            "moved **Product demo** to Mon, Mar 23",
        ),
        ("Compare Jack Russel and Aaliyah Freeman", "what's the former's next action?", "of **Jack Russel**"),
        (
            "what stage is stonebridge training package at",
            "& the platform rollout?",
            "of **Stonebridge Legal Platform",
        ),
    ],
)
def test_an_answer_or_a_reference_means_what_was_shown(first: str, then: str, said: str) -> None:
    assert said in replies(first, then)[1]


def test_the_slots_of_an_aside_are_no_part_of_an_order() -> None:
    *_, reply = replies("who's with Silverline Bank", "Give the account to Bob, he knows Giorgio well.")
    assert "company" not in reply


def test_the_closing_of_a_letter_is_nobody() -> None:
    stage = Stage(REGISTRY, NOW)
    stage.say("Add this person as a lead:\n\nBest regards,\nMarguerite Oyelaran")
    for kind in ("lead", "contact"):
        assert not stage.records.search("demo", RecordQuery(kind, name_contains="regards")).items


def test_an_order_may_describe_an_activity_of_the_last_list() -> None:
    stage = Stage(REGISTRY, NOW)
    conversation = stage.say("what's on my plate this friday?")["conversationId"]
    stage.say("push the one with Valentina to monday", conversation)
    reply = stage.say("the case study has gone out already, so tick that off", conversation)["response"]
    assert "Share case study" in reply


def test_an_order_may_describe_a_deal_of_the_last_total() -> None:
    stage = Stage(REGISTRY, NOW)
    conversation = stage.say("How many open deals have we got with Helios Solar?")["conversationId"]
    first = stage.say("Which of them closes first?", conversation)["response"]
    assert "Field Service" in first
    assert "Support Renewal" not in first
    stage.say("Move the other one to negotiation.", conversation)
    stage.say("yes", conversation)
    (deal,) = stage.records.search("demo", RecordQuery("opportunity", name_contains="Helios Solar Support")).items
    assert isinstance(deal, Opportunity)
    assert deal.stage == "negotiation"


def test_the_day_of_a_description_is_no_new_date() -> None:
    stage = Stage(REGISTRY, NOW)
    conversation = stage.say("which deals close in march")["conversationId"]
    assert "proposal" in stage.say("what stage is the one on the 16th in", conversation)["response"]


def test_there_is_the_company_of_the_last_answer() -> None:
    stage = Stage(REGISTRY, NOW)
    conversation = stage.say("how's Silverline Bank doing?")["conversationId"]
    people = stage.say("who do we know over there", conversation)["response"]
    assert "Giorgio Conti" in people
    assert "Alejandro" not in people


def test_nobody_with_another_title_is_shown_as_the_one_asked_for() -> None:
    stage = Stage(REGISTRY, NOW)
    reply = stage.say("Who's the project manager at Quantum Leap Labs?")["response"]
    assert reply.startswith("Nobody at **Quantum Leap Labs** is on record as project manager.")


@pytest.mark.parametrize(
    ("order", "value"),
    [
        ("increase the amount of the ABC Corp Annual License by 5000", "$140,000"),
        ("take 5,000 off the ABC Corp Annual License", "$130,000"),
        ("lower Jack Russel's score by 8", "score is now **80**"),
        ("set Jack Russel's score to 40", "score is now **40**"),
    ],
)
def test_a_difference_is_added_to_what_is_stored_or_taken_off_it(order: str, value: str) -> None:
    (reply,) = replies(order)
    assert value in reply


def test_a_second_look_and_last_week_are_no_places_in_a_list() -> None:
    *_, changed = replies(
        "Which of my leads are unqualified?", "the one with the best score deserves a second look, set to new"
    )
    assert changed == "I've updated **Arjun Mehta**: status is now **new**."
    *_, asked = replies("what is overdue", "the call happened last week actually, tick it off")
    assert "Call Rafael Monteiro about the pilot" in asked


def test_a_description_in_small_letters_is_no_name() -> None:
    *_, email = replies("who do we know at Willow Creek Schools", "email of the geologist")
    assert "catalina.moreno@willowcreekschools.example" in email


def test_that_there_is_no_deal_takes_no_conversion_back() -> None:
    (reply,) = replies("Tariq Mahmoud is ready, convert him please. No opportunity for now.")
    assert "convert" in reply


@pytest.mark.parametrize(
    ("messages", "said", "unsaid"),
    [
        (("mark all my overdue tasks complete", "no", "which ones are overdue"), "There are 2 overdue", "1 overdue"),
        (
            ("show me my tasks for next week", "which of those are with Zachary Holloway?"),
            "no scheduled activities",
            "5 scheduled",
        ),
        (("show me my tasks for next week", "which of those are with Rafael Monteiro?"), "Check in", "Prepare"),
        (("show my open deals", "which of those are with Silverline Bank"), "Support Renewal", "Redwood"),
        (("show me the warm leads", "which of them works at ABC Corp"), "Jack Russel", "Viktor"),
    ],
)
def test_which_of_those_is_answered_from_the_records_just_shown(
    messages: tuple[str, ...], said: str, unsaid: str
) -> None:
    last = replies(*messages)[-1]
    assert said in last
    assert unsaid not in last


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("who can see my deals?", "who may read or edit which records"),
        ("do you store what i type?", "what is written here"),
        ("how do i import contacts", "can't import files"),
    ],
)
def test_a_question_about_rights_privacy_or_files_is_not_answered_with_records_or_help(message: str, said: str) -> None:
    assert said in replies(message)[0]


def test_what_happened_is_told_of_the_time_and_the_colleague_asked_for() -> None:
    _, changed, of_bob, before, since = replies(
        "set Priya Nair to qualified",
        "what did alice change today",
        "what did bob change this week?",
        "records changed yesterday",
        "anything new since monday?",
    )
    assert "alice, update lead" in changed
    assert "get" not in changed
    assert "nothing" in of_bob
    assert before == "Nothing was recorded yesterday."
    assert "Ingrid Halvorsen was assigned a new owner" in since


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (("quick: how many leads do i have, no wait, contacts",), "You have 23 contacts."),
        (("quick: how many leads do i have, no wait, contacts", "and bob?"), "Bob has 10 contacts."),
        (("how many leads do i have", "actually, contacts"), "You have 23 contacts."),
        (("how many leads do I have. Sorry, I meant deals",), "You have 17 deals"),
        (("show leads", "no, contacts"), "There are 33 contacts"),
        (("list the accounts - I mean contacts",), "There are 33 contacts"),
        (("how many contacts do I have", "scratch that, leads"), "You have 32 leads."),
    ],
)
def test_the_kind_of_records_that_a_correction_names_is_meant(messages: tuple[str, ...], said: str) -> None:
    last = replies(*messages)[-1]
    assert last.startswith(said)


@pytest.mark.parametrize(
    "correction",
    [
        "Sorry, I meant Thandiwe Mokoena. Set Leilani back to contacted.",
        "Put her back to contacted, take Thandiwe Mokoena instead",
    ],
)
def test_a_change_of_the_wrong_record_is_restored_as_ordered_and_made_on_the_right_one(correction: str) -> None:
    last = replies("Set Leilani Kahananui to qualified", correction)[-1]
    assert "**Leilani Kahananui**: status is now **contacted**" in last
    assert "Thandiwe Mokoena" in last
    assert "undo" not in last
