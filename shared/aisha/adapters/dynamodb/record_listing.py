"""Which index answers a listing. Pure: no storage here."""

from collections.abc import Iterable, Iterator
from itertools import product

from aisha.adapters.dynamodb.record_index import FACETS, RELATIONS, STATUS_FIELD, Range, index_value, partition
from aisha.domain.queries import Condition, RecordQuery
from aisha.domain.search.conditions import rank_range
from aisha.domain.search.ordering import DUE, order_of

MOST_RANGES = 12
"""Indexes merged into one listing at most; more values than that are filtered out of a wider one."""


def listing(tenant: str, query: RecordQuery) -> tuple[list[Range], bool]:
    """The narrowest indexes that have the query's order, and whether every record there passes its filters.

    Together they hold every record that passes.
    """
    order = order_of(query.entity_type, query.order)
    values = _fixed_values(query.where)
    is_own = order is order_of(query.entity_type, None)
    low, high = rank_range(order, query.where)
    for index, fields in _own_indexes(query.entity_type) if is_own else _other_indexes(order is DUE):
        combined = list(product(*(values.get(field, ()) for field in fields)))
        if all(field in values for field in fields) and len(combined) <= MOST_RANGES:
            ranges = [Range(partition(tenant, query.entity_type, index, *parts), low, high) for parts in combined]
            is_covered = all(one.field in (*fields, order.field) for one in query.where)
            return ranges, is_covered and not query.name_contains
    raise AssertionError("every order has an index of all records")


def _fixed_values(where: Iterable[Condition]) -> dict[str, list[str]]:
    """For each field that filters fix, the values that it may have, as indexes hold them."""
    values: dict[str, list[str]] = {}
    for one in where:
        if one.operator in ("eq", "in"):
            allowed = one.value if one.operator == "in" else (one.value,)
            values[one.field] = list(dict.fromkeys(index_value(value) for value in allowed if value is not None))
    return values


def _own_indexes(entity_type: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Indexes in the type's default order with the fields that they fix, narrowest first."""
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


def _other_indexes(is_due: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    if is_due:
        yield "owner_due", ("owner",)
        yield "due", ()
    else:
        yield "newest", ()
