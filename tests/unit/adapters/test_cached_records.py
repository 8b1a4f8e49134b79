"""The cache of records: read once in five minutes, dropped by a write, separate for each tenant."""

from collections.abc import Sequence

import pytest

from aisha.adapters.cached_records import CachedRecordRepository
from aisha.domain.crm.queries import Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Lead, Record
from aisha.domain.errors import NotFoundError
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository
from tests.support.tenants.desk import ANN, BOB, EVE, Desk


class Counting(InMemoryRecordRepository):
    """A repository that records the ids that are read and counts the searches."""

    def __init__(self) -> None:
        super().__init__(FixedClock())
        self.read: list[str] = []
        self.searches = 0

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        self.read += [one for _, one in ids]
        return super().get_many(tenant, ids)

    def search(self, tenant: str, query: RecordQuery):  # type: ignore[no-untyped-def]
        self.searches += 1
        return super().search(tenant, query)


class Watch:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def store() -> Counting:
    return Counting()


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def cached(store: Counting, watch: Watch) -> CachedRecordRepository:
    return CachedRecordRepository(store, 300, clock=watch)


def lead(store: CachedRecordRepository, name: str = "Russel") -> str:
    return store.write("demo", [Create(Lead(last_name=name))])[0].record.id


def test_the_second_lookup_reads_nothing(cached: CachedRecordRepository, store: Counting, watch: Watch) -> None:
    one = lead(cached)
    assert cached.get("demo", "lead", one) == cached.get("demo", "lead", one)
    assert store.read == [one]
    watch.seconds = 299
    cached.get("demo", "lead", one)
    assert store.read == [one]
    watch.seconds = 300
    cached.get("demo", "lead", one)
    assert store.read == [one, one]


def test_of_several_records_only_uncached_ones_are_read(cached: CachedRecordRepository, store: Counting) -> None:
    first, second = lead(cached, "First"), lead(cached, "Second")
    cached.get("demo", "lead", first)
    records = cached.get_many("demo", [("lead", first), ("lead", second), ("lead", "lead_none")])
    assert {record.display_name for record in records.values()} == {"First", "Second"}
    assert store.read == [first, second, "lead_none"]


def test_a_write_drops_the_record(cached: CachedRecordRepository) -> None:
    one = lead(cached)
    cached.get("demo", "lead", one)
    cached.write("demo", [Update("lead", one, {"last_name": "Russell"})])
    assert cached.get("demo", "lead", one).display_name == "Russell"
    cached.write("demo", [Delete("lead", one)])
    with pytest.raises(NotFoundError):
        cached.get("demo", "lead", one)


def test_a_read_that_a_write_overtook_is_not_cached(cached: CachedRecordRepository, store: Counting) -> None:
    one = lead(cached)
    original = store.get_many

    def overtaken(tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        records = original(tenant, ids)
        store.get_many = original  # type: ignore[method-assign]
        cached.write("demo", [Update("lead", one, {"last_name": "New"})])
        return records

    store.get_many = overtaken  # type: ignore[method-assign]
    assert cached.get("demo", "lead", one).display_name == "Russel"
    assert cached.get("demo", "lead", one).display_name == "New"


def test_a_tools_lookup_is_answered_from_the_cache_to_those_alone_who_may_see_it(
    cached: CachedRecordRepository, store: Counting
) -> None:
    """A-160: of a tool that reads by id, after the permissions."""
    desk = Desk(ANN, FixedClock(), cached)  # type: ignore[arg-type]
    deal = desk.put("opportunity", name="Rollout")
    first = desk.do("get_opportunity", opportunity_id=deal)
    assert desk.do("get_opportunity", opportunity_id=deal) == first
    assert store.read.count(deal) == 1
    assert desk.at(BOB).refuse("get_opportunity", opportunity_id=deal)["code"] == "permission_denied"
    assert desk.at(EVE).refuse("get_opportunity", opportunity_id=deal)["code"] == "not_found"
    desk.do("update_opportunity", opportunity_id=deal, name="Rollout 2")
    assert desk.do("get_opportunity", opportunity_id=deal)["display_name"] == "Rollout 2"


def test_another_tenant_or_type_finds_nothing(cached: CachedRecordRepository) -> None:
    one = lead(cached)
    cached.get("demo", "lead", one)
    for tenant, kind in (("rival", "lead"), ("demo", "contact")):
        assert cached.get_many(tenant, [(kind, one)]) == {}


def test_searches_are_never_answered_from_the_cache(cached: CachedRecordRepository, store: Counting) -> None:
    lead(cached)
    cached.search("demo", RecordQuery("lead"))
    cached.search("demo", RecordQuery("lead"))
    assert store.searches == 2


def test_after_clear_everything_is_read_anew(cached: CachedRecordRepository, store: Counting) -> None:
    one = lead(cached)
    cached.get("demo", "lead", one)
    cached.clear()
    cached.get("demo", "lead", one)
    assert store.read == [one, one]
