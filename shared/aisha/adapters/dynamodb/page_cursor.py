"""Where a list goes on, opaque to the caller. Pure: no storage here."""

import base64
import binascii
import json
from typing import Any

from aisha.domain.errors import InvalidInputError
from aisha.domain.queries import MAX_PAGE


def checked_limit(limit: int) -> int:
    """Raises `InvalidInputError` for a page of no or too many entries."""
    if not 1 <= limit <= MAX_PAGE:
        raise InvalidInputError(f"A page has 1 to {MAX_PAGE} entries.", pointer="/limit")
    return limit


def write_position(*position: str | int) -> str:
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")


def read_position(cursor: str, *kinds: type) -> list[Any]:
    """The values of `kinds` that were written. Raises `InvalidInputError` for anything else."""
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        position = json.loads(text)
    except (binascii.Error, ValueError):
        raise start_over() from None
    if not isinstance(position, list) or tuple(type(value) for value in position) != kinds:
        raise start_over()
    return position


def start_over() -> InvalidInputError:
    return InvalidInputError("This cursor is not from this list. Start over without a cursor.", pointer="/cursor")
