"""How the application asks the record store for records, and what it gets."""

from datetime import date
from decimal import Decimal
from typing import Any, Literal

from msgspec import Struct

from aisha.domain.records import Record

Operator = Literal["eq", "ne", "in", "gte", "lte", "lt", "gt"]
MAX_PAGE = 50


class Condition(Struct, frozen=True):
    """One filter. `field` is the record's field (`related.id` and `address.state` reach inside).

    A record without the field matches only `ne`. Comparison is exact; text compares case-insensitively.
    """

    field: str
    operator: Operator
    value: Any


class RecordQuery(Struct, frozen=True):
    """A search. `name_contains`: every word must match a word of the record's `search_words()`, by prefix or with one typo.

    `limit` is 1 to 50. `order`: None is the type's own rank (lead: score, highest first; contact, account: name;
    opportunity: amount, highest first; activity: due_at, earliest first; note, event, goal: newest first), `due`
    the close date of opportunities, earliest first, and `newest` by creation. `cursor` is what the last page gave.
    """

    entity_type: str
    name_contains: str | None = None
    where: tuple[Condition, ...] = ()
    order: Literal["due", "newest"] | None = None
    limit: int = 10
    cursor: str | None = None


class RecordPage(Struct, frozen=True):
    """`total` is exact, or None when finding it would cost more than a bounded walk; ask a count tool then."""

    items: list[Record]
    total: int | None
    next_cursor: str | None = None


class CountRow(Struct, frozen=True):
    """How many records share these values, kept by the store at each write: reading it never lists records."""

    owner: str | None
    status: str
    currency: str
    count: int
    amount: Decimal = Decimal(0)
    weighted: Decimal = Decimal(0)


class Period(Struct, frozen=True):
    """Days, both included, by the record's creation date in UTC."""

    first: date
    last: date


class Create(Struct, frozen=True):
    record: Record


class Update(Struct, frozen=True):
    """`changes` maps fields to new values; None clears. With `expected_version`, another writer's change is a conflict."""

    entity_type: str
    record_id: str
    changes: dict[str, Any]
    expected_version: int | None = None


class Delete(Struct, frozen=True):
    entity_type: str
    record_id: str
    expected_version: int | None = None


Change = Create | Update | Delete


class Written(Struct, frozen=True):
    """What one change did. `before` is None for a create, `after` for a delete."""

    action: Literal["created", "updated", "deleted"]
    before: Record | None = None
    after: Record | None = None

    @property
    def record(self) -> Record:
        record = self.after or self.before
        assert record is not None  # noqa: S101 - one side always stands
        return record
