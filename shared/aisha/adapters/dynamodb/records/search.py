"""Search and count records at a cost that does not grow with the number of records.

When the relation, email or words of a search lead to few candidates, all of them are read, sorted and counted. Any
other search walks an index in order, checks record by record, and stops after `MAX_WALK` of them.
"""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

from aisha.adapters.dynamodb.records.index import (
    LAST,
    RELATIONS,
    Key,
    Range,
    counter_partition,
    entries,
    id_of,
    index_value,
    partition,
    record_key,
    sum_counters,
)
from aisha.adapters.dynamodb.records.items import RecordItem, RecordItems
from aisha.adapters.dynamodb.records.listing import list_ranges
from aisha.adapters.dynamodb.records.names import MAX_CANDIDATES, NameIndex
from aisha.domain.crm.queries import Condition, CountRow, Period, RecordPage, RecordQuery
from aisha.domain.crm.record_json import decode_item
from aisha.domain.crm.records import Record
from aisha.domain.search.conditions import check_query, check_type, comparable, matches
from aisha.domain.search.counts import STATUS_FIELD, Counts
from aisha.domain.search.cursors import (
    SearchMode,
    SearchPosition,
    invalid_cursor,
    read_search_cursor,
    write_search_cursor,
)
from aisha.domain.search.ordering import order_of, sort_key
from aisha.domain.search.words import names_match, record_words, words

MAX_WALK = 500
"""Records that one search looks at."""

_Accepts = Callable[[Record, RecordItem], bool]


class RecordSearch:
    """Searches, counts and lookups of records in one table."""

    def __init__(self, items: RecordItems, names: NameIndex):
        self._items = items
        self._names = names

    def records(self, tenant: str, ids: Iterable[str]) -> dict[str, Record]:
        """Return records by id; ids that do not exist are left out."""
        items = self._items.get_many(record_key(tenant, record_id) for record_id in ids)
        decoded = (decode_item(item.body) for item in items.values() if item.body)
        return {record.id: record for record in decoded}

    def counts(self, tenant: str, entity_type: str, period: Period | None = None) -> list[CountRow]:
        """Return sums of all records or of those created in a period."""
        check_type(entity_type)
        low, high = (f"day#{period.first}#", f"day#{period.last}#") if period else ("total#", "total#")
        items = self._items.query(counter_partition(tenant, entity_type), low, high + LAST)
        return sum_counters((item.sk, _counts_of(item)) for item in items)

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        """Return one page. Raises `InvalidInputError` for a type, field, limit or cursor that does not fit."""
        check_query(query)
        position = read_search_cursor(tenant, query)
        query_words = words(query.name_contains or "")
        # A search for signs alone, such as "???", matches nothing; without words it would list every record.
        if not query_words and (query.name_contains or "").strip():
            return RecordPage([], 0)
        if position and position.mode != "set":
            return self._walk_page(tenant, query, query_words, position)
        mode, candidates = self._matching_names(tenant, query, query_words)
        if mode == "set":
            return _set_page(tenant, query, position, candidates)
        if position:
            # The cursor is of a complete set that has since become too large to list; a walk has other positions.
            raise invalid_cursor()
        return self._walk_page(tenant, query, query_words, SearchPosition(mode, ""))

    def _matching_names(
        self, tenant: str, query: RecordQuery, query_words: Sequence[str]
    ) -> tuple[SearchMode, list[Record]]:
        """Return every record with these names or this relation, or how to walk when they are too many to list.

        Typos are tolerated only when nothing matches exactly.
        """
        related = self._related(tenant, query)
        records: dict[str, Record] = {}
        ids_in: dict[Range, list[str]] = {}
        for fuzzy in (False, True) if query_words else (False,):
            ids = related
            if ids is None and query_words:
                ids = self._names.candidates(tenant, query.entity_type, query_words, ids_in, fuzzy=fuzzy)
            if ids is None or len(ids) > MAX_WALK:
                return "fuzzy" if fuzzy else "walk", []
            records |= self.records(tenant, ids - records.keys())
            candidates = [records[record_id] for record_id in ids & records.keys()]
            matches = [
                record
                for record in candidates
                if query.entity_type == record.TYPE and names_match(query_words, record_words(record), fuzzy=fuzzy)
            ]
            if matches:
                return "set", matches
        return "set", []

    def _related(self, tenant: str, query: RecordQuery) -> set[str] | None:
        """Return the ids of the records with the query's relation or email, None without one or for too many."""
        for condition in query.where:
            index = "rel" if condition.field in RELATIONS else condition.field
            if condition.operator == "eq" and index in ("rel", "email"):
                pk = partition(tenant, query.entity_type, index, index_value(condition.value))
                items = self._items.query(*Range(pk), limit=MAX_CANDIDATES + 1)
                if len(items) <= MAX_CANDIDATES:
                    return {id_of(item.sk) for item in items}
        return None

    def _walk_page(
        self, tenant: str, query: RecordQuery, query_words: Sequence[str], position: SearchPosition
    ) -> RecordPage:
        fuzzy = position.mode == "fuzzy"
        ranges, is_covered = list_ranges(tenant, query)
        if query_words:
            ranges = self._names.ranges(tenant, query.entity_type, max(query_words, key=len), fuzzy=fuzzy)

        def accepts(record: Record, entry: RecordItem) -> bool:
            # An entry may be older than its record, or be written before it.
            if Key(entry.pk, entry.sk) not in entries(record) or not matches(record, query.where):
                return False
            return not query_words or (
                names_match(query_words, record_words(record), fuzzy=fuzzy) and _is_first(record, entry, ranges)
            )

        # One entry more than a page shows whether another page follows. With filters, larger chunks save requests.
        chunk = query.limit + 1 if is_covered else MAX_CANDIDATES
        records, after = self._walk(tenant, ranges, position.after, chunk, query.limit, accepts)
        # A walk from the first entry to the last has seen every match.
        total = len(records) if not position.after and after is None else self._count(tenant, query)
        following = SearchPosition(position.mode, after) if after else None
        return RecordPage(records, total, write_search_cursor(tenant, query, following))

    def _walk(
        self, tenant: str, ranges: Sequence[Range], after: str, chunk: int, limit: int, accepts: _Accepts
    ) -> tuple[list[Record], str | None]:
        """Return up to `limit` accepted records in the order of the entries, and the entry to go on after."""
        accepted: list[Record] = []
        last_accepted = after
        for _ in range(0, MAX_WALK, chunk):
            chunk_entries, is_end = self._next_entries(ranges, after, chunk)
            records = self.records(tenant, (id_of(entry.sk) for entry in chunk_entries))
            for entry in chunk_entries:
                record = records.get(id_of(entry.sk))
                if record is None or not accepts(record, entry):
                    continue
                if len(accepted) == limit:
                    return accepted, last_accepted
                accepted.append(record)
                last_accepted = entry.sk
            if is_end:
                return accepted, None
            after = chunk_entries[-1].sk
            if len(accepted) == limit:
                break
        return accepted, after

    def _next_entries(self, ranges: Sequence[Range], after: str, chunk: int) -> tuple[list[RecordItem], bool]:
        """Return the next entries of all ranges, merged, and whether they are the last."""
        # Every sort key ends with a record's id, so that nothing lies between `after` and `after!`.
        low = f"{after}!" if after else ""
        lists = [
            self._items.query(key_range.partition, max(key_range.low, low), key_range.high, limit=chunk)
            for key_range in ranges
        ]
        merged = {
            item.sk: item for item in sorted((item for entries in lists for item in entries), key=lambda item: item.sk)
        }
        is_end = len(merged) <= chunk and all(len(entries) < chunk for entries in lists)
        return list(merged.values())[:chunk], is_end

    def _count(self, tenant: str, query: RecordQuery) -> int | None:
        """Return the exact total from the counters, None when they don't count by these filters."""
        status = STATUS_FIELD[query.entity_type]
        is_counted = all(
            condition.field in (status, "owner") and condition.operator in ("eq", "in") for condition in query.where
        )
        if query.name_contains or not is_counted:
            return None
        rows = self.counts(tenant, query.entity_type, None)
        return sum(row.count for row in rows if all(_row_passes(row, condition) for condition in query.where))


