"""Suggestions, goals, documents and jobs are asked for in words, with the offline planner."""

from typing import Any

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.product_tools import product_tools

REGISTRY = product_tools()


def tools(answer: dict[str, Any]) -> list[str]:
    return [call["name"] for call in answer["toolCalls"] if call["name"] != "req_more_info"]


def test_suggestions_are_listed_accepted_undone_and_dismissed() -> None:
    _, listed, accepted, undone, dismissed = Stage(REGISTRY, NOW).converse(
        "run a scan for stale leads",
        "do I have any suggestions waiting?",
        "please accept the second suggestion",
        "undo that",
        "dismiss the first suggestion",
    )
    assert tools(listed) == ["list_suggestions"]
    assert tools(accepted) == ["accept_suggestion"]
    assert accepted["status"] == undone["status"] == dismissed["status"] == "completed"
    second = next(line for line in listed["response"].splitlines() if line.startswith("2. ")).split("**")[1]
    assert second in accepted["response"]
    assert "created activity" in accepted["response"]
    assert tools(undone) == ["undo_last"]
    first = listed["response"].splitlines()[0].split("**")[1]
    assert first in dismissed["response"]


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("Which documents do we have?", "list_documents"),
        ("What happened with similar deals?", "get_ai_memory"),
        ("How did similar cases end?", "get_ai_memory"),
        ("what is running in the background right now?", "get_background_jobs"),
        ("When did the last sweep run?", "get_background_jobs"),
        ("which scan would you recommend I run next?", "recommend_scan"),
        ("Show all pending activities", "list_activities"),
        ("Run the next steps scan", "run_scan"),
        ("What should I do next?", "suggest_next_actions"),
        ("What is the current status of this project?", "get_status_report"),
        ("Please analyze the current project insights and goals.", "get_status_report"),
        ("hey, how's the project going?", "get_status_report"),
        ("Status", "get_status_report"),
        ("status report please", "get_status_report"),
        ("what are our goals?", "get_goals"),
        ("How does my pipeline look?", "get_pipeline_summary"),
    ],
)
def test_each_question_is_answered_by_its_tool(message: str, tool: str) -> None:
    (answer,) = Stage(REGISTRY, NOW).converse(message)
    assert tools(answer) == [tool]


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Create a goal: close 10 deals this quarter", "close 10 deals this quarter"),
        ("please add a new goal Visit five customers a week", "Visit five customers a week"),
    ],
)
def test_a_goal_is_created_in_words_and_no_deal_is_touched(message: str, title: str) -> None:
    (answer,) = Stage(REGISTRY, NOW).converse(message)
    assert tools(answer) == ["create_goal"]
    assert answer["toolCalls"][-1]["arguments"] == {"title": title}
    assert answer["status"] == "completed"
    assert title in answer["response"]


@pytest.mark.parametrize(
    "message", ["What is the current status of this project?", "Please analyze the current project insights and goals."]
)
def test_the_state_of_the_work_is_told_with_pipeline_goals_and_what_is_urgent(message: str) -> None:
    (answer,) = Stage(REGISTRY, NOW).converse(message)
    assert answer["status"] == "completed"
    for part in ("open deals**", "leads**", "**Goals**", "% done", "**What needs attention**"):
        assert part in answer["response"]


def test_the_status_of_a_record_is_told_where_one_is_named_or_in_mind() -> None:
    named, pointed = Stage(REGISTRY, NOW).converse(
        "What's the current status of Jack Russel?", "what is the current status?"
    )
    assert "get_status_report" not in tools(named) + tools(pointed)
    assert "**Jack Russel**" in named["response"]
    assert "**Jack Russel**" in pointed["response"]
