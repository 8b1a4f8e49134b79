"""Types of query parameters and members of bodies that several operations share."""

from datetime import date, datetime, time
from typing import Annotated

from pydantic import BeforeValidator, PlainValidator, WithJsonSchema

from aisha.domain.dates.parsing import parse_when
from aisha.domain.errors import InvalidInputError
from aisha.domain.principal import Principal

NoneIfEmpty = BeforeValidator(lambda value: value or None)
"""Reads an empty value of a query string as an omitted one."""
OptionalText = Annotated[str | None, NoneIfEmpty]


def _day_or_instant(text: str) -> date:
    """Raises ValueError for other formats than ISO 8601."""
    try:
        # By length, because `datetime.fromisoformat` accepts a bare date, too, and would make it midnight.
        return date.fromisoformat(text) if len(text) == len("2026-03-02") else datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("is no ISO 8601 date; write 2026-03-02 or 2026-03-02T09:00:00Z") from None


Moment = Annotated[
    date | None,
    PlainValidator(lambda value: _day_or_instant(value) if value else None),
    WithJsonSchema({"type": "string", "anyOf": [{"format": "date-time"}, {"format": "date"}, {"maxLength": 0}]}),
]
"""A query parameter that is a day or an instant (a `datetime`); None for an omitted or empty one."""


def instant(value: date | None, principal: Principal, *, is_end: bool = False) -> datetime | None:
    """Return an aware time. A day becomes its first moment, or its last with `is_end`, in the user's time zone."""
    if value is None:
        return None
    # A `datetime` is a `date`, so it is asked for first.
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=principal.tzinfo)
    return datetime.combine(value, time.max if is_end else time.min, principal.tzinfo)


def parse_moment(text: str | None, now: datetime, pointer: str) -> datetime | None:
    """Return the aware time of an ISO 8601 text, or of words such as "tomorrow at 9am" in the time zone of `now`.

    None stays None. Raises `InvalidInputError` with the `pointer` to the member of the body.
    """
    if text is None:
        return None
    try:
        return parse_when(text, now)
    except ValueError as error:
        raise InvalidInputError(str(error), pointer=pointer) from None
