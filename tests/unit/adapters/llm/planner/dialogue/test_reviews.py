"""Questions of those who prepare calls and reviews: briefings, reasons, risks, and small changes after them."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.tenants.desk import REGISTRY

pytestmark = pytest.mark.slow


def replies(*messages: str) -> list[str]:
    """Return the replies to the messages of one conversation over new demo data."""
    stage, conversation, texts = Stage(REGISTRY, NOW), None, []
    for message in messages:
        answer = stage.say(message, conversation)
        conversation = answer["conversationId"]
        texts.append(str(answer["response"]))
    return texts


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
    (reply,) = replies("Seeing Kofi Mensah at two. Fill me in.")
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
