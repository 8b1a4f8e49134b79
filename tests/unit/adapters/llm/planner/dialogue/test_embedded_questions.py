"""Questions that stand in other sentences, and questions that no field answers."""

import pytest

from tests.support.dialogue.planner import replies


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("I'm off to Silverline Bank and was wondering with whom I should be speaking over there.", "Giorgio Conti"),
        ("My flight's been moved, thought I'd ring Quentin Marchand, have you got a number for him", "341 555 0107"),
        ("I don't want to change Noor Haddad, I'd merely like to know whether she has been contacted.", "No, **Noor"),
        ("I honestly can't remember if Kofi Mensah is still a customer", "Yes, "),
        ("I've Bob on the line, he wants to know what stage Evergreen expansion is at", "**negotiation**"),
        ("I had lunch with Bob about Evergreen, but I've got no clue how many deals we have with them", "2 deals"),
        ("nr for omar benali? at the lights", "906 555 0108"),
    ],
)
def test_a_question_inside_another_sentence_is_answered(message: str, said: str) -> None:
    (reply,) = replies(message)
    assert said in reply


def test_each_question_word_asks_something_of_its_own() -> None:
    (reply,) = replies("who is the contact for the Falcon deal, her number, and when it is supposed to close")
    assert "962 555 0150" in reply
    assert "Mon, Mar 16" in reply


@pytest.mark.parametrize("message", ["did he answer our last email?", "has he opened it yet?"])
def test_what_no_field_tells_is_said_to_be_unknown(message: str) -> None:
    reply = replies("Omar Benali?", message)[-1]
    assert reply.startswith("Nothing on record says that.")


def test_a_question_for_a_person_is_not_answered_by_yes_or_no() -> None:
    reply = replies("what's the amount on stonebridge rollout, who is the customer contact")[-1]
    assert "Paloma Ortega" in reply
    reply = replies("Where does Marcus Thornbury sit?", "and who brought him to us, was that a referral or the web?")[
        -1
    ]
    assert reply == "The source of **Marcus Thornbury** is **referral**."


def test_what_is_planned_with_a_company_is_also_what_is_planned_for_its_deals_and_people() -> None:
    assert "**Product demo**" in replies("what's planned with Falcon")[0]
    assert "Mar 16 at 2:30 PM" in replies("When is the product demo for Falcon")[0]


def test_what_will_be_won_is_still_open() -> None:
    assert "5 deals closing in April 2026" in replies("deals due to land in april, mine")[0]
    assert (
        "Blue Harbor Fleet Tracking"
        in replies("which of our opportunities is most probable to be signed this month")[0]
    )


def test_the_most_of_anybody_is_told_by_owner() -> None:
    assert "- You: 2" in replies("who has the most overdue tasks")[0]


def test_a_superlative_is_no_name() -> None:
    assert "Blue Harbor Fleet Tracking" in replies("which deal is likeliest to close")[0]


def test_a_condition_of_a_count_that_nothing_filters_by_is_named() -> None:
    reply = replies("How many of our contacts are at a client who is at risk?")[0]
    assert reply.startswith("I don't know how to filter by “at risk”")


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (("what's john's number", "the consultant", "and the IT one?"), "**John Smith** is **+1 631 555 0105**"),
        (("how many contacts are there at ABC", "names?"), "Quentin Marchand"),
        (("emeka nwosu phone no wait his email",), "emeka.nwosu@quantumleaplabs.example"),
        (("phone for Siobhan", "is there any other number?"), "the only one on record"),
        (("what have I got on friday before 3pm",), "**Update account plan**"),
        (("I have rendez-vous Friday the 13 with Bronwyn, at what hour is it",), "**Requirements workshop**"),
        (("Who is a director of something? Contacts only.",), "10 contacts"),
        (("Since when did we not speak with Omar Benali?",), "on Sun, Jan 18"),
        (("which deals are open? mining doesn't matter",), "There are 18 open deals"),
    ],
)
def test_a_question_that_goes_on_or_corrects_itself_is_answered_as_meant(messages: tuple[str, ...], said: str) -> None:
    assert said in replies(*messages)[-1]
