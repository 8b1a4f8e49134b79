"""Opaque cursors: where the next page of a list or a search starts, as URL-safe Base64 of JSON."""

import base64
import binascii
import hashlib
import json
from datetime import date
from typing import Any, Literal, NamedTuple

from aisha.domain.crm.queries import MAX_PAGE, RecordQuery
from aisha.domain.errors import InvalidInputError
from aisha.domain.json_values import finite_json

SearchMode = Literal["set", "walk", "fuzzy"]
"""The way the first page was found: all candidates at once, along an index, or along the entries of similar words."""


class SearchPosition(NamedTuple):
    """`after` is the sort key of the last record of the page."""

    mode: SearchMode
    after: str


def checked_limit(limit: int) -> int:
    """Return the limit. Raises `InvalidInputError` outside 1 to `MAX_PAGE`."""
    if not 1 <= limit <= MAX_PAGE:
        raise InvalidInputError(f"A page can have 1 to {MAX_PAGE} entries.", pointer="/limit")
    return limit


def write_position(*position: str | int) -> str:
    """Return the cursor of a list that goes on after this position."""
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")


def read_position(cursor: str, *types: type) -> list[Any]:
    """Return the values of a `write_position`. Raises `InvalidInputError` for values of other types."""
    try:
        # `write_position` strips the padding, which a query string would have to encode.
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        position = finite_json(text)
    except (binascii.Error, ValueError):
        raise invalid_cursor() from None
    if not isinstance(position, list) or tuple(type(value) for value in position) != types:
        raise invalid_cursor()
    return position


def invalid_cursor() -> InvalidInputError:
    """Return the error for a cursor of another list."""
    return InvalidInputError("This cursor is not from this list. Start over without a cursor.", pointer="/cursor")


def write_search_cursor(tenant: str, query: RecordQuery, position: SearchPosition | None) -> str | None:
    """Return a cursor that is valid for the same search only, or None without a position."""
    return write_position(_fingerprint(tenant, query), *position) if position else None


def read_search_cursor(tenant: str, query: RecordQuery) -> SearchPosition | None:
    """Return where the search goes on, or None for its first page. Raises `InvalidInputError`."""
    if not query.cursor:
        return None
    fingerprint, mode, after = read_position(query.cursor, str, str, str)
    if fingerprint != _fingerprint(tenant, query) or mode not in ("set", "walk", "fuzzy"):
        raise invalid_cursor()
    return SearchPosition(mode, after)


def _fingerprint(tenant: str, query: RecordQuery) -> str:
    # Times are left out: "overdue" filters by another now at each page.
    where = [
        (condition.field, condition.operator, None if isinstance(condition.value, date) else str(condition.value))
        for condition in query.where
    ]
    text = repr((tenant, query.entity_type, query.name_contains, where, query.order))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
