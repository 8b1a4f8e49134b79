"""Rows of a CRM's lists, page by page, as the endpoints of its mapping file say."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from aisha.adapters.crm.http.client import NO_CONTENT, CrmAnswer, CrmClient
from aisha.adapters.crm.mapping_file.requests import Endpoint, Paginator
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.crm.values import instant_of, moment, picked
from aisha.domain.errors import NotFoundError, UnavailableError

MAX_PAGES = 100
"""Pages of users, of a table of values, or of a list in which a new record is looked for."""
NO_VARIABLES: Mapping[str, Any] = {}
RESTART_PREFIX = "@"
"""Begins a cursor that says from which time on the list is read again, where it reaches no further."""
PLACE_SEPARATOR = "|"
"""Parts that time from the cursor within the list."""


class Lists:
    """The lists of one connection. Raises `UnavailableError` for answers that are no list.

    A list below a record that does not exist raises `NotFoundError`.
    """

    def __init__(self, title: str, client: CrmClient) -> None:
        self._title = title
        self._client = client

    def rows(
        self, endpoint: Endpoint, variables: Mapping[str, Any], cursor: str | None, resource: Resource | None = None
    ) -> tuple[list[Mapping[str, Any]], str | None]:
        """Return one page's rows and the next one's cursor. `variables` are those of the endpoint's templates."""
        paginator, place = endpoint.paginator or Paginator(), place_of(endpoint)
        names: dict[str, Any] = {**variables, "limit": paginator.limit}
        match paginator.type:
            case "offset":
                names["offset"] = int(cursor or 0)
            case "page_number":
                names["page"] = int(cursor or paginator.base_page)
            # The first page has no cursor, and an entry without a value is left out of the request.
            case "cursor" | "header_cursor" if cursor:
                names["cursor"] = cursor
        is_link = paginator.type in ("json_link", "header_link")
        try:
            answer = self._client.call(endpoint, names, cursor if is_link else None, is_read=True)
        # Below a record it may be the record that is gone; a list of its own must exist.
        except NotFoundError:
            if endpoint.parent:
                raise
            raise UnavailableError(f"{self._title} has no list at {place}.") from None
        rows = [] if answer.value is NO_CONTENT else self.picked(endpoint.data_selector, answer.value)
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            where = f"data_selector {endpoint.data_selector!r}" if endpoint.data_selector else "its top"
            shape = shape_of(answer.value)
            raise UnavailableError(f"{self._title}'s answer to {place} has no list of rows at {where}: {shape}.")
        try:
            following = next_cursor(paginator, answer, len(rows), cursor)
        except ValueError as error:
            raise UnavailableError(
                f"{self._title}'s next page of {place_of(endpoint)} can't be read: {error}"
            ) from None
        if paginator.window and resource and following and following.isdecimal() and int(following) >= paginator.window:
            following = _restart(resource, rows[-1], variables.get("since"))
        # It would never end.
        if following is not None and following == cursor:
            raise UnavailableError(f"{self._title}'s pages repeat: after {place} the next one has the same cursor.")
        return rows, following

    def picked(self, expression: str | None, value: Any) -> Any:
        """Return what an expression picks from an answer."""
        try:
            return picked(expression, value)
        except ValueError as error:
            raise UnavailableError(f"{self._title}'s answer can't be read: {error} ({shape_of(value)})") from None

    def all_rows(self, endpoint: Endpoint, variables: Mapping[str, Any] = NO_VARIABLES) -> list[Mapping[str, Any]]:
        """Return the rows of all pages, of which there may be `MAX_PAGES`."""
        rows, cursor = self.rows(endpoint, variables, None)
        for _ in range(MAX_PAGES - 1):
            if cursor is None:
                return rows
            more, cursor = self.rows(endpoint, variables, cursor)
            rows += more
        if cursor is not None:
            raise UnavailableError(f"{self._title}'s list at {place_of(endpoint)} has more than {MAX_PAGES} pages.")
        return rows


