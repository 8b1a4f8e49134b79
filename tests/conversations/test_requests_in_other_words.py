"""Requests that a user may word in many ways: scans, analyses, goals, links, suggestions, emails and invitations."""

from typing import Any

import pytest

from aisha.adapters.llm.planner.acts.writing.conditional import NOT_SENT
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.product_tools import product_tools

REGISTRY = product_tools()


def _last(*messages: str) -> dict[str, Any]:
    return Stage(REGISTRY, NOW).converse(*messages)[-1]


def _tools(answer: dict[str, Any]) -> list[str]:
    return [call["name"] for call in answer["toolCalls"]]


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("which scan would make sense next?", "recommend_scan"),
        ("suggest a scan", "recommend_scan"),
        ("is there a scan worth running right now?", "recommend_scan"),
        ("what did the last scans find?", "get_scan_briefing"),
        ("analyse how my pipeline and goals are doing", "get_status_report"),
        ("what insights do you have about my sales?", "get_status_report"),
        ("review my pipeline and my targets please", "get_status_report"),
        ("What's the state of the project right now?", "get_status_report"),
        ("how are things going?", "get_status_report"),
        ("give me a status update", "get_status_report"),
        ("where are we at?", "get_status_report"),
        ("what ideas do you have stored for me?", "list_suggestions"),
        ("which of your suggestions are still open?", "list_suggestions"),
        ("how healthy is ABC Corp?", "search_accounts"),
        ("any background tasks active?", "get_background_jobs"),
        ("what are you processing at the moment", "get_background_jobs"),
        ("how do we keep the data clean?", "search_documents"),
        ("best practice for keeping data clean", "search_documents"),
    ],
)
def test_a_question_about_the_whole_work_is_answered_by_its_tool(message: str, tool: str) -> None:
    assert tool in _tools(_last(message))


@pytest.mark.parametrize(
    "message",
    [
        "what problems are in our data?",
        "any data quality issues?",
        "how clean is our data",
        "what data quality problems do we have",
        "which records have missing fields?",
        "what tech debt do we have in the CRM",
    ],
)
def test_a_question_about_the_data_offers_the_scan(message: str) -> None:
    assert "Shall I run the data quality scan?" in _last(message)["response"]


@pytest.mark.parametrize("message", ["what does AiSHA stand for?", "is AiSHA an acronym", "who are you?"])
def test_the_assistant_tells_what_its_name_stands_for(message: str) -> None:
    assert "AI Sales & Help Assistant" in _last(message)["response"]


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("create a goal to win 12 deals", "win 12 deals"),
        ("new goal: 12 won deals by end of june", "12 won deals by end of june"),
        ("I want to set myself a goal of 30 demos this quarter", "30 demos this quarter"),
        ("Set a goal to close 500k this quarter", "close 500k this quarter"),
    ],
)
def test_a_goal_is_created_with_what_follows_its_order_as_title(message: str, title: str) -> None:
    answer = _last(message)
    assert _tools(answer) == ["create_goal"]
    assert title in answer["response"]


@pytest.mark.parametrize(
    ("messages", "linked"),
    [
        (["attach John Brown to XYZ Inc"], "**John Brown** to **XYZ Inc**"),
        (["please link John Brown with Redwood Media"], "**John Brown** to **Redwood Media**"),
        (["tell me about Redwood Media", "connect it to John Brown", "yes"], "Redwood Media"),
        (["connect the Helios Solar Field Service deal to Lucia Ferrari", "yes"], "Lucia Ferrari"),
    ],
)
def test_two_records_are_linked_whatever_the_verb(messages: list[str], linked: str) -> None:
    answer = _last(*messages)
    assert linked in answer["response"]
    assert {"update_contact", "update_opportunity"} & {*_tools(answer)}


@pytest.mark.parametrize("message", ["don't link Jack Russel to ABC Corp", "attach the contract to Jack Russel"])
def test_what_orders_no_link_makes_none(message: str) -> None:
    assert not any(name.startswith("update_") for name in _tools(_last(message)))


def test_a_place_after_a_list_of_suggestions_is_one_of_them() -> None:
    dismissed, snoozed, accepted = Stage(REGISTRY, NOW).converse(
        "run the deals at risk scan",
        "show me the pending suggestions",
        "dismiss the second",
        "put off the third",
        "take the first",
    )[-3:]
    assert dismissed["response"].startswith("I've dismissed the suggestion **")
    assert snoozed["response"].startswith("I've snoozed the suggestion **")
    assert accepted["response"].startswith("I've accepted the suggestion **")


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("add Priya in copy", "one person, without copies"),
        ("and forward it to Bob", "one person, without copies"),
        ("send it tomorrow at 9", "Shall I remind you tomorrow at 9:00 AM"),
        ("schedule it for Monday morning", "Shall I remind you on Mon, Mar 9"),
        ("remove the last sentence", "tell me the whole text"),
        ("replace coming with on its way", "The quote is on its way."),
        ("change the subject to Your quote", "**Subject:** Your quote"),
        ("good but don't send it yet", NOT_SENT),
        ("leave it", NOT_SENT),
    ],
)
def test_a_wish_about_a_shown_email_changes_no_record(message: str, says: str) -> None:
    answer = _last("draft an email to Jack Russel that the quote is coming", message)
    assert says in answer["response"]
    assert not any(name.startswith(("create_", "update_", "delete_", "send_")) for name in _tools(answer))


