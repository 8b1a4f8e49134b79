"""Values of a query string that several endpoints take. What is empty there counts as left out."""

from datetime import date, datetime, time
from typing import Annotated

from pydantic import BeforeValidator, PlainValidator, WithJsonSchema

from aisha.domain.principal import Principal

Given = BeforeValidator(lambda value: value or None)
GivenText = Annotated[str | None, Given]


def _day_or_instant(text: str) -> date:
    """Raises ValueError."""
    try:
        return date.fromisoformat(text) if len(text) == len("2026-03-02") else datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("is no ISO 8601 date; write 2026-03-02 or 2026-03-02T09:00:00Z") from None


Moment = Annotated[
    date | None,
    PlainValidator(lambda value: _day_or_instant(value) if value else None),
    WithJsonSchema({"type": "string", "anyOf": [{"format": "date-time"}, {"format": "date"}, {"maxLength": 0}]}),
]
"""A day, or an instant (a `datetime`)."""


def instant(value: date | None, principal: Principal, *, is_end: bool = False) -> datetime | None:
    """An aware moment: of a day the first, or as an end the last, in the user's zone."""
    if value is None:
        return None
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=principal.tzinfo)
    return datetime.combine(value, time.max if is_end else time.min, principal.tzinfo)
