"""Choose the index that answers a list query, and the part of it that can hold matching records."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import Any

from aisha.adapters.dynamodb.records.index import FACETS, FIRST, LAST, RELATIONS, Range, index_value, partition
from aisha.domain.crm.queries import Condition, RecordQuery
from aisha.domain.search.conditions import to_day, to_day_or_instant
from aisha.domain.search.counts import STATUS_FIELD
from aisha.domain.search.ordering import DUE, NEWEST, Order, order_of

MAX_RANGES = 12
"""Indexes that are merged into one list; for more values, a wider index is filtered."""


def list_ranges(tenant: str, query: RecordQuery) -> tuple[list[Range], bool]:
    """Return the narrowest indexes in the query's order, and whether every record in them passes its filters.

    Together they hold every record that passes.
    """
    order = order_of(query.entity_type, query.order)
    values = _fixed_values(query.where)
    is_default = order is order_of(query.entity_type, None)
    low, high = _rank_range(order, query.where)
    for index, fields in _default_indexes(query.entity_type) if is_default else _other_indexes(is_due=order is DUE):
        combined = list(product(*(values.get(field, ()) for field in fields)))
        if all(field in values for field in fields) and len(combined) <= MAX_RANGES:
            ranges = [Range(partition(tenant, query.entity_type, index, *parts), low, high) for parts in combined]
            is_covered = all(condition.field in (*fields, order.field) for condition in query.where)
            return ranges, is_covered and not query.name_contains
    raise AssertionError("every order has an index of all records")


def _fixed_values(where: Iterable[Condition]) -> dict[str, list[str]]:
    """Return, for each field that filters fix, the values that it may have, as indexes hold them."""
    values: dict[str, list[str]] = {}
    for condition in where:
        if condition.operator in ("eq", "in"):
            allowed = condition.value if condition.operator == "in" else (condition.value,)
            values[condition.field] = list(dict.fromkeys(index_value(value) for value in allowed if value is not None))
    return values


def _default_indexes(entity_type: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the indexes in the type's default order with the fields that they fix, narrowest first."""
    status = STATUS_FIELD[entity_type]
    for relation in RELATIONS:
        yield "rel", (relation,)
    for facet in FACETS.get(entity_type, ()):
        if facet == "email":
            yield facet, (facet,)
    yield "owner_status", ("owner", status)
    yield "status", (status,)
    yield "owner", ("owner",)
    for facet in FACETS.get(entity_type, ()):
        yield facet, (facet,)
    yield "all", ()


def _other_indexes(*, is_due: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    if is_due:
        yield "owner_due", ("owner",)
        yield "due", ()
    else:
        yield "newest", ()


def _rank_range(order: Order, where: Iterable[Condition]) -> tuple[str, str]:
    """Return bounds of the encoded ranks, outside which no record passes `where`; `(FIRST, LAST)` excludes none.

    They may be wider than the filters, which are checked on the records again.
    """
    low, high = FIRST, LAST
    for condition in where:
        if condition.field != order.field or condition.operator not in ("eq", "gte", "gt", "lte", "lt"):
            continue
        for edge, is_low in _edges(order, condition):
            if is_low:
                # Sort keys continue after the rank: the rank itself is below all keys with it, `edge + LAST` above.
                low = max(low, edge)
            else:
                high = min(high, edge + LAST)
    return low, high


def _edges(order: Order, condition: Condition) -> Iterator[tuple[str, bool]]:
    """Yield the encoded bounds of a filter, each with True when it is the lower end of the index."""
    for is_minimum in (True, False):
        if condition.operator in (("eq", "gte", "gt") if is_minimum else ("eq", "lte", "lt")):
            value = _bound(order, condition.value, is_minimum=is_minimum)
            if value is not None:
                yield order.encode(value), is_minimum != order.descending


def _bound(order: Order, operand: Any, *, is_minimum: bool) -> Any:
    """Return the operand as a value of the order's field, None when it gives no usable bound."""
    try:
        if order is DUE:
            return to_day(operand)
        if order.field in (NEWEST.field, "due_at"):
            return _instant_bound(operand, is_minimum=is_minimum)
        number = Decimal(str(operand)) if order.field in ("score", "amount") else None
    except (TypeError, ValueError, InvalidOperation):
        return None
    if number is None or not number.is_finite():
        return None
    return int(number) if order.field == "score" else number


def _instant_bound(operand: Any, *, is_minimum: bool) -> datetime:
    moment: date | datetime = to_day_or_instant(operand)
    if isinstance(moment, datetime):
        return moment
    # A day without a time is meant as a whole, in UTC like the keys.
    return datetime.combine(moment, datetime.min.time() if is_minimum else datetime.max.time(), tzinfo=UTC)
