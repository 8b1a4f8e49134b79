"""The words of a message that say a call's record and values are told from names and values of others."""

from datetime import UTC, datetime
from typing import Any

import pytest

from aisha.application.orders.matching.marking import marks_for
from aisha.domain.language.models.order_form import FIELD, OTHER_NAME, OTHER_VALUE, TARGET, TIME, VALUE
from aisha.domain.language.tokens import tokenize

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)


def marked(message: str, **arguments: Any) -> dict[str, str]:
    """Return the marked words with their marks, for a call on Jack Russel in a message that may name Omar Benali."""
    tokens = tokenize(message)
    marks = marks_for(
        tokens,
        message,
        {"lead_id": "lead_01KJWNSTC09TMXGZ2GFDXDYS43", "entity_type": "lead", **arguments},
        target_words=frozenset(("jack", "russel", "the")),
        name_words=frozenset(("omar", "benali", "jack")),
        now=NOW,
    )
    return {token.word: mark for token, mark in zip(tokens, marks, strict=True) if mark}


JACK = {"jack": TARGET, "russel": TARGET}


@pytest.mark.parametrize(
    ("message", "arguments", "expected"),
    [
        ("set Jack Russel to lost", {"status": "lost"}, {**JACK, "lost": VALUE}),
        ("set Jack Russel to lost", {"status": "warm"}, {**JACK, "lost": OTHER_VALUE}),
        ("set the lead to lost", {"status": "lost"}, {"lost": VALUE}),
        ("set him to lost", {"status": "lost"}, {"him": TARGET, "lost": VALUE}),
        ("tell Omar to set it to lost", {"status": "lost"}, {"omar": OTHER_NAME, "it": TARGET, "lost": VALUE}),
        ("Jack Russel knows Omar, flag him", {}, {**JACK, "omar": OTHER_NAME}),
        ("the score of Jack Russel is 80", {"score": 80}, {**JACK, "score": FIELD, "80": VALUE}),
        ("the score of Jack Russel is 80", {"score": 70}, {**JACK, "score": FIELD, "80": OTHER_VALUE}),
        ("give Jack Russel 50k", {"amount": 50000}, {**JACK, "50k": VALUE}),
        ("give Jack Russel 50k", {"amount": 50001}, {**JACK, "50k": OTHER_VALUE}),
        ("do not call Jack Russel", {"do_not_call": True}, {**JACK, "do": VALUE, "not": VALUE, "call": VALUE}),
        ("no calls to Jack Russel", {"do_not_call": True}, {**JACK, "no": VALUE, "calls": VALUE}),
        ("mail a@x.example to Jack Russel", {"email": "A@x.example"}, {**JACK, "a@x.example": VALUE}),
        ("mail a@x.example to Jack Russel", {"email": "b@x.example"}, {**JACK, "a@x.example": OTHER_VALUE}),
        (
            "Jack Russel is Head of Sales",
            {"job_title": "Head of Sales"},
            {**JACK, "head": VALUE, "of": VALUE, "sales": VALUE},
        ),
        ("close Jack Russel on Friday", {"close_date": "2026-03-06"}, {**JACK, "on": VALUE, "friday": VALUE}),
        ("close Jack Russel on Friday", {"close_date": "2026-03-09"}, {**JACK, "on": TIME, "friday": TIME}),
    ],
)
def test_words_are_marked_as_what_they_are_for_the_call(
    message: str, arguments: dict[str, Any], expected: dict[str, str]
) -> None:
    got = marked(message, **arguments)
    assert {word: got.get(word, "") for word in expected} == expected
    assert VALUE not in {mark for word, mark in got.items() if word not in expected}
