"""Iterate over a list that a store returns in pages."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol


class Page[T](Protocol):
    """A part of a list. `next_cursor` is None on the last one."""

    @property
    def items(self) -> Sequence[T]: ...

    @property
    def next_cursor(self) -> str | None: ...


def pages[P: Page[object]](
    fetch: Callable[[str | None], P], *, max_items: int | None = None, max_pages: int | None = None
) -> Iterator[P]:
    """Yield the pages from the first on, each fetched on demand.

    After `max_items` or `max_pages` no further page is fetched, even if the last one yielded has a `next_cursor`.
    """
    cursor, item_count, page_count = None, 0, 0
    while (max_items is None or item_count < max_items) and (max_pages is None or page_count < max_pages):
        page = fetch(cursor)
        yield page
        # Counted after the page was yielded: the caller may have stopped already.
        if (cursor := page.next_cursor) is None:
            return
        item_count, page_count = item_count + len(page.items), page_count + 1


def items[T](
    fetch: Callable[[str | None], Page[T]], *, max_items: int | None = None, max_pages: int | None = None
) -> Iterator[T]:
    """Yield the items of the pages, bounded as `pages` is."""
    for page in pages(fetch, max_items=max_items, max_pages=max_pages):
        yield from page.items


def read_items[T](
    fetch: Callable[[str | None], Page[T]], *, max_items: int | None = None, max_pages: int | None = None
) -> tuple[list[T], bool]:
    """Return the items of the pages, bounded as `pages` is, and whether there are more."""
    read: list[T] = []
    has_more = False
    for page in pages(fetch, max_items=max_items, max_pages=max_pages):
        read += page.items
        has_more = page.next_cursor is not None
    return read, has_more
