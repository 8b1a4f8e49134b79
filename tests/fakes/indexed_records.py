"""A record store in memory whose searches don't look at every record: for sweeps over many of them."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from aisha.domain.crm.queries import Change, Condition, RecordPage, RecordQuery, Written
from aisha.domain.crm.records import Record
from aisha.domain.search.conditions import matches
from aisha.domain.search.cursors import read_position, write_position
from aisha.domain.search.ordering import order_of, sort_key
from tests.fakes.in_memory import InMemoryRecordRepository

_INDEXED = ("related.id", "email")


class IndexedRecordRepository(InMemoryRecordRepository):
    """As its base for searches without words, at a cost that follows the page and not the tenant."""

    _lists: dict[tuple[str, str], tuple[list[str], list[Record]]]
    _named: dict[tuple[str, str, str, str], dict[str, Record]]

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        with self._lock:
            done = super().write(tenant, changes, operation_id)
            self._lists = {}
            named = self.__dict__.setdefault("_named", defaultdict(dict))
            for one in done:
                for record, is_there in ((one.before, False), (one.after, True)):
                    for field, value in _values(record):
                        place = named[tenant, one.record.TYPE, field, value]
                        place.pop(one.record.id, None)
                        if is_there and record is not None:
                            place[record.id] = record
            return done

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        if query.name_contains:
            return super().search(tenant, query)
        order = order_of(query.entity_type, query.order)
        indexed = next((one for one in query.where if one.field in _INDEXED and one.operator == "eq"), None)
        if indexed is not None:
            return self._by_index(tenant, query, indexed)
        with self._lock:
            key = (tenant, repr((query.entity_type, query.where, query.order)))
            if key not in self.__dict__.setdefault("_lists", {}):
                found = [one for one in self._all(tenant) if query.entity_type == one.TYPE]
                found = sorted(
                    (one for one in found if matches(one, query.where)), key=lambda one: sort_key(one, order)
                )
                self._lists[key] = [sort_key(one, order) for one in found], found
            keys, records = self._lists[key]
        start = bisect_right(keys, read_position(query.cursor, str)[0]) if query.cursor else 0
        shown = records[start : start + query.limit]
        is_last = start + query.limit >= len(records)
        return RecordPage(shown, len(records), None if is_last else write_position(keys[start + query.limit - 1]))

    def _by_index(self, tenant: str, query: RecordQuery, indexed: Condition) -> RecordPage:
        if query.cursor:
            raise NotImplementedError("no sweep turns the pages of one record's or one address's list")
        with self._lock:
            place = self.__dict__.setdefault("_named", defaultdict(dict))
            known = place.get((tenant, query.entity_type, indexed.field, str(indexed.value).casefold()), {})
            found = [one for one in known.values() if matches(one, query.where)]
        order = order_of(query.entity_type, query.order)
        shown = sorted(found, key=lambda one: sort_key(one, order))[: query.limit]
        return RecordPage(shown, len(found))


def _values(record: Record | None) -> list[tuple[str, str]]:
    if record is None:
        return []
    about, email = getattr(record, "related", None), getattr(record, "email", None)
    found = [("related.id", about.id.casefold())] if about is not None else []
    return [*found, ("email", email.casefold())] if email else found
