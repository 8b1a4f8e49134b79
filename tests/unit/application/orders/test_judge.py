"""The judge of a call against the user's words: which are an order of it, and for which record."""

from datetime import UTC, datetime
from typing import Any

import pytest

from aisha.application.orders.judge import Judgement, Scene, judge
from aisha.application.orders.said import Said
from aisha.application.orders.targets import Focus, Spoken, spoken
from aisha.domain.tools import ToolCall, ToolSpec

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)
JACK, OMAR = "lead_01KJWNSTC09TMXGZ2GFDXDYS43", "lead_01KJWNSTC09TMXGZ2GFDXDYS44"
NAMES = {JACK: "Jack Russel", OMAR: "Omar Benali"}
SCHEMA: dict[str, Any] = {
    "properties": {
        "lead_id": {"type": "string"},
        "status": {"type": "string", "enum": ["qualified", "lost", "warm"]},
        "score": {"type": "number"},
        "email": {"type": "string"},
    }
}
UPDATE = ToolSpec(
    "update_lead", "Change a lead.", SCHEMA, {}, "leads", "write", ordered_by=("update_record", "advance_stage")
)


def lead(record_id: str) -> Spoken:
    return spoken(record_id, [NAMES[record_id]])


def judged(message: str, lead_id: str = JACK, focus: Focus | None = None, **fields: Any) -> Judgement:
    said = Said(message, NOW, known_names=list(NAMES.values()))
    call = ToolCall("c1", "update_lead", {"lead_id": lead_id, **fields}, UPDATE)
    stored = {"score": 50}
    return judge(call, said, Scene(focus or Focus(), lead, lambda _: stored, sight=("records",)))


@pytest.mark.parametrize(
    "message",
    [
        "Set Jack Russel to lost",
        "I want Jack Russel marked as lost",
        "Jack Russel -> lost",
        "could you set Jack Russel to lost?",
        "Set Jack Russel to lost, ok?",
        "Jack Russel chose a competitor, mark him as lost",
        "We talked on Monday. Set Jack Russel to lost please",
    ],
)
def test_an_order_of_the_main_clause_is_one(message: str) -> None:
    assert judged(message, status="lost").is_ordered


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Tell bob to set Jack Russel to lost", "you only spoke of it"),
        ("Set Jack Russel to lost when he declines", "you said “when”"),
        ("Once he declines, set Jack Russel to lost", "you said “once”"),
        ("Mark Jack Russel as lost tomorrow", "you said “tomorrow”"),
        ("I will mark Jack Russel as lost", "you only spoke of it"),
        ("As agreed, Jack Russel is lost", "you only spoke of it"),
        ("You set Jack Russel to lost?", "you asked about it"),
        ("show Jack Russel as lost", "you asked about it"),
        ("Ne mets plus Jack Russel en lost", "you may have said not to"),
    ],
)
def test_what_only_has_the_words_of_an_order_waits_with_its_reason(message: str, reason: str) -> None:
    assert judged(message, status="lost").reason == reason


def test_a_name_after_not_is_excepted() -> None:
    message = "Raise Jack Russel's score to 90, not the one of Omar Benali"
    assert judged(message, JACK, score=90).is_ordered
    assert judged(message, OMAR, score=90).reason == "you did not mention “Omar Benali”"


def test_a_number_by_which_a_value_changes_is_no_value() -> None:
    assert judged("Raise Jack Russel's score by 5", score=55).is_ordered
    assert judged("Raise Jack Russel's score by 5", score=5).reason == "you did not say the score"


def test_a_number_without_its_field_is_no_value() -> None:
    assert judged("Set Jack Russel to 9", score=9).reason == "you did not say the score"


def test_an_address_to_write_to_is_no_new_address() -> None:
    assert not judged(
        "Write to jack@new.example that Jack Russel's status is warm", email="jack@new.example"
    ).is_ordered
    assert judged("Jack Russel's email is jack@new.example now", email="jack@new.example").is_ordered


@pytest.mark.parametrize(
    ("before", "is_ordered"), [("Show me Jack Russel", True), ("Who is there?", True), ("Show me Omar Benali", False)]
)
def test_a_pronoun_is_nobody_whom_the_user_has_not_spoken_of(before: str, is_ordered: bool) -> None:
    focus = Focus(first=(JACK,), spoken=before)
    assert judged("Set his status to warm", focus=focus, status="warm").is_ordered is is_ordered


def test_whom_the_last_reply_showed_may_be_meant() -> None:
    focus = Focus(first=(JACK,), shown=(JACK,), spoken="Show me Omar Benali")
    assert judged("Set his status to warm", focus=focus, status="warm").is_ordered
