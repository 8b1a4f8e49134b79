import pytest
from msgspec.structs import replace

from aisha.adapters.llm.planner import acts
from aisha.adapters.llm.planner.state import Topic
from tests.support.dialogue.planner import demo_desk, ref, replies, run

acts.load()
DEMO = demo_desk()
OFFERS = ("schedule a call with Jack Russel", "draft an email to Jack Russel", "add a note for Jack Russel")


def _topic(*offers: str) -> Topic:
    return Topic((ref(DEMO, "lead", "Jack Russel"),), offers=offers)


def test_advice_is_for_the_record_that_is_named() -> None:
    played = run("next_steps: what should I do next with {name:Jack Russel}", DEMO)
    assert played.arguments("suggest_next_actions")["entity_type"] == "lead"
    assert "1. **Schedule a follow-up call with Jack Russel** (**Urgent**): " in played.text
    assert played.topic.offers[0] == "schedule a call with Jack Russel"


def test_advice_is_for_the_record_that_was_spoken_of() -> None:
    assert "entity_id" in run("next_steps: what now", DEMO, _topic()).arguments("suggest_next_actions")


@pytest.mark.parametrize("line", ["what should I do this week", "what next in my pipeline"])
def test_advice_for_all_work_has_no_record(line: str) -> None:
    assert not run(f"next_steps: {line}", DEMO, _topic()).arguments("suggest_next_actions")


def test_what_is_overdue_comes_first_where_that_is_asked() -> None:
    text = run("next_steps: an hour till {name:standup}, what should I do first", DEMO).text
    assert text.startswith("Overdue, and first of all: **Call Rafael Monteiro about the pilot** and **Send the revised")
    assert "Here is what I'd do next:" in text


def test_advice_after_a_list_has_no_record() -> None:
    listed = Topic(tuple(ref(DEMO, "lead", name) for name in ("Jack Russel", "Lars Eriksen")))
    assert not run("next_steps: what should I do", DEMO, listed).arguments("suggest_next_actions")


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("do the first one", "create_activity"),
        ("ok do that", "create_activity"),
        ("create the follow-up activity now", "create_activity"),
        ("do the second one", "draft_email"),
        ("do number two", "draft_email"),
        ("take option 2", "draft_email"),
        ("go with the email", "draft_email"),
    ],
)
def test_advice_is_taken_up_by_place_or_kind(line: str, tool: str) -> None:
    assert run(f"take_up: {line}", demo_desk(), _topic(*OFFERS)).tools[-1] == tool


def test_time_of_the_answer_is_added() -> None:
    played = run("take_up: do the first one {when:on Friday at 3pm}", demo_desk(), _topic(*OFFERS))
    assert played.arguments("create_activity")["due_date"].startswith("2026-03-06T15:00")


@pytest.mark.parametrize("line", ["send it", "do the fifth one"])
def test_what_was_not_offered_is_not_done(line: str) -> None:
    played = run(f"take_up: {line}", demo_desk(), _topic(*OFFERS))
    assert "nothing waiting" in played.text
    assert not played.tools


def test_draft_that_waits_is_sent() -> None:
    topic = replace(_topic("send the email to Jack Russel"), draft=("Renewal", "Shall we talk?"))
    assert run("take_up: send it", demo_desk(), topic).tools[-1] == "send_email"


def test_follow_up_without_an_offer_is_planned_for_the_record_spoken_of() -> None:
    played = run("take_up: create the follow-up activity now", demo_desk(), _topic())
    assert played.arguments("create_activity")["title"] == "Follow-up call with Jack Russel"


def test_last_change_is_told() -> None:
    topic = Topic(written="You just cancelled **Discovery call**.")
    assert run("last_action: what did you just do", DEMO, topic).text == "You just cancelled **Discovery call**."


def test_no_change_is_told() -> None:
    assert "haven't changed anything" in run("last_action: what did you just do", DEMO).text


def test_whom_to_ring_first_means_no_place_in_the_list_before() -> None:
    reply = replies("what's on my plate today", "who should I ring first and why")[-1]
    assert reply.startswith("Overdue, and first of all: **Call Rafael Monteiro")
