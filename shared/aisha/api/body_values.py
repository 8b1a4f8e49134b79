"""Values of a body that several endpoints take."""

from datetime import datetime

from aisha.domain.dates.parsing import parse_when
from aisha.domain.errors import InvalidInputError


def moment(text: str | None, now: datetime, pointer: str) -> datetime | None:
    """An aware moment, of ISO 8601 or of words in the zone of `now`; None for none. Raises `InvalidInputError`."""
    if text is None:
        return None
    try:
        return parse_when(text, now)
    except ValueError as error:
        raise InvalidInputError(str(error), pointer=pointer) from None
