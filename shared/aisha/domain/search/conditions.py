"""Check a record query and apply its filters to records."""

import operator
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from aisha.domain.crm.queries import MAX_LIMIT, Condition, RecordQuery
from aisha.domain.crm.records import RECORD_TYPES, Record
from aisha.domain.errors import InvalidInputError
from aisha.domain.search.ordering import field_value

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "gte": operator.ge,
    "lte": operator.le,
    "gt": operator.gt,
    "lt": operator.lt,
}


def check_query(query: RecordQuery) -> None:
    """Raise `InvalidInputError` for an unknown record type or field, or a limit outside 1 to `MAX_LIMIT`."""
    check_type(query.entity_type)
    fields = RECORD_TYPES[query.entity_type].model_fields
    for condition in query.where:
        # Otherwise a misspelt field would match nothing, and look like an empty list.
        if condition.field.partition(".")[0] not in fields:
            raise InvalidInputError(
                f"{query.entity_type} records have no field {condition.field!r}.", pointer=f"/{condition.field}"
            )
    if not 1 <= query.limit <= MAX_LIMIT:
        raise InvalidInputError(f"limit must be 1 to {MAX_LIMIT}.", pointer="/limit")


def check_type(entity_type: str) -> None:
    """Raise `InvalidInputError` for an unknown record type."""
    if entity_type not in RECORD_TYPES:
        raise InvalidInputError(f"There is no record type {entity_type!r}.", detail=sorted(RECORD_TYPES))


def matches(record: Record, where: Iterable[Condition]) -> bool:
    """Return whether the record passes every filter."""
    return all(_passes(field_value(record, condition.field), condition) for condition in where)


def _passes(value: Any, condition: Condition) -> bool:
    if value is None:
        return condition.operator == "ne"
    operand = condition.value
    match condition.operator:
        case "eq":
            return _is_equal(value, operand)
        case "ne":
            return not _is_equal(value, operand)
        case "in":
            return any(_is_equal(value, item) for item in operand)
        case comparison:
            if operand is None:
                return False
            left, right = comparable(value, operand)
            return _COMPARE[comparison](left, right)


def _is_equal(value: Any, operand: Any) -> bool:
    # A list such as `tags` is equal to each of its elements.
    if isinstance(value, list):
        return any(_is_equal(item, operand) for item in value)
    if operand is None:
        return False
    left, right = comparable(value, operand)
    return bool(left == right)


def comparable(value: Any, operand: Any) -> tuple[Any, Any]:
    """Return a record's value and a filter's operand in one type that compares.

    A day against an instant compares days in UTC, text compares without case, numbers compare exactly. Raises
    `InvalidInputError` when the operand can't be converted.
    """
    try:
        # Subclasses first: a `datetime` is a `date`, and a `bool` is an `int`.
        if isinstance(value, datetime):
            return _comparable_times(value, operand)
        if isinstance(value, date):
            return value, to_day(operand)
        if isinstance(value, bool):
            return str(value).casefold(), str(operand).casefold()
        if isinstance(value, int | float | Decimal):
            return Decimal(str(value)), Decimal(str(operand))
    except (TypeError, ValueError, InvalidOperation) as error:
        raise InvalidInputError(f"{operand!r} can't be compared with {value!r}.") from error
    return str(value).casefold(), str(operand).casefold()


def _comparable_times(value: datetime, operand: Any) -> tuple[Any, Any]:
    moment = to_day_or_instant(operand)
    return (value, moment) if isinstance(moment, datetime) else (value.astimezone(UTC).date(), moment)


def to_day_or_instant(operand: Any) -> date | datetime:
    """Return a filter's operand as a day or an aware instant. Raises `TypeError` or `ValueError`."""
    if isinstance(operand, str):
        is_day = len(operand) == len("2026-01-31")
        operand = date.fromisoformat(operand) if is_day else datetime.fromisoformat(operand)
    if isinstance(operand, datetime):
        return operand if operand.tzinfo else operand.replace(tzinfo=UTC)
    if not isinstance(operand, date):
        raise TypeError("neither a day nor an instant")
    return operand


def to_day(operand: Any) -> date:
    """Return a filter's operand as a day. Raises `ValueError`."""
    if isinstance(operand, datetime):
        return operand.date()
    return operand if isinstance(operand, date) else date.fromisoformat(str(operand)[:10])
