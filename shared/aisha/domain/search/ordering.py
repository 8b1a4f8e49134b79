"""The orders of a record list: each encodes a field's values as text that sorts ascending."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from aisha.domain.crm.records import Record
from aisha.domain.search.words import plain

# Descending orders encode the distance to this number.
_TOP = 10**15
# Sorts after every digit and letter: records without a value come last.
_NO_VALUE = "~"


def field_value(record: Record, path: str) -> Any:
    """Return the value at `field` or `field.inner`, or None where there is none."""
    value: Any = record
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
        if value is None:
            return None
    return value


def _encode_instant(value: datetime | None) -> str:
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f") if value else _NO_VALUE


def _encode_newest(value: datetime | None) -> str:
    # In microseconds, and with leading zeros, so that text sorts like the number.
    return f"{_TOP * 100 - int(value.timestamp() * 1_000_000):018d}" if value else _NO_VALUE


def _encode_amount(value: Decimal | None) -> str:
    return _NO_VALUE if value is None else f"{_TOP - int(value * 100):016d}"


def _encode_score(value: int | None) -> str:
    return _NO_VALUE if value is None else f"{1000 - value:04d}"


def _encode_name(value: str | None) -> str:
    return plain(value or "")[:80]


def _encode_day(value: date | None) -> str:
    return value.isoformat() if value else _NO_VALUE


class Order(NamedTuple):
    """A field and the encoding of its values as ascending text. `descending`: the highest value comes first."""

    field: str
    encode: Callable[[Any], str]
    descending: bool = False


NEWEST = Order("created_at", _encode_newest, descending=True)
DUE = Order("close_date", _encode_day)
_DEFAULT_ORDERS = {
    "lead": Order("score", _encode_score, descending=True),
    "contact": Order("display_name", _encode_name),
    "account": Order("display_name", _encode_name),
    "opportunity": Order("amount", _encode_amount, descending=True),
    "activity": Order("due_at", _encode_instant),
}


def order_of(entity_type: str, order: str | None) -> Order:
    """Return the order that a query asks for. `due` is the default order for types without a close date."""
    if order == "due" and entity_type == "opportunity":
        return DUE
    return NEWEST if order == "newest" else _DEFAULT_ORDERS.get(entity_type, NEWEST)


def sort_key(record: Record, order: Order) -> str:
    """Return `<encoded value>#<record id>`: unique, and ascending in this order."""
    return f"{order.encode(field_value(record, order.field))}#{record.id}"
