"""Where a search goes on: opaque to the caller, good for the same search alone. Pure: no storage here."""

import base64
import binascii
import hashlib
import json
from datetime import date
from typing import Literal, NamedTuple

from aisha.domain.errors import InvalidInputError
from aisha.domain.queries import RecordQuery

Mode = Literal["set", "walk", "fuzzy"]
"""How the first page was found: all candidates at once, along an index, along the entries of similar words."""


class Position(NamedTuple):
    """`after` is the sort key of the last record shown."""

    mode: Mode
    after: str


def _fingerprint(tenant: str, query: RecordQuery) -> str:
    # Moments are left out: "overdue" asks with another now at each page.
    where = [(one.field, one.operator, None if isinstance(one.value, date) else str(one.value)) for one in query.where]
    text = repr((tenant, query.entity_type, query.name_contains, where, query.order))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_cursor(tenant: str, query: RecordQuery, position: Position | None) -> str | None:
    """None when there is nothing more."""
    if position is None:
        return None
    text = json.dumps([_fingerprint(tenant, query), *position])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(tenant: str, query: RecordQuery) -> Position | None:
    """Raises `InvalidInputError` for a cursor of another search."""
    if not query.cursor:
        return None
    try:
        text = base64.b64decode(query.cursor + "=" * (-len(query.cursor) % 4), altchars=b"-_", validate=True)
        fingerprint, mode, after = json.loads(text)
    except (binascii.Error, ValueError, TypeError):
        raise start_over() from None
    if fingerprint != _fingerprint(tenant, query) or mode not in ("set", "walk", "fuzzy") or not isinstance(after, str):
        raise start_over()
    return Position(mode, after)


def start_over() -> InvalidInputError:
    return InvalidInputError(
        "This cursor does not belong to this search. Start over without a cursor.", pointer="/cursor"
    )
