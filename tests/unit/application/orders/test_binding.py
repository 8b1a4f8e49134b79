"""Values that were said belong to the records and fields that they were said of."""

from datetime import UTC, datetime
from typing import Any

import pytest

from aisha.application.orders.matching.values import ValueCheck
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.tools import ToolSpec

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)
DATE = {"type": "string", "format": "date"}
SCHEMA: dict[str, Any] = {
    "properties": {
        "amount": {"type": "number"},
        "probability": {"type": "number"},
        "score": {"type": "number"},
        "employees": {"type": "number"},
        "close_date": DATE,
        "due_date": DATE,
        "job_title": {"type": "string"},
        "status": {"type": "string", "enum": ["qualified", "lost", "warm"]},
    }
}
SPEC = ToolSpec("update_lead", "", SCHEMA, {}, "leads", "write")
FRIDAY, MONDAY, TUESDAY = "2026-03-06", "2026-03-09", "2026-03-10"


def unstated(message: str, record: str, **fields: Any) -> list[str]:
    acts = ("create_activity", "change_activity") if "due_date" in fields else ("update_record",)
    utterance = Utterance(message, NOW, known_names=["Jack Russel", "Amara Okafor"])
    words = frozenset(record.lower().split())
    return [name for name, _ in ValueCheck(utterance, acts, SPEC, words, record_words=words).unstated(fields)]


TWO_RECORDS = [
    ("Move Acme to 50k and Globex to 70k", "amount", 50000, 70000),
    ("Make it 50k for Acme and 70k for Globex", "amount", 50000, 70000),
    ("Set the score of Acme to 80. Globex gets 60.", "score", 80, 60),
    ("Set Acme and Globex to scores of 80 and 90", "score", 80, 90),
    ("Set the close date of Acme to Friday and of Globex to Monday", "close_date", FRIDAY, MONDAY),
]


@pytest.mark.parametrize(("message", "field", "acme", "globex"), TWO_RECORDS)
def test_a_value_belongs_to_the_record_that_it_was_said_of(message: str, field: str, acme: Any, globex: Any) -> None:
    assert unstated(message, "Acme", **{field: acme}) == []
    assert unstated(message, "Globex", **{field: globex}) == []
    assert unstated(message, "Acme", **{field: globex}) == [field]
    assert unstated(message, "Globex", **{field: acme}) == [field]


@pytest.mark.parametrize(
    ("message", "right", "wrong"),
    [
        ("Set Jack Russel's score to 80, he has 5 employees", {"score": 80}, {"score": 5}),
        ("Set Jack Russel's amount to 50k and the probability to 70", {"amount": 50000}, {"amount": 70}),
        ("Set Jack Russel's amount to 50k and the probability to 70", {"probability": 70}, {"probability": 50000}),
        ("Schedule a call with Jack Russel on Monday, close date Friday", {"due_date": MONDAY}, {"due_date": FRIDAY}),
        ("Call Jack Russel on Monday, close date Friday", {"close_date": FRIDAY}, {"close_date": MONDAY}),
        ("Change Jack Russel's title to Lost Property Manager", {}, {"status": "lost"}),
        ("Update Jack Russel: amount 50k, probability 60", {"amount": 50000, "probability": 60}, {"amount": 60}),
    ],
)  # fmt: skip
def test_a_value_belongs_to_the_field_that_it_was_said_of(
    message: str, right: dict[str, Any], wrong: dict[str, Any]
) -> None:
    assert unstated(message, "Jack Russel", **right) == []
    assert unstated(message, "Jack Russel", **wrong) == list(wrong)


@pytest.mark.parametrize(
    ("message", "fields"),
    [
        ("Set the score of Acme and Globex to 80", {"score": 80}),
        ("Schedule a call with Acme on Friday about the renewal at 3", {"due_date": "2026-03-06T15:00:00"}),
        ("Raise the amount of Acme from 40k to 50k", {"amount": 50000}),
        ("Book a 30 minute call with Acme on Friday", {"due_date": FRIDAY}),
        ("Move the call with Acme from Monday to Tuesday", {"due_date": TUESDAY}),
    ],
)
def test_values_that_nothing_else_claims_are_the_calls(message: str, fields: dict[str, Any]) -> None:
    assert unstated(message, "Acme", **fields) == []


def test_of_two_values_that_nothing_tells_apart_neither_is_taken() -> None:
    message = "Set Acme to 50k, it was about 40k before"
    assert unstated(message, "Acme", amount=40000) == ["amount"]


@pytest.mark.parametrize(
    "message", ["Set 80 as the score of Acme and 60 as its probability", "Acme: 80 as score, 60 as probability"]
)
def test_a_value_before_as_is_of_the_field_after_it(message: str) -> None:
    assert unstated(message, "Acme", score=80) == []
    assert unstated(message, "Acme", probability=80) == ["probability"]
