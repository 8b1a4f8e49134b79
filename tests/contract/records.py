"""Create records by a repository, and read them back by its searches."""

from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from aisha.domain.crm.queries import Change, Create, RecordQuery
from aisha.domain.crm.record_changes import MAX_CHANGES
from aisha.domain.crm.records import Record
from aisha.domain.ports import RecordRepository

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def create(records: RecordRepository, *new: Record, tenant: str = "demo") -> list[Any]:
    """Store any number of new records of a tenant and return them in order, with their ids."""
    created: list[Any] = []
    for start in range(0, len(new), MAX_CHANGES):
        changes: list[Change] = [Create(record) for record in new[start : start + MAX_CHANGES]]
        created += [written.after for written in records.write(tenant, changes)]
    return created


def names(records: RecordRepository, query: RecordQuery, tenant: str = "demo") -> list[str]:
    return [record.display_name for record in records.search(tenant, query).items]


def leads_named(records: RecordRepository, text: str) -> list[str]:
    return names(records, RecordQuery("lead", name_contains=text))


def walk(records: RecordRepository, query: RecordQuery) -> list[Record]:
    items: list[Record] = []
    for _ in range(200):
        page = records.search("demo", query)
        items += page.items
        if page.next_cursor is None:
            return items
        query = replace(query, cursor=page.next_cursor)
    raise AssertionError("the cursors never end")