@pytest.mark.parametrize(
    ("message", "guests"),
    [
        (
            "schedule a meeting with Jack Russel next tuesday at 3pm and invite pat@x.example and bob@demo.example",
            ("jack.russel@abccorp.example", "pat@x.example", "bob@demo.example"),
        ),
        (
            "Invite Kenji Watanabe to a meeting on Thursday at 11, also send it to anna@x.example and ben@y.example",
            ("kenji.watanabe@sakurarobotics.example", "anna@x.example", "ben@y.example"),
        ),
        (
            "set up a meeting with John Doe on friday 10am with john.smith@xyzinc.example and John Brown",
            ("john.doe@abccorp.example", "john.smith@xyzinc.example", "john.brown@freelance.example"),
        ),
    ],
)
def test_all_who_are_named_are_invited_to_one_meeting(message: str, guests: tuple[str, ...]) -> None:
    answer = _last(message)
    assert _tools(answer).count("schedule_meeting") == 1
    assert all(guest in answer["response"] for guest in guests)


def test_the_company_of_a_deal_is_called_by_its_name() -> None:
    answer = _last("what's the stage of Helios Solar Field Service", "who else works there")
    assert "There are 2 contacts at Helios Solar" in answer["response"]


def test_a_right_belief_about_a_number_is_confirmed_with_the_record() -> None:
    _, told, shown = Stage(REGISTRY, NOW, "bob").converse(
        "how many warm leads do I have?", "I think I only have 1", "yes"
    )
    assert told["response"] == (
        "Yes, you have 1 warm lead: **Liam Gallagher-Byrne**. Would you like to see the details?"
    )
    assert "**Liam Gallagher-Byrne** is a warm lead" in shown["response"]


@pytest.mark.parametrize(
    ("belief", "reply"),
    [
        ("I think I only have 1", "Not quite, you have 6 warm leads."),
        ("I thought I had six", "Yes, you have 6 warm leads."),
        ("I thought there were more", "As far as I can see, you have 6 warm leads."),
        ("don't I have only two?", "Not quite, you have 6 warm leads."),
    ],
)
def test_a_belief_about_a_number_is_put_right(belief: str, reply: str) -> None:
    assert _last("Show me my warm leads", belief)["response"] == reply


def test_suggestions_are_taken_up_and_put_off_by_their_places() -> None:
    *_, taken, put_off = Stage(REGISTRY, NOW).converse(
        "run the stale leads scan",
        "what ideas do you have stored for me?",
        "take the second one",
        "put the third off till Monday",
    )
    assert _tools(taken) == ["accept_suggestion"]
    assert taken["toolCalls"][-1]["arguments"] == {"place": 2}
    assert _tools(put_off) == ["snooze_suggestion"]
    assert "until Mon, Mar 9" in put_off["response"]


def test_a_scan_can_be_for_what_is_severe_alone() -> None:
    (scan,) = _last("scan the data quality, high severity only")["toolCalls"]
    assert (scan["name"], scan["arguments"]) == ("run_scan", {"scan_type": "data_quality", "severity": "high"})


@pytest.mark.parametrize("name", ["Jack Rusell", "Jak Russel"])
def test_a_person_of_a_similar_name_is_asked_about(name: str) -> None:
    asked, told = Stage(REGISTRY, NOW).converse(f"Tell me about {name}", "yes")
    assert f"The closest that I found to “{name}” is the lead Jack Russel (ABC Corp)." in asked["response"]
    assert "**Jack Russel** is a warm lead" in told["response"]


@pytest.mark.parametrize(
    ("message", "asked"), [("Tell me about Zorblax Quimby", "Tell me the name again"), ("Call John at 3", "Which one")]
)
def test_a_yes_that_says_too_little_is_told_what_is_asked(message: str, asked: str) -> None:
    reply = _last(message, "yes")["response"]
    assert "A yes alone doesn't tell me which." in reply
    assert asked in reply


def test_a_colleague_can_not_be_invited_and_is_named() -> None:
    answer = _last("schedule a meeting with bob tomorrow at 3pm")
    assert answer["response"].startswith("I can't add Bob: only leads, contacts and email addresses can come.")


def test_no_condition_of_an_exact_amount_is_dropped() -> None:
    assert "There are 2 deals worth $64,000" in _last("which deals are worth exactly 64000")["response"]


def test_of_two_accounts_of_one_name_the_user_chooses_before_a_conversion() -> None:
    _, asked, chosen, done = Stage(REGISTRY, NOW).converse(
        "Create another account called ABC Corp", "convert Jack Russel", "the first one", "yes"
    )
    assert "I found 2 records for ABC Corp" in asked["response"]
    assert chosen["status"] == "needs_confirmation"
    assert "Shall I convert Jack Russel to a contact of ABC Corp?" in chosen["response"]
    assert "converted Jack Russel to a contact of ABC Corp" in done["response"]


@pytest.mark.parametrize(
    "message", ["how is the goal Win six new customers doing?", "how is the goal Win six new customers"]
)
def test_how_a_goal_is_doing_is_told_with_its_key_results(message: str) -> None:
    reply = _last(message)["response"]
    assert "**Win six new customers** is at **46%**" in reply
    assert "New customers: 2 of 6" in reply
