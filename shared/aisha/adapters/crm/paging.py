"""The way from one page of a list to the next, by the paginator of a mapping file."""

import re
from typing import Any

from aisha.adapters.crm.client import CrmAnswer
from aisha.adapters.crm.mapping_requests import Paginator
from aisha.adapters.crm.values import picked


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
            following = _linked(answer.headers.get("link", ""), paginator.links_next_key)
        case "offset" | "page_number" if rows > 0:
            following = _next_place(paginator, answer, rows, cursor)
    return str(following) if following not in (None, "", False) else None


def _linked(header: str, relation: str) -> str | None:
    """Return the target of a relation in a `Link` header (RFC 8288)."""
    links = re.finditer(r"<([^<>]*)>([^<]*)", header)
    return next((one[1] for one in links if re.search(rf'\brel="?[^"]*\b{re.escape(relation)}\b', one[2])), None)


def _next_place(paginator: Paginator, answer: CrmAnswer, rows: int, cursor: str | None) -> int | None:
    """Return the next offset, or the next page's number; None after the last page."""
    size, is_offset = paginator.limit, paginator.type == "offset"
    place = int(cursor or (0 if is_offset else paginator.base_page))
    total = picked(paginator.total_path, answer.value) if paginator.total_path else None
    has_total = str(total).isdigit()
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
