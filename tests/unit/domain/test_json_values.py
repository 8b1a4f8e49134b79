"""JSON: written as a compact text, and walked through."""

import json
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pytest

from aisha.domain.json_values import compact_json, texts_in, values_in, with_texts, without_none

VALUE = {"name": "Ann", "calls": [{"title": "Demo", "minutes": 30}, None], "tags": ("a", "b"), "own": {}}


@pytest.mark.parametrize("value", [{"name": "Zoë 😀"}, {"half": "\ud83d"}, [2**70, 1.5, None, True], "a\nb"])
def test_every_text_can_be_written_and_read_again(value: Any) -> None:
    text = compact_json(value)
    assert json.loads(text) == value
    text.encode()


def test_other_values_are_written_as_their_text() -> None:
    assert json.loads(compact_json({"on": date(2026, 3, 2), "amount": Decimal("1.50")})) == {
        "on": "2026-03-02", "amount": "1.50"
    }  # fmt: skip


def test_texts_are_found_at_any_depth_in_their_order() -> None:
    assert list(texts_in(VALUE)) == ["Ann", "Demo", "a", "b"]
    assert list(texts_in(MappingProxyType({"name": "Ann"}))) == ["Ann"]


def test_all_values_are_found_each_before_those_in_it() -> None:
    assert list(values_in(VALUE["calls"])) == [VALUE["calls"], {"title": "Demo", "minutes": 30}, "Demo", 30, None]


def test_texts_are_changed_and_nothing_else() -> None:
    upper = {"name": "ANN", "calls": [{"title": "DEMO", "minutes": 30}, None], "tags": ["A", "B"], "own": {}}
    assert with_texts(VALUE, str.upper) == upper


def test_members_that_are_none_are_left_out() -> None:
    assert without_none(name="Ann", age=None, score=0) == {"name": "Ann", "score": 0}
