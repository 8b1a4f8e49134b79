"""Searches and counts over the records table at a cost that does not grow with the number of records.

A search whose relation, email or words lead to few candidates takes them all; any other walks an index in order,
record by record, and stops after `WALK` of them.
"""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

from aisha.adapters.dynamodb.record_index import (
    LAST,
    RELATIONS,
    STATUS_FIELD,
    Counts,
    Key,
    Range,
    count_rows,
    counter_partition,
    entries,
    id_of,
    index_value,
    partition,
    record_key,
    record_words,
)
from aisha.adapters.dynamodb.record_items import RecordItem, RecordItems
from aisha.adapters.dynamodb.record_json import decode_item
from aisha.adapters.dynamodb.record_listing import listing
from aisha.adapters.dynamodb.record_names import FEW, RecordNames
from aisha.domain.errors import InvalidInputError
from aisha.domain.queries import MAX_PAGE, Condition, CountRow, Period, RecordPage, RecordQuery
from aisha.domain.records import RECORD_TYPES, Record
from aisha.domain.search.conditions import check_fields, comparable, matches, names_match
from aisha.domain.search.cursors import Mode, Position, read_cursor, start_over, write_cursor
from aisha.domain.search.ordering import order_of, sort_key
from aisha.domain.search.words import words

WALK = 500
"""Records looked at by one search at most."""

Accept = Callable[[Record, RecordItem], bool]


class RecordSearch:
    """Reads of one table that lead to records."""

    def __init__(self, items: RecordItems, names: RecordNames):
        self._items = items
        self._names = names

    def records(self, tenant: str, ids: Iterable[str]) -> dict[str, Record]:
        """Records by id; what does not exist is left out."""
        found = self._items.get_many(record_key(tenant, one) for one in ids)
        decoded = (decode_item(item.body) for item in found.values() if item.body)
        return {record.id: record for record in decoded}

    def counts(self, tenant: str, entity_type: str, period: Period | None) -> list[CountRow]:
        """Sums of the counters, of all records or of those created in a period."""
        check_type(entity_type)
        low, high = (f"day#{period.first}#", f"day#{period.last}#") if period else ("total#", "total#")
        items = self._items.query(counter_partition(tenant, entity_type), low, high + LAST)
        return count_rows((item.sk, _held(item)) for item in items)

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        """One page. Raises `InvalidInputError` for a field, a limit or a cursor that does not fit."""
        check_query(query)
        position = read_cursor(tenant, query)
        asked = words(query.name_contains or "")
        if not asked and (query.name_contains or "").strip():
            return RecordPage([], 0)
        if position and position.mode != "set":
            return self._walked_page(tenant, query, asked, position)
        mode, named = self._named(tenant, query, asked)
        if mode == "set":
            return _set_page(tenant, query, position, named)
        if position:
            raise start_over()
        return self._walked_page(tenant, query, asked, Position(mode, ""))

    def _named(self, tenant: str, query: RecordQuery, asked: Sequence[str]) -> tuple[Mode, list[Record]]:
        """Every record of the names or relation asked for, or how to walk when they are too many to list."""
        for fuzzy in (False, True) if asked else (False,):
            ids = self._candidates(tenant, query, asked, fuzzy)
            if ids is None or len(ids) > WALK:
                return "fuzzy" if fuzzy else "walk", []
            records = [one for one in self.records(tenant, ids).values() if query.entity_type == one.TYPE]
            if named := [record for record in records if names_match(asked, record_words(record), fuzzy)]:
                return "set", named
        return "set", []

    def _candidates(self, tenant: str, query: RecordQuery, asked: Sequence[str], fuzzy: bool) -> set[str] | None:
        for condition in query.where:
            index = "rel" if condition.field in RELATIONS else condition.field
            if condition.operator == "eq" and index in ("rel", "email"):
                where = Range(partition(tenant, query.entity_type, index, index_value(condition.value)))
                found = self._items.query(*where, limit=FEW + 1)
                if len(found) <= FEW:
                    return {id_of(item.sk) for item in found}
        return self._names.candidates(tenant, query.entity_type, asked, fuzzy) if asked else None

    def _walked_page(self, tenant: str, query: RecordQuery, asked: Sequence[str], position: Position) -> RecordPage:
        fuzzy = position.mode == "fuzzy"
        ranges, is_covered = listing(tenant, query)
        if asked:
            ranges = self._names.ranges(tenant, query.entity_type, max(asked, key=len), fuzzy)

        def accept(record: Record, entry: RecordItem) -> bool:
            if Key(entry.pk, entry.sk) not in entries(record) or not matches(record, query.where):
                return False
            return not asked or (names_match(asked, record_words(record), fuzzy) and _is_first(record, entry, ranges))

        chunk = query.limit + 1 if is_covered else FEW
        found, after = self._walk(tenant, ranges, position.after, chunk, query.limit, accept)
        total = len(found) if not position.after and after is None else self._counted(tenant, query)
        more = Position(position.mode, after) if after else None
        return RecordPage(found, total, write_cursor(tenant, query, more))

    def _walk(
        self, tenant: str, ranges: Sequence[Range], after: str, chunk: int, limit: int, accept: Accept
    ) -> tuple[list[Record], str | None]:
        """Up to `limit` accepted records in the order of the entries, and the entry to go on after."""
        found: list[Record] = []
        shown = after
        for _ in range(0, WALK, chunk):
            listed, is_end = self._listed(ranges, after, chunk)
            records = self.records(tenant, (id_of(entry.sk) for entry in listed))
            for entry in listed:
                record = records.get(id_of(entry.sk))
                if record is None or not accept(record, entry):
                    continue
                if len(found) == limit:
                    return found, shown
                found.append(record)
                shown = entry.sk
            if is_end:
                return found, None
            after = listed[-1].sk
            if len(found) == limit:
                break
        return found, after

    def _listed(self, ranges: Sequence[Range], after: str, chunk: int) -> tuple[list[RecordItem], bool]:
        """The next entries of all ranges together, and whether these are the last."""
        # Every sort key ends with a record's id, so that nothing lies between `after` and `after!`.
        low = f"{after}!" if after else ""
        lists = [self._items.query(one.partition, max(one.low, low), one.high, limit=chunk) for one in ranges]
        merged = {item.sk: item for item in sorted((item for one in lists for item in one), key=lambda item: item.sk)}
        is_end = len(merged) <= chunk and all(len(one) < chunk for one in lists)
        return list(merged.values())[:chunk], is_end

    def _counted(self, tenant: str, query: RecordQuery) -> int | None:
        """The exact total from the counters, None when they don't know these filters."""
        status = STATUS_FIELD[query.entity_type]
        known = all(one.field in (status, "owner") and one.operator in ("eq", "in") for one in query.where)
        if query.name_contains or not known:
            return None
        rows = self.counts(tenant, query.entity_type, None)
        return sum(row.count for row in rows if all(_row_passes(row, one) for one in query.where))


