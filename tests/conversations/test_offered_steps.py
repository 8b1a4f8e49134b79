"""Test that the planner understands whatever the assistant offers as a next step."""

import pytest

from aisha.adapters.llm.planner.replies import phrasing
from aisha.application.tooling import ToolRegistry, discover
from aisha.application.turn.followups import GENERAL_FOLLOW_UPS, RECORD_FOLLOW_UPS
from aisha.domain.tools import FollowUp
from tests.support.conversations import NOW, Stage

SUBJECTS = {
    "account": "ABC Corp",
    "opportunit": "Blue Harbor Fleet Tracking",
    "contact": "John Doe",
    "deal": "Blue Harbor Fleet Tracking",
}
NOT_UNDERSTOOD = phrasing.not_understood("|").split("|")
"""The words around what was not understood; also those of a doubt about a part of it."""
MISSING_TOOL = phrasing.no_tool()


def _offered() -> dict[str, tuple[str, FollowUp]]:
    """Return the tool that offers each step, and the step, by its text."""
    of_tools = {
        step.text: (spec.name, step) for spec in discover("aisha.tools").specs() for step in spec.typical_followups
    }
    return of_tools | {step.text: ("", step) for step in (*GENERAL_FOLLOW_UPS, *RECORD_FOLLOW_UPS)}


@pytest.fixture(scope="module")
def registry() -> ToolRegistry:
    return discover("aisha.tools")


@pytest.mark.parametrize(("offering", "step"), [pytest.param(*item, id=text) for text, item in _offered().items()])
def test_it_does_what_it_says(registry: ToolRegistry, offering: str, step: FollowUp) -> None:
    stage = Stage(registry, NOW)
    name = next((record for part, record in SUBJECTS.items() if part in offering), "Jack Russel")
    conversation = stage.say(f"Tell me about {name}")["conversationId"]
    if "activit" in offering or "meeting" in offering:
        stage.say(f"Schedule a call with {name} tomorrow", conversation)
    answer = stage.say(step.text.replace("{name}", name), conversation)
    assert not any(part in answer["response"] for part in NOT_UNDERSTOOD)
    assert MISSING_TOOL not in answer["response"]
    called = [call["name"] for call in answer["toolCalls"]]
    is_question = answer["response"].rstrip().endswith("?")
    family = (step.tool or "").partition("_")[2]
    assert step.tool is None or step.tool in called or is_question or any(family in one for one in called), called
