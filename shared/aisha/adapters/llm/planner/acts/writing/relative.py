"""Compare a number with the stored one: "raise it by 10", "take 5,000 off", and "make it 60" of a deal of 52,000."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from aisha.adapters.llm.planner.acts.asks import writing_words
from aisha.adapters.llm.planner.acts.writing.values import Values
from aisha.domain.language.amounts import Amount, find_amounts
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token, tokenize

SUMS = frozenset(("amount", "estimated_value", "annual_revenue"))
"""Fields with sums of money."""
_UNITS = frozenset(("points", "point", "percent", "pts", "%"))

_PLUS = re.compile(r"(?<!\S)\+(?P<number>\d{1,9})(?![ \d-]*\d{3})")
"""Matches "+5", but not the beginning of a phone number."""


class Difference(Struct, frozen=True):
    """A number at `start` of a text that is said as a difference: below zero for what is taken off."""

    value: float
    is_percent: bool
    start: int
    end: int


def relative_values(ask: Ask, values: Values, record: Mapping[str, Any]) -> Values:
    """Return the values with a number that is only a difference added to the stored one, or taken off it.

    Of a sum of money a percentage is a part.
    """
    difference = difference_in(ask.text)
    # "Increase the amount by 10% and set the probability to 60": only one of the numbers is a difference.
    numbers = [name for name, value in values.items() if difference and _number(value) == abs(difference.value)]
    if difference is None or len(numbers) != 1:
        return values
    name = field = numbers[0]
    if difference.is_percent and name not in ask.fields:
        field = next((one for one in SUMS if one in record), name)
    stored = _number(record.get(field))
    if stored is None:
        return values
    is_part = difference.is_percent and field in SUMS
    changed = round(stored + (stored * difference.value / 100 if is_part else difference.value), 2)
    others = {one: value for one, value in values.items() if one != name}
    return {**others, field: int(changed) if changed.is_integer() else changed}


def meant_in_thousands(ask: Ask, values: Values, record: Mapping[str, Any]) -> str:
    """Return the field whose bare number is far below the stored amount, and near it in thousands; empty for none."""
    for name in SUMS & values.keys():
        value, stored = _number(values[name]) or 0, _number(record.get(name)) or 0
        is_bare = value >= 1 and re.search(rf"(?<![\w$€£.,]){value:g}(?![\w.,%]*\w)", ask.text) is not None
        if is_bare and value * 100 < stored and 0.1 <= value * 1000 / stored <= 10:
            return name
    return ""


def difference_in(text: str) -> Difference | None:
    """Return the one number that a text says as a difference, by the words around it; None for another one."""
    amounts, tokens = find_amounts(text.lower()), tokenize(text)
    signed = [(one, sign) for one in amounts if (sign := _sign(tokens, one))]
    if not signed and (plus := _PLUS.search(text)) is not None:
        return Difference(float(plus["number"]), False, *plus.span())
    if len(signed) != 1:
        return None
    amount, sign = signed[0]
    return Difference(sign * amount.value, amount.is_percent, amount.start, amount.end)


def _sign(tokens: Sequence[Token], amount: Amount) -> int:
    before = [one.word for one in tokens if one.end <= amount.start]
    after = [one.word for one in tokens if one.start >= amount.end]
    after = after[1:] if after[:1] and after[0] in _UNITS else after
    is_up, is_down = (not writing_words(key).isdisjoint(before) for key in ("raising", "lowering"))
    if before[-1:] == ["by"] and is_up != is_down:
        return 1 if is_up else -1
    if after[:1] in (["more"], ["less"]) and not {*after[1:2]} - {",", "."} and len(before) < 2:
        return 1 if after[0] == "more" else -1  # "And 5 more."
    if before[-1:] and before[-1] in ("add", "plus") and after[:1] and after[0] in ("to", "on"):
        return 1
    is_taken_off = before[-1:] and before[-1] in writing_words("lowering") and after[:1] == ["off"]
    return -1 if is_taken_off or (before[-1:] == ["minus"] and after[:1] and after[0] in ("from", "on")) else 0


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None
