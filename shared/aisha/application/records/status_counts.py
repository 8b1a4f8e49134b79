"""Exact counts of records by status, from the store's counters where these follow it, else from the records."""

from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import chain
from typing import Literal

from msgspec.structs import replace

from aisha.application.records import crud
from aisha.application.records.totals import Totals
from aisha.application.tooling import ToolContext
from aisha.domain.crm.enumerations import AccountHealth, AccountType, ActivityStatus, ContactStatus, LeadStatus, Stage
from aisha.domain.crm.paging import pages, read_items
from aisha.domain.crm.queries import MAX_PAGE, CountRow, Period, RecordQuery
from aisha.domain.crm.team_values import PLACES, NamedValue, TeamValue, named_value
from aisha.domain.errors import InvalidInputError
from aisha.domain.search.counts import STATUS_FIELD, Counts, Group, count_rows, counts_of, group_of

CountedType = Literal["lead", "contact", "account", "opportunity", "activity"]
_STATUSES: dict[CountedType, type[StrEnum]] = {
    "lead": LeadStatus,
    "contact": ContactStatus,
    "account": AccountHealth,
    "opportunity": Stage,
    "activity": ActivityStatus,
}
"""The statuses of each type, in their order."""
ALL_STATUSES = list(dict.fromkeys(value for values in _STATUSES.values() for value in values))
MAX_PAGES = 10
"""Pages read to count accounts by type."""


class StatusTotals(Totals):
    """Totals of the records with one status (stage of opportunities, health of accounts)."""

    status: str


class Section(Totals):
    """Totals of the records of one type, together and by status."""

    entity_type: CountedType
    by_status: list[StatusTotals]


def countable_types(context: ToolContext, entity_type: CountedType | None, status: str | None) -> Sequence[CountedType]:
    """Return the requested types that have the status. Raise `InvalidInputError` when none has it."""
    kinds: Sequence[CountedType] = (entity_type,) if entity_type else tuple(_STATUSES)
    countable = [kind for kind in kinds if status is None or _parse_status(context, kind, status) is not None]
    if countable:
        return countable
    statuses = {kind: _named_statuses(context, kind) for kind in kinds}
    raise InvalidInputError(
        f"There is no status {status!r} to count {'by' if entity_type is None else f'{entity_type} records by'}",
        pointer="/status",
        detail=statuses,
        suggestion=f"Use one of: {', '.join(dict.fromkeys(chain(*statuses.values())))}.",
    )


def _own_statuses(context: ToolContext, kind: CountedType) -> Sequence[TeamValue]:
    return context.team_values.get(PLACES[_STATUSES[kind]], ())


def _named_statuses(context: ToolContext, kind: CountedType) -> list[str]:
    labels = [value.label for value in _own_statuses(context, kind)]
    return [*(labels or _STATUSES[kind]), *(AccountType if kind == "account" else ())]


def _parse_status(context: ToolContext, kind: CountedType, status: str) -> str | None:
    """Return the status as the counters store it, or the type of accounts; None when it is neither.

    It is a `NamedValue` when it was given by the tenant's own name.
    """
    if (own_status := named_value(_own_statuses(context, kind), status)) is not None:
        return own_status
    for values in (_STATUSES[kind], AccountType) if kind == "account" else (_STATUSES[kind],):
        with suppress(ValueError):
            return str(values(status))
    return None


def count_section(
    context: ToolContext, kind: CountedType, status: str | None, owner: str | None, days: Period | None
) -> Section:
    """Return the counts of one type: of all its records or of one status, of one owner, created in these days."""
    value = _parse_status(context, kind, status) if status is not None else None
    # The counters know AiSHA's statuses; those under a tenant's own names are read from the records.
    if isinstance(value, NamedValue):
        rows = _rows_named(context, kind, value, owner, days)
        return Section.sum(rows, entity_type=kind, by_status=[StatusTotals.sum(rows, status=value.label)])
    if kind == "account" and value in set(AccountType):
        count = _count_accounts(context, value, owner, days)
        return Section(count=count, entity_type=kind, by_status=[StatusTotals(count=count, status=value)])
    rows = [row for row in context.records.counts(kind, days) if owner in (None, (row.owner or "").lower())]
    if value is not None:
        rows = [row for row in rows if row.status == value]
    totals = [
        StatusTotals.sum([row for row in rows if row.status == status], status=status)
        for status in ([value] if value else _order_statuses(kind, rows))
    ]
    return Section.sum(rows, entity_type=kind, by_status=totals)


def _order_statuses(kind: CountedType, rows: Sequence[CountRow]) -> list[str]:
    """Return the statuses that occur, in the order of their enumeration; values of the tenant's own come last."""
    present = {row.status for row in rows}
    standard = [value.value for value in _STATUSES[kind] if value in present]
    return standard + sorted(present - set(standard))


def _count_accounts(context: ToolContext, account_type: str, owner: str | None, days: Period | None) -> int:
    """Return the number of accounts of a type. The store's counters follow an account's health, so these are listed.

    Raise `InvalidInputError` when there are more than 500, because a count must be exact.
    """
    created = crud.between("created_at", days.first, days.last) if days else ()
    where = (*crud.equal(type=account_type, owner=owner), *created)
    query, count = RecordQuery("account", where=where, limit=MAX_PAGE), 0
    for page in pages(lambda cursor: context.records.search(replace(query, cursor=cursor)), max_pages=MAX_PAGES):
        # Where the store knows the total, the first page has it and the others need not be read.
        if page.total is not None and not count:
            return page.total
        count += len(page.items)
        if page.next_cursor is None:
            return count
    raise InvalidInputError(
        f"There are more than {count} {account_type} accounts; they can't be counted by type",
        suggestion="Count accounts by health, or list those of the type with search_accounts.",
    )


def _rows_named(
    context: ToolContext, kind: CountedType, value: NamedValue, owner: str | None, days: Period | None
) -> list[CountRow]:
    """Return the sums of the records with one of the tenant's own values, which the store's counters do not follow.

    Raise `InvalidInputError` when there are more than 500, because a count must be exact.
    """
    created = crud.between("created_at", days.first, days.last) if days else ()
    query = RecordQuery(kind, where=(*crud.equal(**{STATUS_FIELD[kind]: value}, owner=owner), *created), limit=MAX_PAGE)
    records, has_more = read_items(
        lambda cursor: context.records.search(replace(query, cursor=cursor)), max_pages=MAX_PAGES
    )
    if has_more:
        raise InvalidInputError(
            f"There are more than {len(records)} in {value.label}; they can't be counted by it",
            suggestion=f"Count those that count as {value}, or list them with a search.",
        )
    sums: dict[Group, Counts] = {}
    for record in records:
        group = group_of(record)._replace(status=value.label)
        sums[group] = sums.get(group, Counts()).plus(counts_of(record))
    return count_rows(sums)