def _held(item: RecordItem) -> Counts:
    return Counts(int(item.n or 0), item.amount or Decimal(0), item.weighted or Decimal(0))


def _row_passes(row: CountRow, condition: Condition) -> bool:
    held = row.owner if condition.field == "owner" else row.status
    wanted = condition.value if condition.operator == "in" else (condition.value,)
    return held is not None and any(one is not None and len(set(comparable(held, one))) == 1 for one in wanted)


def _set_page(tenant: str, query: RecordQuery, position: Position | None, named: Iterable[Record]) -> RecordPage:
    """The page of a set that is wholly known: sorted as asked for, counted exactly."""
    order = order_of(query.entity_type, query.order)
    passing = {sort_key(record, order): record for record in named if matches(record, query.where)}
    after = position.after if position else ""
    keys = [key for key in sorted(passing) if key > after]
    shown = keys[: query.limit]
    more = Position("set", shown[-1]) if len(keys) > len(shown) else None
    return RecordPage([passing[key] for key in shown], len(passing), write_cursor(tenant, query, more))


def _is_first(record: Record, entry: RecordItem, ranges: Sequence[Range]) -> bool:
    """Whether this is the first of the record's entries that the walk meets: it is shown once."""
    met = (own.sk for own in entries(record) for one in ranges if own.pk == one.partition and _within(own.sk, one))
    return entry.sk == min(met, default=entry.sk)


def _within(sk: str, where: Range) -> bool:
    return where.low <= sk <= where.high


def check_type(entity_type: str) -> None:
    if entity_type not in RECORD_TYPES:
        raise InvalidInputError(f"There is no record type {entity_type!r}.", detail=sorted(RECORD_TYPES))


def check_query(query: RecordQuery) -> None:
    check_type(query.entity_type)
    check_fields(query.entity_type, query.where)
    if not 1 <= query.limit <= MAX_PAGE:
        raise InvalidInputError(f"limit must be 1 to {MAX_PAGE}.", pointer="/limit")
