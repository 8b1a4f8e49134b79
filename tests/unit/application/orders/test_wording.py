"""The reasons in questions are sentences that a colleague might say."""

import pytest

from aisha.application.orders import wording
from aisha.application.tooling import ToolRegistry
from tests.attack.doors import Desk
from tests.fakes.models.scripted_model import ask


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("duration_minutes", "I did not find the duration in your message"),
        ("activity_type", "I did not find the kind of activity in your message"),
        ("job_title", "I did not find the job title in your message"),
        ("employee_count", "I did not find the number of employees in your message"),
        ("do_not_call", "I'm not sure that you want to change “do not call”"),
    ],
)
def test_a_value_that_was_not_said_is_named_as_people_call_it(field: str, reason: str) -> None:
    assert wording.not_found(field) == reason


def test_a_value_that_was_said_of_something_else_is_not_said_to_be_missing() -> None:
    assert wording.not_found("amount", is_mentioned=True) == "I'm not sure that you mean this as the amount"


def test_a_record_that_is_not_meant_is_named_where_it_has_a_name() -> None:
    assert wording.not_meant("", is_mentioned=False) == "I'm not sure which record you mean"
    assert wording.not_meant("Ann Lee", is_mentioned=False) == "I'm not sure that you mean “Ann Lee”"
    assert "you mentioned “Ann Lee”" in wording.not_meant("Ann Lee", is_mentioned=True)


def test_what_was_read_is_enumerated_once() -> None:
    reason = wording.after_reading(wording.UNSURE, ["records", "documents", "records", "memories"])
    assert reason == f"{wording.UNSURE}, and I have just read records, documents and memories"
    assert wording.without_sources(reason) == wording.UNSURE


def test_a_question_gives_its_reason(registry: ToolRegistry) -> None:
    desk = Desk(registry, "chat", lambda request: [ask("create_activity", **arguments)])
    arguments = {
        "entity_type": "lead",
        "entity_id": desk.stage.id_of("lead:Omar Benali"),
        "activity_type": "call",
        "title": "Call with Omar Benali",
        "due_date": "2026-03-05T15:00:00-05:00",
        "duration_minutes": 45,
    }
    desk.say("Schedule a call with Omar Benali tomorrow at 3pm")
    assert "I ask because I did not find the duration in your message." in desk.outcome.questions[0]
