"""Queries and changes of records, and their results."""

from datetime import date
from decimal import Decimal
from typing import Any, Literal

from msgspec import Struct

from aisha.domain.crm.records import Record

Operator = Literal["eq", "ne", "in", "gte", "lte", "lt", "gt"]
MAX_PAGE = 50
"""Records on a page for a user or a model."""
MAX_LIMIT = 500
"""Records on a page for what reads many, such as a scan: the larger the page, the fewer requests."""


class Condition(Struct, frozen=True):
    """One filter. `field` is a field of the record, or of a part of it such as `related.id` or `address.state`.

    A record without the field matches only `ne`. Comparison is exact; text compares case-insensitively.
    """

    field: str
    operator: Operator
    value: Any


class RecordQuery(Struct, frozen=True):
    """A search. `name_contains`: every word must match a word of the record's `search_words()`, by prefix.

    When nothing matches, one typo for each word is tolerated, except in notes and events. `limit` is 1 to 500. `order`:
    None is the type's default (lead: score, highest first; contact, account: name; opportunity: amount, highest first;
    activity: due_at, earliest first; note, event, goal: newest first), `due` the close date of opportunities, earliest
    first, and `newest` by creation. `cursor` is the `next_cursor` of the page before.
    """

    entity_type: str
    name_contains: str | None = None
    where: tuple[Condition, ...] = ()
    order: Literal["due", "newest"] | None = None
    limit: int = 10
    cursor: str | None = None


class RecordPage(Struct, frozen=True):
    """One page of records. `total` is exact, or None when counting would cost more than a bounded number of reads."""

    items: list[Record]
    total: int | None
    next_cursor: str | None = None


class CountRow(Struct, frozen=True):
    """The number of records with these values. The store updates it at each write, so reading it lists no records."""

    owner: str | None
    status: str
    currency: str
    count: int
    amount: Decimal = Decimal(0)
    weighted: Decimal = Decimal(0)


class Period(Struct, frozen=True):
    """A range of days, both included, of the records' creation dates in UTC."""

    first: date
    last: date


class Create(Struct, frozen=True):
    record: Record


class Update(Struct, frozen=True):
    """New values by field, `custom.<name>` for one of `custom`; None clears one.

    With `expected_version`, another version is a conflict.
    """

    entity_type: str
    record_id: str
    changes: dict[str, Any]
    expected_version: int | None = None


class Delete(Struct, frozen=True):
    entity_type: str
    record_id: str
    expected_version: int | None = None


class Written(Struct, frozen=True):
    """The result of one change. `before` is None for a create, `after` for a delete.

    `only_here` are fields that another CRM, which has the record, does not keep; a repetition names none. It is a
    change, too: what another CRM has done already, which is stored as it is and can't be refused.
    """

    action: Literal["created", "updated", "deleted"]
    before: Record | None = None
    after: Record | None = None
    # Not stored with the result, so a repetition has none.
    only_here: tuple[str, ...] = ()

    @property
    def record(self) -> Record:
        record = self.after or self.before
        assert record is not None  # noqa: S101 - one side always exists
        return record


Change = Create | Update | Delete | Written
