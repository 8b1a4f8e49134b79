"""Questions of those who prepare calls and reviews: briefings, reasons, risks, and small changes after them."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import replies
from tests.support.tenants.desk import REGISTRY

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("move", ["push it to tomorrow morning", "move it to friday at 3", "shift it to Monday 9am"])
def test_a_deal_is_not_moved_to_a_time_of_day_unasked(move: str) -> None:
    *_, reply = replies("tell me about the Redwood deal", move)
    assert "shall I change the close date of the deal Redwood Media Expansion" in reply


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("why did we lose XYZ?", "XYZ Inc Platform Rollout is a deal in the closed lost stage"),
        ("how come the Redwood deal is only at proposal?", "Share case study"),
        ("why is Blue Harbor at risk?", "Decision expected after the next budget round"),
        ("why did Fatima Al-Rashid go cold?", "Fatima Al-Rashid is a lost lead"),
    ],
)
def test_a_reason_is_not_made_up_but_what_is_on_record_is_told(question: str, said: str) -> None:
    (reply,) = replies(question)
    assert reply.startswith("The records give no reason as such.")
    assert said in reply


def test_a_time_still_to_come_does_not_limit_a_history() -> None:
    (reply,) = replies("Seeing Kofi Mensah at two, what happened with him so far?")
    assert "Helios Solar Annual License ended as closed won" in reply


@pytest.mark.parametrize(
    "message",
    [
        "I've got a call with Jack Russel in ten minutes, brief me",
        "Call with Jack Russel in ten minutes. Brief me.",
        "Jack Russel's on line two. What should I know?",
        "I have a meeting with Jack Russel at noon, prep me please",
        "brief me on Jack Russel",
    ],
)
def test_a_briefing_is_about_whom_the_words_before_it_name(message: str) -> None:
    (reply,) = replies(message)
    assert reply.startswith("**Jack Russel** is a warm lead")
    assert "Last note: Awaiting callback" in reply


def test_an_order_beside_a_briefing_is_done() -> None:
    (reply,) = replies("book a call with Lars Eriksen tomorrow at 3 and brief me")
    assert "I've scheduled **Call with Lars Eriksen**" in reply
    assert "**Lars Eriksen** is a warm lead" in reply


def test_a_bare_briefing_is_about_the_day() -> None:
    assert replies("brief me")[0].startswith("Here is your day")


@pytest.mark.parametrize(
    "line", ["log a call with Lars Eriksen today", "please record my meeting with Jack Russel today"]
)
def test_what_is_logged_for_today_has_taken_place(line: str) -> None:
    assert "as completed, today" in replies(line)[0]


@pytest.mark.parametrize(
    "question",
    [
        "which of my deals are likely to slip this quarter?",
        "Going into month-end, which of my March deals look shaky and why?",
        "any deals of mine in danger this month?",
        "What's stuck in my pipeline?",
        "I want to use the time well. Which of my deals should I worry about?",
    ],
)
def test_deals_that_may_slip_are_told_with_the_reasons(question: str) -> None:
    (reply,) = replies(question)
    assert "may slip" in reply
    assert "1. **Blue Harbor Fleet Tracking**" in reply
    assert "its account is churning; it is only in prospecting" in reply
    assert "**Falcon Aerospace" not in reply


def test_the_first_deal_that_may_slip_can_be_moved() -> None:
    *_, reply = replies("which of my deals are likely to slip this quarter?", "move the first one to the 15th of April")
    assert "I've updated **Blue Harbor Fleet Tracking**: close date is now **Wed, Apr 15**" in reply


def test_accounts_to_worry_about_are_those_in_bad_health() -> None:
    (reply,) = replies("Which accounts should I worry about?")
    assert reply.startswith("There are 3 accounts that are at risk or churning")


@pytest.mark.parametrize("question", ["Who's my best lead and why?", "Who is my hottest lead? Why her?"])
def test_the_first_lead_is_told_with_the_points_of_its_score(question: str) -> None:
    (reply,) = replies(question)
    assert reply.startswith("Your most promising lead is **Aaliyah Freeman**")
    assert "- The lead is warm: +20 points" in reply


def test_a_reason_joined_to_a_question_is_told_too() -> None:
    (reply,) = replies("what's the stage of the Redwood deal and why hasn't it moved?")
    assert reply.startswith("The stage of **Redwood Media Expansion** is **proposal**.\n\nThe records give no reason")


@pytest.mark.parametrize(
    ("again", "said"),
    [
        ("also to their pilot deal", "ABC Corp Pilot Project?"),
        ("and to Lars Eriksen as well", "I've added the note to **Lars Eriksen**: “budget got approved”"),
        ("also to Jack Russel and Lars Eriksen", "**Jack Russel** and **Lars Eriksen**: “budget got approved”"),
        ("same for him", "Whom or what is the note about?"),
        ("and on Friday", "Shall I add that as a note"),
    ],
)
def test_a_note_that_is_repeated_keeps_its_words(again: str, said: str) -> None:
    *_, reply = replies("Add a note to ABC Corp: budget got approved", again)
    assert said in reply
    assert f"approved {again.split()[-1]}" not in reply


def test_whom_a_pronoun_means_is_compared_with_another() -> None:
    *_, reply = replies("Who's my best lead?", "compare her with Lars Eriksen")
    assert reply.startswith("Aaliyah Freeman and Lars Eriksen side by side")


def test_a_deal_of_the_company_of_a_person_is_told_by_its_words() -> None:
    *_, reply = replies("who is Kofi Mensah", "what's their renewal worth?")
    assert reply == "The amount of **Helios Solar Support Renewal** is **$23,000**."


@pytest.mark.parametrize(
    "question", ["who's gone quiet on me?", "which leads have gone cold?", "leads that went silent"]
)
def test_who_went_quiet_was_not_contacted_for_a_while(question: str) -> None:
    (reply,) = replies(question)
    assert reply.startswith("There are 5 leads last contacted on or before Mon, Feb 2 and still open")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("brief me before my call with Paloma", "Paloma Ortega"),
        ("prep me for my meeting with Kofi", "Kofi Mensah"),
        ("what should I know before I see Giorgio?", "Giorgio Conti"),
    ],
)
def test_a_briefing_for_a_call_is_on_whom_it_is_with(line: str, name: str) -> None:
    answer = Stage(REGISTRY, NOW).say(line)
    assert answer["response"].startswith(f"**{name}** is")
    assert all(one["name"].startswith(("get_", "search_", "list_")) for one in answer["toolCalls"])
