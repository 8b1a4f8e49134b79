"""Compare a number with the stored one: "raise it by 10", "take 5,000 off", and "make it 60" of a deal of 52,000."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.planner.acts.asks import writing_words
from aisha.adapters.llm.planner.acts.writing.values import Values
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import Ask

SUMS = frozenset(("amount", "estimated_value", "annual_revenue"))
"""Fields with sums of money."""


def relative_values(ask: Ask, values: Values, record: Mapping[str, Any]) -> Values:
    """Return the values with a number that is only a difference added to the stored one, or taken off it.

    Percentages are left alone.
    """
    sign = _sign(ask)
    numbers = {name: value for name, value in values.items() if _number(value) is not None}
    if not sign or len(numbers) != 1:
        return values
    ((name, difference),) = numbers.items()
    stored = _number(record.get(name))
    if stored is None:
        return values
    changed = stored + sign * (_number(difference) or 0)
    return {**values, name: int(changed) if changed.is_integer() else changed}


def meant_in_thousands(ask: Ask, values: Values, record: Mapping[str, Any]) -> str:
    """Return the field whose bare number is far below the stored amount, and near it in thousands; empty for none."""
    for name in SUMS & values.keys():
        value, stored = _number(values[name]) or 0, _number(record.get(name)) or 0
        is_bare = value >= 1 and re.search(rf"(?<![\w$€£.,]){value:g}(?![\w.,%]*\w)", ask.text) is not None
        if is_bare and value * 100 < stored and 0.1 <= value * 1000 / stored <= 10:
            return name
    return ""


def is_relative(ask: Ask) -> bool:
    """Return whether an ask tells by how much a number changes."""
    return _sign(ask) != 0


def _sign(ask: Ask) -> int:
    """Return 1 or -1 for a number that is said as a difference, by the words around it; 0 for another."""
    spans = [span for span in ask.segment.spans if span.tag in ("amount", "value", "count")]
    sums = [span for span in spans if (found := find_amounts(span.text.lower())) and not found[0].is_percent]
    if len(sums) != 1:
        return 0
    before = [token.word for token in ask.tokens if token.end <= sums[0].start]
    after = [token.word for token in ask.tokens if token.start >= sums[0].end]
    is_up, is_down = (not writing_words(key).isdisjoint(before) for key in ("raising", "lowering"))
    if before[-1:] == ["by"] and is_up != is_down:
        return 1 if is_up else -1
    if before[-1:] == ["add"] and after[:1] == ["to"]:
        return 1
    return -1 if before[-1:] and before[-1] in ("take", "knock", "shave", "cut") and after[:1] == ["off"] else 0


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None
