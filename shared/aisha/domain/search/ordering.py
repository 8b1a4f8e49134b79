"""The orders of a listing: a field whose values become text that sorts ascending. Pure: no storage here."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from aisha.domain.records import Record
from aisha.domain.search.words import plain

_TOP = 10**15
_NONE = "~"


def field_value(record: Record, path: str) -> Any:
    """The value at `field` or `field.inner`, None where there is none."""
    value: Any = record
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
        if value is None:
            return None
    return value


def _instant(value: datetime | None) -> str:
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f") if value else _NONE


def _newest(value: datetime | None) -> str:
    return f"{_TOP * 100 - int(value.timestamp() * 1_000_000):018d}" if value else _NONE


def _amount(value: Decimal | None) -> str:
    return _NONE if value is None else f"{_TOP - int(value * 100):016d}"


def _score(value: int | None) -> str:
    return _NONE if value is None else f"{1000 - value:04d}"


def _name(value: str | None) -> str:
    return plain(value or "")[:80]


def _day(value: date | None) -> str:
    return value.isoformat() if value else _NONE


class Order(NamedTuple):
    """A field and how its values become text that sorts ascending. `descending`: the highest value comes first."""

    field: str
    encode: Callable[[Any], str]
    descending: bool = False


NEWEST = Order("created_at", _newest, True)
_RANKS = {
    "lead": Order("score", _score, True),
    "contact": Order("display_name", _name),
    "account": Order("display_name", _name),
    "opportunity": Order("amount", _amount, True),
    "activity": Order("due_at", _instant),
}
DUE = Order("close_date", _day)


def order_of(entity_type: str, order: str | None) -> Order:
    """The order a query asks for. `due` is the type's own order where there is no close date, as for activities."""
    if order == "due" and entity_type == "opportunity":
        return DUE
    return NEWEST if order == "newest" else _RANKS.get(entity_type, NEWEST)


def sort_key(record: Record, order: Order) -> str:
    return f"{order.encode(field_value(record, order.field))}#{record.id}"