def _counts_of(item: RecordItem) -> Counts:
    return Counts(int(item.n or 0), item.amount or Decimal(0), item.weighted or Decimal(0))


def _row_passes(row: CountRow, condition: Condition) -> bool:
    value = row.owner if condition.field == "owner" else row.status
    allowed = condition.value if condition.operator == "in" else (condition.value,)
    # Compared as `matches` compares fields, e.g. without regard to case: equal values make a set of one.
    return value is not None and any(
        choice is not None and len(set(comparable(value, choice))) == 1 for choice in allowed
    )


def _set_page(
    tenant: str, query: RecordQuery, position: SearchPosition | None, records: Iterable[Record]
) -> RecordPage:
    """Return a page of records that are all at hand: sorted in the query's order, counted exactly."""
    order = order_of(query.entity_type, query.order)
    passing = {sort_key(record, order): record for record in records if matches(record, query.where)}
    after = position.after if position else ""
    keys = [key for key in sorted(passing) if key > after]
    page = keys[: query.limit]
    following = SearchPosition("set", page[-1]) if len(keys) > len(page) else None
    return RecordPage([passing[key] for key in page], len(passing), write_search_cursor(tenant, query, following))


def _is_first(record: Record, entry: RecordItem, ranges: Sequence[Range]) -> bool:
    """Return whether the walk meets the record here first. Several words of one record may be in the ranges."""
    sort_keys = (
        key.sk
        for key in entries(record)
        for key_range in ranges
        if key.pk == key_range.partition and key_range.low <= key.sk <= key_range.high
    )
    return entry.sk == min(sort_keys, default=entry.sk)
