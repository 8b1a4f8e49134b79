"""Sums of money and other numbers of a text, and the rest of it."""

import re

from msgspec import Struct

from aisha.adapters.llm.offline.reading.tokens import blank_out
from aisha.domain.dates.durations import find_durations
from aisha.domain.language import amounts as language


class Amount(Struct, frozen=True):
    """A sum of money or a plain number. `relation` is its bound: "more", "less" or None."""

    value: float
    relation: str | None
    start: int
    end: int
    money: bool


def find_amounts(text: str) -> tuple[list[Amount], list[Amount], str]:
    """Return the sums of money, the other numbers, and the text with both blanked out."""
    amounts: list[Amount] = []
    numbers: list[Amount] = []
    for found in language.find_amounts(text):
        amount = Amount(found.value, found.relation, found.start, found.end, found.is_money)
        (amounts if found.is_money else numbers).append(amount)
        text = blank_out(text, found.start, found.end)
    for start, _, _ in find_durations(text):
        # This planner reads the unit of "30 mins" itself.
        if digits := re.match(r"\d+", text[start : start + 4]):
            numbers.append(Amount(float(digits[0]), None, start, start + digits.end(), False))
            text = blank_out(text, start, start + digits.end())
    return amounts, numbers, text
