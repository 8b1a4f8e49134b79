"""A record store in memory with indexes, for sweeps over many records."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from aisha.domain.crm.queries import Change, Condition, RecordPage, RecordQuery, Written
from aisha.domain.crm.records import Record
from aisha.domain.search.conditions import matches
from aisha.domain.search.cursors import read_position, write_position
from aisha.domain.search.ordering import order_of, sort_key
from tests.fakes.stores.in_memory import InMemoryRecordRepository

_INDEXED = ("related.id", "email")


class IndexedRecordRepository(InMemoryRecordRepository):
    """Answers searches without words at a cost that depends on the page and not on the number of records."""

    _lists: dict[tuple[str, str], tuple[list[str], list[Record]]]
    _named: dict[tuple[str, str, str, str], dict[str, Record]]

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        with self._lock:
            results = super().write(tenant, changes, operation_id)
            self._lists = {}
            named = self.__dict__.setdefault("_named", defaultdict(dict))
            for result in results:
                for record, is_stored in ((result.before, False), (result.after, True)):
                    for field, value in _indexed_values(record):
                        place = named[tenant, result.record.TYPE, field, value]
                        place.pop(result.record.id, None)
                        if is_stored and record is not None:
                            place[record.id] = record
            return results

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        if query.name_contains:
            return super().search(tenant, query)
        order = order_of(query.entity_type, query.order)
        indexed = next((term for term in query.where if term.field in _INDEXED and term.operator == "eq"), None)
        if indexed is not None:
            return self._by_index(tenant, query, indexed)
        with self._lock:
            key = (tenant, repr((query.entity_type, query.where, query.order)))
            if key not in self.__dict__.setdefault("_lists", {}):
                matching = sorted(
                    (
                        record
                        for record in self._all(tenant)
                        if query.entity_type == record.TYPE and matches(record, query.where)
                    ),
                    key=lambda record: sort_key(record, order),
                )
                self._lists[key] = [sort_key(record, order) for record in matching], matching
            keys, records = self._lists[key]
        start = bisect_right(keys, read_position(query.cursor, str)[0]) if query.cursor else 0
        page = records[start : start + query.limit]
        is_last = start + query.limit >= len(records)
        return RecordPage(page, len(records), None if is_last else write_position(keys[start + query.limit - 1]))

    def _by_index(self, tenant: str, query: RecordQuery, indexed: Condition) -> RecordPage:
        if query.cursor:
            raise NotImplementedError("a sweep reads only the first page of an indexed value")
        with self._lock:
            place = self.__dict__.setdefault("_named", defaultdict(dict))
            indexed_records = place.get((tenant, query.entity_type, indexed.field, str(indexed.value).casefold()), {})
            records = [record for record in indexed_records.values() if matches(record, query.where)]
        order = order_of(query.entity_type, query.order)
        records.sort(key=lambda record: sort_key(record, order))
        return RecordPage(records[: query.limit], len(records))


def _indexed_values(record: Record | None) -> list[tuple[str, str]]:
    if record is None:
        return []
    about, email = getattr(record, "related", None), getattr(record, "email", None)
    values = [("related.id", about.id.casefold())] if about is not None else []
    return [*values, ("email", email.casefold())] if email else values
