"""The keys of a record's item, index entries, words and counters.

All partition keys begin with the escaped tenant (`T`); `R` is the record's sort key in its type's default order:

| pk | sk | item |
|---|---|---|
| T#record#<id> | record | the record |
| T#operation#<SHA-256 of the id> | result | the result of a write, for its repetition |
| T#<type>#all, #status#<v>, #owner#<v>, #owner_status#<v>#<v>, #rel#<id>, #<facet>#<v> | R | entries |
| T#<type>#newest, #due, #owner_due#<v> | that order's sort key | entries of another order |
| T#<type>#word#<first letter> | <word>#R | one for each distinct word of the names |
| T#<type>#vocab#<variant> | <word> | words by their first letters with at most one left out |
| T#<type>#count | total#..., day#<created>#... + owner#status#currency | counters |
"""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import UTC
from typing import NamedTuple
from urllib.parse import quote, unquote

from aisha.domain.crm.queries import CountRow
from aisha.domain.crm.records import Record
from aisha.domain.search.counts import Counts, Group, count_rows, counts_of, group_of, status_of
from aisha.domain.search.ordering import DUE, NEWEST, field_value, order_of, sort_key
from aisha.domain.search.words import record_words

FACETS = {
    "lead": ("source", "email"),
    "contact": ("email",),
    "account": ("type", "email"),
    "activity": ("activity_type",),
}
"""Further fields with an index of their own."""
RELATIONS = ("account_id", "contact_id", "lead_id", "related.id")
MAX_PART_LENGTH = 600
"""Characters of a caller's text in a key: DynamoDB takes 2048 bytes. Our own ids are far shorter."""
FIRST, LAST = " ", "\U0010ffff"
"""Bounds of all sort keys."""


class Key(NamedTuple):
    """Partition key and sort key of an item."""

    pk: str
    sk: str


class Range(NamedTuple):
    """Part of a partition: sort keys from `low` to `high`, both included."""

    partition: str
    low: str = FIRST
    high: str = LAST


def escape(part: object) -> str:
    """Return the value quoted, so that it contains no `#` of its own."""
    return quote(str(part), safe=" @.,:+*()!&=/")


def index_value(value: object) -> str:
    """Return a value as indexes hold it: casefolded, escaped and cut to fit a key.

    A cut value may stand for several, so searches check the record itself too.
    """
    return escape(str(value).casefold())[:MAX_PART_LENGTH]


def record_key(tenant: str, record_id: str) -> Key:
    return Key(f"{escape(tenant)}#record#{escape(record_id)[:MAX_PART_LENGTH]}", "record")


def operation_key(tenant: str, operation_id: str) -> Key:
    digest = hashlib.sha256(operation_id.encode()).hexdigest()
    return Key(f"{escape(tenant)}#operation#{digest}", "result")


def partition(tenant: str, entity_type: str, *parts: str) -> str:
    """Return the pk of an index; `parts` are escaped already."""
    return "#".join((escape(tenant), entity_type, *parts))


def id_of(sort_key: str) -> str:
    """Return the record id that every entry's sk ends with."""
    return sort_key.rpartition("#")[2]


def entries(record: Record) -> frozenset[Key]:
    """Return every index entry of a record."""
    return frozenset((*_list_entries(record), *_word_entries(record)))


def _list_entries(record: Record) -> Iterator[Key]:
    default = order_of(record.TYPE, None)
    rank = sort_key(record, default)
    for parts in _index_parts(record):
        yield Key(partition(record.tenant_id, record.TYPE, *parts), rank)
    if default is not NEWEST:
        yield Key(partition(record.tenant_id, record.TYPE, "newest"), sort_key(record, NEWEST))
    if record.TYPE == "opportunity":
        due = sort_key(record, DUE)
        yield Key(partition(record.tenant_id, record.TYPE, "due"), due)
        if record.owner:
            yield Key(partition(record.tenant_id, record.TYPE, "owner_due", index_value(record.owner)), due)


def _index_parts(record: Record) -> Iterator[tuple[str, ...]]:
    status = index_value(status_of(record))
    yield ("all",)
    yield ("status", status)
    if record.owner:
        yield ("owner", index_value(record.owner))
        yield ("owner_status", index_value(record.owner), status)
    for path in RELATIONS:
        if related := field_value(record, path):
            yield ("rel", index_value(related))
    for facet in FACETS.get(record.TYPE, ()):
        if value := field_value(record, facet):
            yield (facet, index_value(value))


def _word_entries(record: Record) -> Iterator[Key]:
    rank = sort_key(record, order_of(record.TYPE, None))
    for word in record_words(record):
        yield Key(word_partition(record.tenant_id, record.TYPE, word), f"{word}#{rank}")


def word_partition(tenant: str, entity_type: str, word: str) -> str:
    """Return the pk of a word's entries, by its first letter alone: a prefix of any length leads to the same."""
    return partition(tenant, entity_type, "word", word[:1])


def counter_partition(tenant: str, entity_type: str) -> str:
    return partition(tenant, entity_type, "count")


def counters(record: Record) -> dict[Key, Counts]:
    """Return what this record adds to its counters: that of its group, and that of its group on its first day (UTC)."""
    group = "#".join(escape(part) for part in group_of(record))
    created = record.created_at.astimezone(UTC).date().isoformat() if record.created_at else ""
    pk = counter_partition(record.tenant_id, record.TYPE)
    added = counts_of(record)
    return {Key(pk, f"total#{group}"): added, Key(pk, f"day#{created}#{group}"): added}


def sum_counters(items: Iterable[tuple[str, Counts]]) -> list[CountRow]:
    """Return rows by owner, status and currency from the `(sk, counts)` of counter items."""
    sums: dict[Group, Counts] = {}
    for sk, counts in items:
        # The last three parts are the group, whether a total or a day stands before them.
        group = Group(*(unquote(part) for part in sk.split("#")[-3:]))
        sums[group] = sums.get(group, Counts()).plus(counts)
    return count_rows(sums)
