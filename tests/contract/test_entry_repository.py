"""Contract of `EntryRepository`: on moto, on DynamoDB Local, and in memory."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository
from aisha.domain.entries import EntryKey, EntryPut
from aisha.domain.errors import ConflictError, InvalidInputError, PayloadTooLargeError
from aisha.domain.ports import EntryRepository
from tests.contract.conftest import DynamoDB
from tests.fakes.stores.in_memory import InMemoryEntryRepository
from tests.fakes.ticking_clock import TickingClock


@pytest.fixture(params=["dynamodb", "in_memory"])
def entries(request: pytest.FixtureRequest, dynamodb: DynamoDB, clock: TickingClock) -> EntryRepository:
    if request.param == "in_memory":
        return InMemoryEntryRepository(clock)
    return DynamoDBEntryRepository(dynamodb.entries_table, clock, region=dynamodb.region, endpoint=dynamodb.endpoint)


def test_what_was_put_is_found(entries: EntryRepository) -> None:
    entries.put("demo", "alice", "sticky", "s1", {"text": "Call Zoë", "tags": ["a", 1, None]})
    entry = entries.find("demo", "alice", "sticky", "s1")
    assert entry is not None
    assert entry.body == {"text": "Call Zoë", "tags": ["a", 1, None]}
    assert (entry.id, entry.kind, entry.version) == ("s1", "sticky", 1)
    assert entry.created_at == entry.updated_at


def test_a_second_put_replaces_the_body_and_counts(entries: EntryRepository) -> None:
    first = entries.put("demo", "alice", "sticky", "s1", {"text": "a", "more": 1})
    second = entries.put("demo", "alice", "sticky", "s1", {"text": "b"})
    entry = entries.find("demo", "alice", "sticky", "s1")
    assert entry is not None
    assert entry.body == second.body == {"text": "b"}
    assert (entry.version, entry.created_at) == (2, first.created_at)
    assert entry.updated_at > first.updated_at


def test_only_the_expected_version_is_replaced(entries: EntryRepository) -> None:
    entries.put("demo", "alice", "sticky", "s1", {"text": "a"}, expected_version=0)
    with pytest.raises(ConflictError):
        entries.put("demo", "alice", "sticky", "s1", {"text": "b"}, expected_version=0)
    entries.put("demo", "alice", "sticky", "s1", {"text": "c"}, expected_version=1)
    with pytest.raises(ConflictError):
        entries.put("demo", "alice", "sticky", "s1", {"text": "d"}, expected_version=1)
    entry = entries.find("demo", "alice", "sticky", "s1")
    assert entry is not None
    assert entry.body == {"text": "c"}


@pytest.mark.parametrize(
    "elsewhere",
    [("rival", "alice", "sticky"), ("demo", "bob", "sticky"), ("demo", None, "sticky"), ("demo", "alice", "memory")],
)
def test_another_tenant_user_or_kind_does_not_have_it(
    entries: EntryRepository, elsewhere: tuple[str, str | None, str]
) -> None:
    entries.put("demo", "alice", "sticky", "s1", {"text": "a"})
    assert entries.find(*elsewhere, "s1") is None
    assert entries.page(*elsewhere).items == []
    assert entries.delete(*elsewhere, "s1") is False
    assert entries.find("demo", "alice", "sticky", "s1") is not None


def test_parts_of_a_key_can_not_be_shifted_into_each_other(entries: EntryRepository) -> None:
    entries.put("demo", "alice#x", "sticky", "s1", {"text": "a"})
    assert entries.find("demo", "alice", "x#sticky", "s1") is None
    assert entries.find("demo#u#alice", "x", "sticky", "s1") is None


def test_pages_follow_the_ids(entries: EntryRepository) -> None:
    for number in range(7):
        entries.put("demo", None, "scan", f"scan_{number}", {"n": number})
    ids: list[str] = []
    cursor = None
    for _ in range(3):
        page = entries.page("demo", None, "scan", limit=3, cursor=cursor)
        ids += [entry.id for entry in page.items]
        cursor = page.next_cursor
    assert ids == [f"scan_{number}" for number in reversed(range(7))]
    assert cursor is None
    oldest = entries.page("demo", None, "scan", limit=2, oldest_first=True)
    assert [entry.id for entry in oldest.items] == ["scan_0", "scan_1"]
    rest = entries.page("demo", None, "scan", limit=50, cursor=oldest.next_cursor, oldest_first=True)
    assert [entry.id for entry in rest.items] == [f"scan_{number}" for number in range(2, 7)]


def test_what_expired_is_gone(entries: EntryRepository, clock: TickingClock) -> None:
    soon = clock.now() + timedelta(hours=1)
    entries.put("demo", "alice", "receipt", "r1", {"n": 1}, expires_at=soon)
    entries.put("demo", "alice", "receipt", "r2", {"n": 2})
    assert entries.find("demo", "alice", "receipt", "r1") is not None
    clock.advance(timedelta(hours=2))
    assert entries.find("demo", "alice", "receipt", "r1") is None
    assert [entry.id for entry in entries.page("demo", "alice", "receipt").items] == ["r2"]
    assert entries.delete("demo", "alice", "receipt", "r1") is False
    entries.put("demo", "alice", "receipt", "r1", {"n": 3}, expected_version=0)
    assert entries.find("demo", "alice", "receipt", "r1") is not None


def test_a_delete_is_true_once(entries: EntryRepository) -> None:
    entries.put("demo", "alice", "sticky", "s1", {"text": "a"})
    assert entries.delete("demo", "alice", "sticky", "s1") is True
    assert entries.delete("demo", "alice", "sticky", "s1") is False
    assert entries.find("demo", "alice", "sticky", "s1") is None


def test_a_delete_leaves_an_entry_that_another_has_written_meanwhile(
    entries: EntryRepository, clock: TickingClock
) -> None:
    entries.put("demo", None, "lock", "l1", {"by": "first"}, expires_at=clock.now() + timedelta(minutes=1))
    clock.advance(timedelta(minutes=2))
    entries.put("demo", None, "lock", "l1", {"by": "second"}, expected_version=0)
    assert entries.delete("demo", None, "lock", "l1", expected={"by": "first"}) is False
    assert entries.find("demo", None, "lock", "l1") is not None
    assert entries.delete("demo", None, "lock", "l1", expected={"by": "second"}) is True
    assert entries.find("demo", None, "lock", "l1") is None


def _keys(*owners: str | None) -> list[EntryKey]:
    return [EntryKey(owner, "sticky", "s1") for owner in owners]


def test_many_entries_are_saved_and_found_together(entries: EntryRepository, clock: TickingClock) -> None:
    alice, bob, tenant, nobody = _keys("alice", "bob", None, "nobody")
    first = entries.put("demo", "alice", "sticky", "s1", {"n": 1})
    soon = clock.now() + timedelta(hours=1)
    entries.put_many(
        "demo", [EntryPut(alice, {"n": 2}, 1), EntryPut(bob, {"n": 3}, 0, soon), EntryPut(tenant, {"n": 4})]
    )
    matches = entries.find_many("demo", [alice, bob, tenant, nobody])
    assert {key: entry.body["n"] for key, entry in matches.items()} == {alice: 2, bob: 3, tenant: 4}
    assert (matches[alice].version, matches[alice].created_at, matches[bob].version) == (2, first.created_at, 1)
    assert entries.find_many("rival", [alice, bob, tenant]) == {}
    clock.advance(timedelta(hours=2))
    assert set(entries.find_many("demo", [alice, bob])) == {alice}
    entries.put_many("demo", [EntryPut(bob, {"n": 5}, 0)])
    assert entries.find_many("demo", [bob])[bob].body == {"n": 5}


@pytest.mark.parametrize("expected", [0, 2])
def test_many_entries_are_saved_all_or_none(entries: EntryRepository, expected: int) -> None:
    alice, bob = _keys("alice", "bob")
    entries.put("demo", "bob", "sticky", "s1", {"n": 1})
    with pytest.raises(ConflictError):
        entries.put_many("demo", [EntryPut(alice, {"n": 2}), EntryPut(bob, {"n": 2}, expected)])
    with pytest.raises(PayloadTooLargeError):
        entries.put_many("demo", [EntryPut(alice, {"n": 2}), EntryPut(bob, {"text": "x" * 400_000})])
    assert {key: entry.body for key, entry in entries.find_many("demo", [alice, bob]).items()} == {bob: {"n": 1}}


def test_a_hundred_entries_are_saved_at_once_and_no_more(entries: EntryRepository) -> None:
    keys = [EntryKey(None, "scan", f"scan_{number}") for number in range(101)]
    entries.put_many("demo", [EntryPut(key, {}) for key in keys[:100]])
    assert len(entries.find_many("demo", keys[:100])) == 100
    assert entries.find_many("demo", []) == {}
    entries.put_many("demo", [])
    with pytest.raises(InvalidInputError):
        entries.put_many("demo", [EntryPut(key, {}) for key in keys])
    with pytest.raises(InvalidInputError):
        entries.find_many("demo", keys)


@pytest.mark.parametrize(
    ("operation", "error"),
    [
        (lambda entries: entries.page("demo", None, "scan", limit=0), InvalidInputError),
        (lambda entries: entries.page("demo", None, "scan", limit=51), InvalidInputError),
        (lambda entries: entries.page("demo", None, "scan", cursor="nonsense"), InvalidInputError),
        (lambda entries: entries.put("demo", None, "scan", "", {}), InvalidInputError),
        (lambda entries: entries.put("demo", None, "scan", "s", {"text": "x" * 400_000}), PayloadTooLargeError),
    ],
)
def test_wrong_input_says_so(
    entries: EntryRepository, operation: Callable[[EntryRepository], object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        operation(entries)
