"""Which records resemble a record, and why: where to look for them, and what two of them have in common. Pure."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from msgspec import Struct

from aisha.domain.queries import Condition, RecordQuery
from aisha.domain.records import Account, Contact, Lead, Opportunity, Record

FACTOR = 2
"""Amounts within half and double of each other are of one band."""
ENOUGH = 2
"""Points from which a record resembles another: a common status alone says little."""


CANDIDATES = 25
"""Records taken from each search."""


class Trait(Struct, frozen=True):
    """A field that two records may share. `points` are what it counts, `label` how it is called.

    Candidates are looked for by the traits that are `sought`: those that lead to few records, and one wider one.
    """

    field: str
    label: str
    points: int
    sought: bool = False
    is_amount: bool = False


TRAITS: dict[str, tuple[Trait, ...]] = {
    Lead.TYPE: (
        Trait("company", "company", 4, sought=True),
        Trait("job_title", "job title", 2),
        Trait("source", "source", 2, sought=True),
        Trait("estimated_value", "value", 2, sought=True, is_amount=True),
        Trait("address.state", "state", 1),
        Trait("status", "status", 1),
    ),
    Contact.TYPE: (
        Trait("account_id", "account", 4, sought=True),
        Trait("company", "company", 4),
        Trait("job_title", "job title", 2, sought=True),
        Trait("department", "department", 2, sought=True),
        Trait("status", "status", 1),
    ),
    Account.TYPE: (
        Trait("industry", "industry", 4, sought=True),
        Trait("annual_revenue", "revenue", 2, is_amount=True),
        Trait("employee_count", "size", 2, is_amount=True),
        Trait("type", "type", 1, sought=True),
        Trait("health", "health", 1),
        Trait("address.state", "state", 1),
    ),
    Opportunity.TYPE: (
        Trait("account_id", "account", 4, sought=True),
        Trait("contact_id", "contact", 3, sought=True),
        Trait("amount", "amount", 2, sought=True, is_amount=True),
        Trait("stage", "stage", 2, sought=True),
    ),
}
_IDS = frozenset(("account_id", "contact_id"))
_UNTOLD = frozenset(("unknown",))
"""Values that say nothing."""


def searches(record: Record) -> Iterator[RecordQuery]:
    """At most four searches that find candidates."""
    for trait in TRAITS[record.TYPE]:
        value = _value(record, trait.field)
        if not trait.sought or value is None:
            continue
        if trait.is_amount:
            yield RecordQuery(record.TYPE, where=_band(record, trait, value), limit=CANDIDATES)
        elif trait.field == "company":  # Its words are indexed, the field is not.
            yield RecordQuery(record.TYPE, name_contains=value, limit=CANDIDATES)
        else:
            yield RecordQuery(record.TYPE, where=(Condition(trait.field, "eq", value),), limit=CANDIDATES)


def _band(record: Record, trait: Trait, value: Any) -> tuple[Condition, ...]:
    return (
        Condition(trait.field, "gte", value / FACTOR),
        Condition(trait.field, "lte", value * FACTOR),
        *_same_currency(record),
    )


def common(record: Record, other: Record) -> tuple[int, list[str]]:
    """Points of what both have in common and each of it in words: `same source (referral)`."""
    points, reasons = 0, []
    for trait in TRAITS[record.TYPE]:
        value, theirs = _value(record, trait.field), _value(other, trait.field)
        if value is None or theirs is None or not _alike(trait, record, other, value, theirs):
            continue
        if trait.label == "company" and "same account" in reasons:
            continue
        points += trait.points
        reasons.append(_reason(trait, theirs))
    return points, reasons


def _alike(trait: Trait, record: Record, other: Record, value: Any, theirs: Any) -> bool:
    if not trait.is_amount:
        return str(value).casefold() == str(theirs).casefold()
    if _same_currency(record) != _same_currency(other):
        return False
    return bool(value / FACTOR <= theirs <= value * FACTOR)


def _reason(trait: Trait, value: Any) -> str:
    if trait.field in _IDS:
        return f"same {trait.label}"
    if trait.is_amount:
        return f"similar {trait.label} ({value:,.0f})"
    return f"same {trait.label} ({str(value).replace('_', ' ')})"


def _same_currency(record: Record) -> tuple[Condition, ...]:
    return (Condition("currency", "eq", record.currency),) if isinstance(record, Opportunity) else ()


def _value(record: Record, field: str) -> Any:
    """The value, amounts as exact numbers; None for what is missing or says nothing."""
    name, _, inner = field.partition(".")
    value = getattr(record, name, None)
    value = getattr(value, inner, None) if inner else value
    if isinstance(value, int | Decimal):
        return Decimal(value) or None
    return None if value == "" or value in _UNTOLD else value
