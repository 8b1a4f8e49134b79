"""JSON as a compact text."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from aisha.domain.json_text import compact_json


@pytest.mark.parametrize("value", [{"name": "Zoë 😀"}, {"half": "\ud83d"}, [2**70, 1.5, None, True], "a\nb"])
def test_every_text_can_be_written_and_read_again(value: Any) -> None:
    text = compact_json(value)
    assert json.loads(text) == value
    text.encode()


def test_other_values_are_written_as_their_text() -> None:
    assert json.loads(compact_json({"on": date(2026, 3, 2), "amount": Decimal("1.50")})) == {
        "on": "2026-03-02", "amount": "1.50"
    }  # fmt: skip
