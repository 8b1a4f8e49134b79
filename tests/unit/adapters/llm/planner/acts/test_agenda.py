from typing import Any

import pytest

from aisha.adapters.llm.planner import acts
from tests.support.dialogue.planner import demo_desk, run

acts.load()
DEMO = demo_desk()
"""Lists change nothing, so that all tests share it."""


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("what do I have {when:tomorrow}", {"owner": "me", "due_after": "2026-03-05T00:00:00-05:00"}),
        ("what's {value:overdue}", {"status": "overdue"}),
        ("my meetings {when:next week}", {"owner": "me", "activity_type": "meeting"}),
        ("show everything that's still open for me", {"owner": "me", "status": "scheduled"}),
        ("when's my next meeting", {"activity_type": "meeting", "status": "scheduled", "limit": 1}),
        ("activities about {topic:the pilot}", {"name_contains": "the pilot"}),
    ],
)
def test_filters_come_from_the_words(line: str, arguments: dict[str, Any]) -> None:
    called = run(f"list_activities: {line}", DEMO).arguments("list_activities")
    assert {name: called.get(name) for name in arguments} == arguments


def test_activities_of_a_record_are_those_of_any_status() -> None:
    called = run("list_activities: activities of {name:Jack Russel}", DEMO).arguments("list_activities")
    assert called["entity_type"] == "lead"
    assert not {"status", "owner"} & called.keys()


def test_list_is_grouped_by_day_and_numbered_throughout() -> None:
    played = run("list_activities: what do I have {when:next week}", DEMO)
    assert played.text.startswith("You have 5 activities from Mon, Mar 9 to Sun, Mar 15:")
    assert "**Tue, Mar 10**\n3. " in played.text
    assert [one.type for one in played.topic.refs].count("activity") == 5


def test_past_is_told_in_the_past() -> None:
    assert run("list_activities: what did I have {when:last week}", DEMO).text.startswith("You had 8 activities")


def test_total_is_told_when_there_are_more() -> None:
    played = run("list_activities: what's open", DEMO)
    assert "more. Say" in played.text
    assert played.topic.search is not None
    assert played.topic.search.cursor


def test_nothing_found_is_one_sentence() -> None:
    text = run("list_activities: my demos {when:tomorrow}", DEMO).text
    assert text == "You have no demos tomorrow."


def test_last_one_is_the_newest_before_now() -> None:
    text = run("list_activities: my last call", DEMO).text
    assert text.startswith("Your last call")
    assert text.count("\n1. ") == 1


def test_namesakes_are_asked_about() -> None:
    assert "Which one do you mean?" in run("list_activities: calls with {name:John}", DEMO).text


def test_my_day_has_what_is_overdue_closing_and_hot() -> None:
    played = run("my_day: what's on {when:today}", DEMO)
    assert "**Overdue** (2)" in played.text
    assert "**Closing soon** (1)" in played.text
    assert played.tools == ["get_my_day"]


def test_another_day_is_a_list_of_activities() -> None:
    played = run("my_day: plan my {when:tomorrow}", DEMO)
    assert played.arguments("list_activities")["owner"] == "me"
