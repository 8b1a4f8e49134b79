"""What a record leaves in the table beside itself: index entries, words, counters. Pure: no storage here.

Keys, all led by the tenant (`T`, escaped), with `R` = rank (ascending text of the type's default order):

| pk | sk | what |
|---|---|---|
| T#record#<id> | record | the record |
| T#operation#<SHA-256 of the id> | result | what a write did, for its repetition |
| T#<type>#all, #status#<v>, #owner#<v>, #owner_status#<v>#<v>, #rel#<id>, #<facet>#<v> | R#<id> | entries |
| T#<type>#newest, #due, #owner_due#<v> | that order's rank#<id> | entries of another order |
| T#<type>#word#<first letter> | <word>#R#<id> | one for each distinct word of the names |
| T#<type>#vocab#<variant> | <word> | words by their first letters with at most one left out |
| T#<type>#count | total#..., day#<created>#... + owner#status#currency | counters |
"""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import UTC
from decimal import Decimal
from typing import NamedTuple
from urllib.parse import quote, unquote

from aisha.domain.queries import CountRow
from aisha.domain.records import RECORD_TYPES, Record
from aisha.domain.search.ordering import DUE, NEWEST, field_value, order_of, sort_key
from aisha.domain.search.words import MAX_WORDS, VARIANT_LETTERS, variants, words

STATUS_FIELD = {
    "lead": "status",
    "contact": "status",
    "account": "health",
    "opportunity": "stage",
    "activity": "status",
    "note": "note_type",
    "goal": "status",
    "event": "kind",
}
"""The field that the status index and the counters follow."""
FACETS = {
    "lead": ("source", "email"),
    "contact": ("email",),
    "account": ("type", "email"),
    "activity": ("activity_type",),
}
"""Further fields with an index of their own."""
RELATIONS = ("account_id", "contact_id", "lead_id", "related.id")
AMOUNT_FIELD = {"lead": "estimated_value", "opportunity": "amount"}
FUZZY_TYPES = frozenset(RECORD_TYPES) - {"note", "event"}
"""Types whose words tolerate a typo: long text would only fill the vocabulary."""
PART = 600
"""Characters of a caller's text in a key: DynamoDB takes 2048 bytes. Ids of ours are far shorter."""
FIRST, LAST = " ", "\U0010ffff"
"""No sort key is below the one or above the other."""


class Key(NamedTuple):
    pk: str
    sk: str


class Range(NamedTuple):
    """Part of an index: sort keys from `low` to `high`, both included."""

    partition: str
    low: str = FIRST
    high: str = LAST


class Counts(NamedTuple):
    """What a counter holds, or gains."""

    n: int = 0
    amount: Decimal = Decimal(0)
    weighted: Decimal = Decimal(0)

    def plus(self, other: "Counts", sign: int = 1) -> "Counts":
        return Counts(self.n + sign * other.n, self.amount + sign * other.amount, self.weighted + sign * other.weighted)


def escape(part: object) -> str:
    """A value that can't break out of its place in a key."""
    return quote(str(part), safe=" @.,:+*()!&=/")


def index_value(value: object) -> str:
    """A value as indexes hold it: text compares without case. Cut to fit a key; the record itself is checked too."""
    return escape(str(value).casefold())[:PART]


def record_key(tenant: str, record_id: str) -> Key:
    return Key(f"{escape(tenant)}#record#{escape(record_id)[:PART]}", "record")


def operation_key(tenant: str, operation_id: str) -> Key:
    digest = hashlib.sha256(operation_id.encode()).hexdigest()
    return Key(f"{escape(tenant)}#operation#{digest}", "result")


def partition(tenant: str, entity_type: str, *parts: str) -> str:
    """The pk of an index; `parts` are escaped already."""
    return "#".join((escape(tenant), entity_type, *parts))


def id_of(sort_key: str) -> str:
    """The record id that every entry's sk ends with."""
    return sort_key.rpartition("#")[2]


def record_words(record: Record) -> tuple[str, ...]:
    """The words by which `name_contains` finds this record."""
    return words(record.search_words())[:MAX_WORDS]


def entries(record: Record) -> frozenset[Key]:
    """Every index entry of a record."""
    return frozenset((*_listings(record), *_word_entries(record)))


def _listings(record: Record) -> Iterator[Key]:
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
    status = index_value(field_value(record, STATUS_FIELD[record.TYPE]))
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
    """By the first letter alone, so that a prefix of any length finds its partition."""
    return partition(tenant, entity_type, "word", word[:1])


def vocabulary_key(tenant: str, entity_type: str, variant: str, word: str) -> Key:
    return Key(partition(tenant, entity_type, "vocab", variant), word)


def vocabulary(tenant: str, entity_type: str, word: str) -> list[Key]:
    """The vocabulary items of a word, its own first letters last: that one says that all are there."""
    own = word[:VARIANT_LETTERS]
    ordered = (*(variant for variant in sorted(variants(word)) if variant != own), own)
    return [vocabulary_key(tenant, entity_type, variant, word) for variant in ordered]


def counter_partition(tenant: str, entity_type: str) -> str:
    return partition(tenant, entity_type, "count")


def counters(record: Record) -> dict[Key, Counts]:
    """What this record adds to the counters it stands in."""
    currency = getattr(record, "currency", "")
    parts = (record.owner or "", field_value(record, STATUS_FIELD[record.TYPE]), currency)
    group = "#".join(escape(part) for part in parts)
    amount = field_value(record, AMOUNT_FIELD.get(record.TYPE, "amount")) or Decimal(0)
    weighted = amount * Decimal(getattr(record, "probability", None) or 0) / 100
    created = record.created_at.astimezone(UTC).date().isoformat() if record.created_at else ""
    pk = counter_partition(record.tenant_id, record.TYPE)
    added = Counts(1, amount, weighted)
    return {Key(pk, f"total#{group}"): added, Key(pk, f"day#{created}#{group}"): added}


def count_rows(items: Iterable[tuple[str, Counts]]) -> list[CountRow]:
    """Rows by owner, status and currency from `(sk, counts)` of counter items; those at zero are left out."""
    sums: dict[tuple[str, ...], Counts] = {}
    for sk, counts in items:
        group = tuple(sk.split("#")[-3:])
        sums[group] = sums.get(group, Counts()).plus(counts)
    return [_row(group, counts) for group, counts in sorted(sums.items()) if counts.n]


def _row(group: tuple[str, ...], counts: Counts) -> CountRow:
    owner, status, currency = (unquote(part) for part in group)
    return CountRow(owner or None, status, currency, counts.n, counts.amount, counts.weighted)
