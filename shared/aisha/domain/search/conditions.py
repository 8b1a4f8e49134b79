"""Filters of a search, on records in memory and as ranges of an index. Pure: no storage here."""

import importlib
import operator
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

from aisha.adapters.dynamodb.record_index import FIRST, LAST
from aisha.domain.errors import InvalidInputError
from aisha.domain.queries import Condition
from aisha.domain.records import RECORD_TYPES, Record
from aisha.domain.search.ordering import DUE, NEWEST, Order, field_value

FUZZY_LETTERS = 3
"""Shorter words are taken as they are: one edit away from two letters is nearly everything."""
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "gte": operator.ge,
    "lte": operator.le,
    "gt": operator.gt,
    "lt": operator.lt,
}


def check_fields(entity_type: str, where: Iterable[Condition]) -> None:
    """Raises `InvalidInputError` for a field that the type does not have."""
    fields = RECORD_TYPES[entity_type].model_fields
    for condition in where:
        if condition.field.partition(".")[0] not in fields:
            raise InvalidInputError(
                f"{entity_type} records have no field {condition.field!r}.", pointer=f"/{condition.field}"
            )


def matches(record: Record, where: Iterable[Condition]) -> bool:
    """Whether the record passes every filter."""
    return all(_passes(field_value(record, condition.field), condition) for condition in where)


def _passes(value: Any, condition: Condition) -> bool:
    if value is None:
        return condition.operator == "ne"
    wanted = condition.value
    match condition.operator:
        case "eq":
            return _equal(value, wanted)
        case "ne":
            return not _equal(value, wanted)
        case "in":
            return any(_equal(value, one) for one in wanted)
        case ordered:
            if wanted is None:
                return False
            left, right = comparable(value, wanted)
            return _COMPARE[ordered](left, right)


def _equal(value: Any, wanted: Any) -> bool:
    if isinstance(value, list):
        return any(_equal(one, wanted) for one in value)
    if wanted is None:
        return False
    left, right = comparable(value, wanted)
    return bool(left == right)


def comparable(value: Any, wanted: Any) -> tuple[Any, Any]:
    """Both sides as one kind: a day against an instant compares days in UTC, text without case, numbers exactly."""
    try:
        if isinstance(value, datetime):
            return _instants(value, wanted)
        if isinstance(value, date):
            return value, _day(wanted)
        if isinstance(value, bool):
            return str(value).casefold(), str(wanted).casefold()
        if isinstance(value, int | float | Decimal):
            return Decimal(str(value)), Decimal(str(wanted))
    except (TypeError, ValueError, InvalidOperation) as error:
        raise InvalidInputError(f"{wanted!r} can't be compared with {value!r}.") from error
    return str(value).casefold(), str(wanted).casefold()


def _instants(value: datetime, wanted: Any) -> tuple[Any, Any]:
    if isinstance(wanted, str):
        wanted = date.fromisoformat(wanted) if len(wanted) == len("2026-01-31") else datetime.fromisoformat(wanted)
    if isinstance(wanted, datetime):
        return value, wanted if wanted.tzinfo else wanted.replace(tzinfo=UTC)
    if not isinstance(wanted, date):
        raise TypeError("neither a day nor an instant")
    return value.astimezone(UTC).date(), wanted


def _day(wanted: Any) -> date:
    if isinstance(wanted, datetime):
        return wanted.date()
    return wanted if isinstance(wanted, date) else date.fromisoformat(str(wanted)[:10])


def word_matches(query: str, word: str, fuzzy: bool) -> bool:
    """By prefix, or with one edit (a letter more, less, other, or two neighbours swapped)."""
    if word.startswith(query):
        return True
    return fuzzy and len(query) >= FUZZY_LETTERS and _distance()(query, word, score_cutoff=1) <= 1


@cache
def _distance() -> Callable[..., float]:
    # Most searches find what they look for without it.
    distance: Callable[..., float] = importlib.import_module("rapidfuzz.distance").OSA.distance
    return distance


def names_match(query_words: Iterable[str], words: Iterable[str], fuzzy: bool) -> bool:
    """Whether every word asked for is among the record's words."""
    words = tuple(words)
    return all(any(word_matches(query, word, fuzzy) for word in words) for query in query_words)


def rank_range(order: Order, where: Iterable[Condition]) -> tuple[str, str]:
    """The part of an index in this order outside which no record passes `where`; `(FIRST, LAST)` is all of it.

    Never narrower than the filters, which are checked on the records again.
    """
    low, high = FIRST, LAST
    for condition in where:
        if condition.field != order.field or condition.operator not in ("eq", "gte", "gt", "lte", "lt"):
            continue
        for edge, bounds_low in _edges(order, condition):
            if bounds_low:
                low = max(low, edge)
            else:
                high = min(high, edge + LAST)
    return low, high


def _edges(order: Order, condition: Condition) -> Iterable[tuple[str, bool]]:
    """Encoded bounds, each with True when it is the lower end of the index."""
    for is_minimum in (True, False):
        if condition.operator in (("eq", "gte", "gt") if is_minimum else ("eq", "lte", "lt")):
            value = _bound(order, condition.value, is_minimum)
            if value is not None:
                yield order.encode(value), is_minimum != order.descending


def _bound(order: Order, value: Any, is_minimum: bool) -> Any:
    """The filter's value as the order's field has it, None when the filter gives no usable bound."""
    try:
        if order is DUE:
            return _day(value)
        if order.field in (NEWEST.field, "due_at"):
            return _instant_bound(value, is_minimum)
        number = Decimal(str(value)) if order.field in ("score", "amount") else None
    except (TypeError, ValueError, InvalidOperation):
        return None
    if number is None or not number.is_finite():
        return None
    return int(number) if order.field == "score" else number


def _instant_bound(value: Any, is_minimum: bool) -> datetime:
    if isinstance(value, str):
        value = date.fromisoformat(value) if len(value) == len("2026-01-31") else datetime.fromisoformat(value)
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    edge = datetime.min.time() if is_minimum else datetime.max.time()
    return datetime.combine(value, edge, tzinfo=UTC)
