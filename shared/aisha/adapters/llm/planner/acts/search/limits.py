"""Read the limits that an ask sets for numbers of records: "score 80+", "above 60 percent", "under 500 employees"."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from msgspec import Struct

from aisha.adapters.llm.planner.acts.search.filters import AMOUNT_FIELDS, Condition, Filters
from aisha.adapters.llm.planner.acts.search.words import STAFF
from aisha.adapters.llm.planner.replies import formats, listings
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import Amount
from aisha.domain.language.ask import Ask
from aisha.domain.language.marks import plain_text
from aisha.domain.language.quantities import words_of
from aisha.domain.wording import format_money

_MAX_DISTANCE = 6
"""Tokens between a limit and the field that it is of: "a score that is well over 80"."""
_PERCENT = 100
_CENT = 0.01
_NUMBERS: Mapping[str, tuple[str, ...]] = {
    "lead": ("score", "estimated_value"),
    "opportunity": ("probability", "amount"),
    "account": ("employee_count", "annual_revenue"),
}
_PARAMETERS: Mapping[str, str] = {
    "score": "score",
    "estimated_value": "value",
    "amount": "value",
    "employee_count": "employees",
    "annual_revenue": "revenue",
}


class _Limit(Struct, frozen=True):
    """An amount and the places of its first and last (exclusive) token outside of slots with names.

    `words` is where its words, with those that make it a bound, begin and end in the ask.
    """

    amount: Amount
    first: int
    last: int
    words: tuple[int, int]


def read_limits(ask: Ask, filters: Filters) -> Ask:
    """Add the limits to the filters, of the fields that the words beside them say, and return the ask without them.

    A limit of nothing that records of the kind have is named as unknown.
    """
    read = list[_Limit]()
    for limit in _limits(ask):
        amount, field = limit.amount, _field_of(ask, limit, filters.kind)
        is_limit = bool(amount.relation or amount.is_money or amount.is_percent)
        if field and (is_limit or _is_stated(ask, limit, field, filters.kind)):
            _add(filters, field, amount)
            read.append(limit)
        elif is_limit and not _counts_listed(ask, limit, filters.kind):
            filters.unknown.append(ask.text[slice(*limit.words)])
            read.append(limit)
    return reduce(_without_slots, (one.words for one in read), ask)


def _limits(ask: Ask) -> Iterator[_Limit]:
    """Yield the amounts of an ask with their places."""
    _, starts = plain_text(ask.outside)
    for amount in ask.amounts:
        places = [place for place, start in enumerate(starts) if amount.start <= start < amount.end]
        around = [place for place, start in enumerate(starts) if amount.reach[0] <= start < amount.reach[1]]
        if places:
            words = ask.outside[around[0]].start, ask.outside[around[-1]].end
            yield _Limit(amount, places[0], places[-1] + 1, words)


def _field_of(ask: Ask, limit: _Limit, kind: str) -> str:
    """Return the field that a limit is of: by its unit, the nearest field named, or its size; empty for none."""
    amount, numbers = limit.amount, _NUMBERS.get(kind, ())
    after = ask.outside[limit.last].word if limit.last < len(ask.outside) else ""
    if amount.is_percent:
        return "probability" if "probability" in numbers else ""
    if after in STAFF or (kind == "account" and not amount.is_money and ask.words & STAFF):
        return "employee_count" if "employee_count" in numbers else ""
    if after == "points":
        return "score" if "score" in numbers else ""
    named = [(_distance(limit, first, last), name) for name, first, last in _fields_named(ask, kind)]
    named = [(far, name) for far, name in named if far <= _MAX_DISTANCE]
    if named and not amount.is_money:
        return min(named)[1]
    if not amount.is_money and _counts_others(ask, limit, kind):
        return ""  # "with more than two calls", "more than one open deal"
    if kind == "lead" and not amount.is_money and amount.value <= _PERCENT:
        return "score"
    return AMOUNT_FIELDS.get(kind, "")


def _counts_others(ask: Ask, limit: _Limit, kind: str) -> bool:
    """Return whether a limit is of how many others belong to a record."""
    after = ask.outside[limit.last : limit.last + 2]
    is_counted = any(one.word in words_of("counted") for one in after[:1])
    kinds = {lexicon.kind_named(one) for one in after} - {None, kind}
    return bool(limit.amount.relation) and (is_counted or bool(kinds))


def _fields_named(ask: Ask, kind: str) -> list[tuple[str, int, int]]:
    """Return the fields with numbers that an ask names, each with its first and last (exclusive) token."""
    placed = lexicon.placed_in(ask.outside, "fields")
    fields = [(lexicon.field_name(key, kind), first, last) for key, first, last in placed]
    return [one for one in fields if one[0] in _NUMBERS.get(kind, ())]


def _distance(limit: _Limit, first: int, last: int) -> int:
    return limit.first - last if last <= limit.first else first - limit.last


def _is_stated(ask: Ask, limit: _Limit, field: str, kind: str) -> bool:
    """Return whether a bare number is the value of the field right before it: "score 80", "with a score of 80"."""
    between = [
        ask.outside[last : limit.first]
        for name, _, last in _fields_named(ask, kind)
        if name == field and last <= limit.first
    ]
    return any({one.word for one in tokens} <= {"of", "is", "=", ":", "exactly"} for tokens in between)


def _counts_listed(ask: Ask, limit: _Limit, kind: str) -> bool:
    """Return whether a limit is of how many records there are: "do I have more than 5 leads"."""
    after = ask.outside[limit.last : limit.last + 2]
    return any(lexicon.kind_named(token) == kind for token in after)


def _without_slots(ask: Ask, part: tuple[int, int]) -> Ask:
    spans = (one for one in ask.segment.spans if one.end <= part[0] or part[1] <= one.start)
    return ask.with_spans(spans)


def _add(filters: Filters, field: str, amount: Amount) -> None:
    value = int(amount.value) if amount.value.is_integer() else amount.value
    if amount.is_strict:
        # The bounds of searches count in: "over 50,000" is from 50,000.01 on, "over 80 points" from 81.
        step = _CENT if field in AMOUNT_FIELDS.values() else 1
        value = round(value + step if amount.relation == "more" else value - step, 2)
    ends = {"more": ("min",), "less": ("max",)}.get(amount.relation or "", ("min", "max"))
    names = [f"{end}_{_PARAMETERS.get(field, field)}" for end in ends]
    if filters.properties.keys() >= {*names}:
        filters.arguments |= dict.fromkeys(names, value)
    else:
        filters.conditions.append(_bounded(field, value, ends))


def limited(amount: Amount, kind: str) -> Condition:
    """Return the condition that the amount of a record is on one side of a limit: "anything below 50k"."""
    field, is_less = AMOUNT_FIELDS.get(kind, ""), amount.relation == "less"
    sides = ("below", "of at least") if is_less else ("above", "of at most")

    def holds(record: Mapping[str, Any]) -> bool:
        value = float(record.get(field) or 0)
        return value < amount.value if is_less else value > amount.value

    return Condition(f"{sides[0]} {format_money(amount.value)}", holds, f"{sides[1]} {format_money(amount.value)}")


def _bounded(field: str, value: float, ends: Sequence[str]) -> Condition:
    """Return the condition that a number is at least or at most a value, or both; records without it don't meet it."""

    def holds(record: Mapping[str, Any]) -> bool:
        number = float(record[field]) if record.get(field) is not None else None
        return number is not None and ("min" not in ends or number >= value) and ("max" not in ends or number <= value)

    number_text = f"{value:g}" if len(ends) > 1 else listings.format_bound(value, is_least="min" in ends)
    return Condition(f"with a {formats.field_noun(field)} of {number_text}{'%' * (field == 'probability')}", holds)
