"""Count and sum records by owner, status and currency."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from aisha.domain.crm.queries import CountRow
from aisha.domain.crm.records import Record
from aisha.domain.search.ordering import field_value

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
"""The field of each record type that counts as its status."""
_AMOUNT_FIELD = {"lead": "estimated_value", "opportunity": "amount"}


class Group(NamedTuple):
    """The values that the records of one count share; `owner` is empty for records without one."""

    owner: str
    status: str
    currency: str


class Counts(NamedTuple):
    """The number of records of a group, the sum of their amounts, and that sum weighted by probability."""

    n: int = 0
    amount: Decimal = Decimal(0)
    weighted: Decimal = Decimal(0)

    def plus(self, other: "Counts", sign: int = 1) -> "Counts":
        return Counts(self.n + sign * other.n, self.amount + sign * other.amount, self.weighted + sign * other.weighted)


def status_of(record: Record) -> str:
    """Return the value of the type's status field."""
    return str(field_value(record, STATUS_FIELD[record.TYPE]))


def group_of(record: Record) -> Group:
    """Return the group that the record is counted in."""
    return Group(record.owner or "", status_of(record), getattr(record, "currency", ""))


def counts_of(record: Record) -> Counts:
    """Return the record's share of its group's counts."""
    amount = field_value(record, _AMOUNT_FIELD.get(record.TYPE, "amount")) or Decimal(0)
    weighted = amount * Decimal(getattr(record, "probability", None) or 0) / 100
    return Counts(1, amount, weighted)


def count_rows(sums: Mapping[Group, Counts]) -> list[CountRow]:
    """Return a row for each group that has records, sorted by group."""
    return [
        CountRow(group.owner or None, group.status, group.currency, counts.n, counts.amount, counts.weighted)
        for group, counts in sorted(sums.items())
        # A group whose records were all deleted or moved stays in the store with a count of 0.
        if counts.n
    ]
