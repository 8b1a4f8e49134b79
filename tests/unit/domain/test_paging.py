"""Reading lists page by page, and retrying changes after conflicts."""

import pytest

from aisha.domain.crm.paging import items, pages, read_items
from aisha.domain.entries import Entry, EntryPage
from aisha.domain.errors import ConflictError, GoneError
from aisha.domain.retries import retrying
from tests.support.tenants.desk import NOW


class Store:
    """Five entries in pages of two."""

    def __init__(self) -> None:
        self.fetched: list[str | None] = []

    def page(self, cursor: str | None) -> EntryPage:
        self.fetched.append(cursor)
        start = int(cursor or 0)
        entries = [Entry("note", str(number), {}, NOW, NOW) for number in range(start, min(start + 2, 5))]
        return EntryPage(entries, str(start + 2) if start + 2 < 5 else None)


def test_every_item_comes_once_and_in_order() -> None:
    assert [entry.id for entry in items(Store().page)] == ["0", "1", "2", "3", "4"]


def test_a_page_is_fetched_when_it_is_asked_for() -> None:
    store = Store()
    next(pages(store.page))
    assert store.fetched == [None]


@pytest.mark.parametrize("bound", [{"max_items": 3}, {"max_items": 4}, {"max_pages": 2}])
def test_nothing_is_fetched_beyond_the_bound(bound: dict[str, int]) -> None:
    store = Store()
    entries, has_more = read_items(store.page, **bound)
    assert ([entry.id for entry in entries], has_more) == (["0", "1", "2", "3"], True)
    assert store.fetched == [None, "2"]


def test_a_list_that_ends_within_the_bound_has_no_more() -> None:
    assert read_items(Store().page, max_items=5)[1] is False
    assert read_items(Store().page, max_pages=3)[1] is False


def test_a_change_is_tried_until_it_is_saved() -> None:
    outcomes: list[Exception | None] = [ConflictError("late"), ConflictError("late"), None]
    assert retrying(3, lambda: _saved(outcomes)) == "saved"


def test_after_the_last_attempt_the_conflict_is_raised() -> None:
    outcomes: list[Exception | None] = [ConflictError("late"), ConflictError("late"), None]
    with pytest.raises(ConflictError, match="too many"):
        retrying(2, lambda: _saved(outcomes), ConflictError("too many"))
    assert outcomes == [None]


def test_other_errors_are_not_retried() -> None:
    outcomes: list[Exception | None] = [GoneError("gone"), None]
    with pytest.raises(GoneError):
        retrying(2, lambda: _saved(outcomes))
    assert outcomes == [None]


def _saved(outcomes: list[Exception | None]) -> str:
    error = outcomes.pop(0)
    if error is not None:
        raise error
    return "saved"
