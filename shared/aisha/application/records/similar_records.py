"""Similarity of records: searches for candidates, and the traits that two records share. Pure functions."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from msgspec import Struct

from aisha.domain.crm.queries import Condition, RecordQuery
from aisha.domain.crm.records import Account, Contact, Lead, Opportunity, Record

AMOUNT_FACTOR = 2
"""Amounts are similar within half and double of each other."""
MIN_POINTS = 2
"""The points from which two records are similar: a shared status alone is not enough."""
MAX_CANDIDATES = 25
"""Records read from each search."""


class Trait(Struct, frozen=True):
    """A field that two records may share, with its `label` for people and its `points` for the similarity.

    Candidates are searched by the traits with `is_searched`: those that few records share, and one that more do.
    """

    field: str
    label: str
    points: int
    is_searched: bool = False
    is_amount: bool = False


TRAITS: dict[str, tuple[Trait, ...]] = {
    Lead.TYPE: (
        Trait("company", "company", 4, is_searched=True),
        Trait("job_title", "job title", 2),
        Trait("source", "source", 2, is_searched=True),
        Trait("estimated_value", "value", 2, is_searched=True, is_amount=True),
        Trait("address.state", "state", 1),
        Trait("status", "status", 1),
    ),
    Contact.TYPE: (
        Trait("account_id", "account", 4, is_searched=True),
        Trait("company", "company", 4),
        Trait("job_title", "job title", 2, is_searched=True),
        Trait("department", "department", 2, is_searched=True),
        Trait("status", "status", 1),
    ),
    Account.TYPE: (
        Trait("industry", "industry", 4, is_searched=True),
        Trait("annual_revenue", "revenue", 2, is_amount=True),
        Trait("employee_count", "size", 2, is_amount=True),
        Trait("type", "type", 1, is_searched=True),
        Trait("health", "health", 1),
        Trait("address.state", "state", 1),
    ),
    Opportunity.TYPE: (
        Trait("account_id", "account", 4, is_searched=True),
        Trait("contact_id", "contact", 3, is_searched=True),
        Trait("amount", "amount", 2, is_searched=True, is_amount=True),
        Trait("stage", "stage", 2, is_searched=True),
    ),
}
_IDS = frozenset(("account_id", "contact_id"))
_EMPTY_VALUES = frozenset(("", "unknown"))
"""Values that count as missing."""


def candidate_searches(record: Record) -> Iterator[RecordQuery]:
    """Yield up to four searches for similar records."""
    for trait in TRAITS[record.TYPE]:
        value = _value(record, trait.field)
        if not trait.is_searched or value is None:
            continue
        if trait.is_amount:
            yield RecordQuery(record.TYPE, where=_amount_range(record, trait, value), limit=MAX_CANDIDATES)
        elif trait.field == "company":  # The words of companies are indexed as names, the field is not.
            yield RecordQuery(record.TYPE, name_contains=value, limit=MAX_CANDIDATES)
        else:
            yield RecordQuery(record.TYPE, where=(Condition(trait.field, "eq", value),), limit=MAX_CANDIDATES)


def _amount_range(record: Record, trait: Trait, value: Any) -> tuple[Condition, ...]:
    return (
        Condition(trait.field, "gte", value / AMOUNT_FACTOR),
        Condition(trait.field, "lte", value * AMOUNT_FACTOR),
        *_same_currency(record),
    )


def shared_traits(record: Record, other: Record) -> tuple[int, list[str]]:
    """Return the points of the traits that both records share, and each trait in words: `same source (referral)`."""
    points, reasons = 0, []
    for trait in TRAITS[record.TYPE]:
        value, other_value = _value(record, trait.field), _value(other, trait.field)
        if value is None or other_value is None or not _is_similar(trait, record, other, value, other_value):
            continue
        if trait.label == "company" and "same account" in reasons:
            continue  # Contacts of one account have its company: that is one trait, not two.
        points += trait.points
        reasons.append(_format_reason(trait, other_value))
    return points, reasons


def _is_similar(trait: Trait, record: Record, other: Record, value: Any, other_value: Any) -> bool:
    if not trait.is_amount:
        return str(value).casefold() == str(other_value).casefold()
    if _same_currency(record) != _same_currency(other):
        return False
    return bool(value / AMOUNT_FACTOR <= other_value <= value * AMOUNT_FACTOR)


def _format_reason(trait: Trait, value: Any) -> str:
    if trait.field in _IDS:
        return f"same {trait.label}"
    if trait.is_amount:
        return f"similar {trait.label} ({value:,.0f})"
    return f"same {trait.label} ({str(value).replace('_', ' ')})"


def _same_currency(record: Record) -> tuple[Condition, ...]:
    return (Condition("currency", "eq", record.currency),) if isinstance(record, Opportunity) else ()


def _value(record: Record, field: str) -> Any:
    """Return the value of the field, a number as Decimal; None for a missing or empty value."""
    # `address.state` is a field of a part of the record.
    name, _, inner = field.partition(".")
    value = getattr(record, name, None)
    value = getattr(value, inner, None) if inner else value
    if isinstance(value, int | Decimal):
        return Decimal(value) or None
    return None if value in _EMPTY_VALUES else value
