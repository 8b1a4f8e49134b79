"""Keep in mind what a user creates in words, beside whom it is about; said to the offline planner."""

import pytest

from tests.conversations.test_stored_suggestions import tools
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.tenants.desk import REGISTRY


def names(answer: dict[str, object]) -> list[tuple[str, str]]:
    entities = answer["entities"]
    assert isinstance(entities, list)
    return [(one["type"], one["name"]) for one in entities]


def test_a_created_person_is_the_one_that_the_next_sentences_are_about() -> None:
    created, advised, changed = Stage(REGISTRY, NOW).converse(
        "Create a lead Mona Brick from Brickworks", "What should I do next?", "change her status to warm"
    )
    assert names(created)[0] == ("lead", "Mona Brick")
    assert "**Mona Brick**" in advised["response"]
    assert tools(changed) == ["update_lead"]


@pytest.mark.parametrize(
    "message",
    [
        "Create an activity for Jack Russel",
        "meeting with jack and anna@far.example on friday at 10 for an hour",
        "Schedule a call with Jack Russel tomorrow at 3pm about the quote",
    ],
)
def test_a_created_activity_joins_the_session_behind_the_person_it_is_about(message: str) -> None:
    created, advised = Stage(REGISTRY, NOW).converse(message, "What should I do next?")
    assert names(created)[0] == ("lead", "Jack Russel")
    assert [kind for kind, _ in names(created)][1:] == ["activity"]
    assert tools(advised)[0] == "suggest_next_actions"
    assert advised["toolCalls"][0]["arguments"]["entity_type"] == "lead"


@pytest.mark.parametrize(
    ("message", "attendees", "duration"),
    [
        ("Schedule a meeting with Jack Russel next Tuesday at 3pm and send him an invitation", ["Jack Russel"], None),
        (
            "Schedule a meeting with Jack Russel and anna@far.example next Tuesday at 3pm for 45 minutes",
            ["Jack Russel", "anna@far.example"],
            45,
        ),
        (
            "please set up a meeting with Jack Russel and Rafael Monteiro next Tuesday at 3pm",
            ["Jack Russel", "Rafael Monteiro"],
            None,
        ),
    ],
)
def test_a_meeting_is_scheduled_with_everybody_named_and_its_invitation(
    message: str, attendees: list[str], duration: int | None
) -> None:
    (answer,) = Stage(REGISTRY, NOW).converse(message)
    assert answer["status"] == "completed"
    assert "create_activity" not in tools(answer)
    (call,) = [call for call in answer["toolCalls"] if call["name"] == "schedule_meeting"]
    assert call["status"] == "executed"
    assert (call["arguments"]["attendees"], call["arguments"].get("duration")) == (attendees, duration)
    assert "The invitation for" in answer["response"]


def test_nobody_is_asked_to_convert_a_converted_lead_again() -> None:
    stage = Stage(REGISTRY, NOW)
    *_, again = stage.converse("Convert the lead Jack Russel", "yes", "Convert the lead Jack Russel")
    assert "confirmation" not in again or again["confirmation"] is None
    assert "already been converted" in again["response"]