def _restart(resource: Resource, last_row: Mapping[str, Any], since: Any) -> str | None:
    """Return the cursor that reads a list again from its last row's time on; None where rows have no times."""
    form, changed_at = resource.incremental.format, resource.updated_at
    instant = instant_of(picked(changed_at, last_row), resource.datetime_format) if changed_at else None
    if instant is not None and moment(instant, form) == since:
        # More rows than the list reaches have one time: the others are found by the daily comparison.
        instant += timedelta(milliseconds=1) if form == "epoch_ms" else timedelta(seconds=1)
    return f"{RESTART_PREFIX}{instant.isoformat()}" if instant else None


def restart_of(cursor: str | None) -> str:
    """Return the beginning of a cursor that says from which time on the list is read again; "" without one."""
    return cursor.partition(PLACE_SEPARATOR)[0] if cursor and cursor.startswith(RESTART_PREFIX) else ""


def within_restart(cursor: str | None, following: str | None) -> str | None:
    """Return the next page's cursor with the time from which the list is read again, if this page's has one."""
    restart = restart_of(cursor)
    if restart and following and not following.startswith(RESTART_PREFIX):
        return f"{restart}{PLACE_SEPARATOR}{following}"
    return following


def place_of(endpoint: Endpoint) -> str:
    """Return an endpoint for people, e.g. `GET /deals`."""
    return f"{endpoint.method} {endpoint.path}"


def shape_of(value: Any) -> str:
    """Return what an answer has at its top, for people who look for something in it."""
    if isinstance(value, Mapping):
        return f"it has the members {', '.join(list(value)[:20])}" if value else "it is empty"
    if isinstance(value, list):
        return f"it is a list of {len(value)}"
    return "it is empty" if value is None else f"it is {str(value)[:60]!r}"


def next_cursor(paginator: Paginator, answer: CrmAnswer, rows: int, cursor: str | None) -> str | None:
    """Return the cursor of the page after one of so many rows: a cursor, an address, an offset or a page's number.

    Return None after the last page. Raises ValueError for an answer that an expression can't work on.
    """
    if paginator.has_more_path and not picked(paginator.has_more_path, answer.value):
        return None
    following: Any = None
    match paginator.type:
        case "cursor":
            following = picked(paginator.cursor_path, answer.value)
        case "header_cursor":
            following = answer.headers.get((paginator.cursor_key or "").lower())
        case "json_link":
            following = picked(paginator.next_url_path, answer.value)
        case "header_link":
            following = _linked(answer.headers.get("link", ""))
        case "offset" | "page_number" if rows > 0:
            following = _next_place(paginator, answer, rows, cursor)
    return str(following) if following not in (None, "", False) else None


def _linked(header: str) -> str | None:
    """Return the target of the relation `next` in a `Link` header (RFC 8288)."""
    links = re.finditer(r"<([^<>]*)>([^<]*)", header)
    return next((link[1] for link in links if re.search(r'\brel="?[^"]*\bnext\b', link[2])), None)


def _next_place(paginator: Paginator, answer: CrmAnswer, rows: int, cursor: str | None) -> int | None:
    """Return the next offset, or the next page's number; None after the last page."""
    size, is_offset = paginator.limit, paginator.type == "offset"
    place = int(cursor or (0 if is_offset else paginator.base_page))
    total = picked(paginator.total_path, answer.value) if paginator.total_path else None
    has_total = str(total).isdecimal()
    if has_total:
        seen = place + rows if is_offset else (place - paginator.base_page + 1) * size
        if seen >= int(str(total)):
            return None
    elif rows < size and not (paginator.has_more_path or paginator.stop_after_empty_page):
        return None
    if not is_offset:
        return place + 1
    # A page that the CRM cuts short has rows, one that it filters has places.
    return place + (size if paginator.stop_after_empty_page else rows)
