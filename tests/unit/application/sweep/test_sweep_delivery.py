"""The sweep's messages: delivered twice, late, to two workers or given up, and its bounds."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.scans.briefing import scan_briefing
from aisha.application.sweep import SweepLimits, abandon_message, current_sweep, process_partition, start_sweep
from aisha.domain.crm.queries import Create, RecordPage, RecordQuery
from aisha.domain.entries import Entry
from aisha.domain.errors import UnavailableError
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository
from tests.fakes.stores.indexed_records import IndexedRecordRepository
from tests.support.tenants.desk import NOW
from tests.support.tenants.swept_desk import LONG_AGO, TENANT, SweptDesk, fill, swept_lead

# --- delivery


def test_every_message_delivered_twice_changes_nothing(desk: SweptDesk) -> None:
    fill(desk)

    def twice(message: Mapping[str, Any]) -> None:
        desk.work(message)
        desk.work(message)

    desk.begin("one")
    desk.queue.drain(twice)
    (event,) = desk.events()
    once = SweptDesk(desk.records, desk.clock, desk.deps.limits)  # type: ignore[arg-type]
    once.sweep("other")
    (other,) = [one for one in desk.events() if one.id != event.id]
    assert event.detail | {"sweep": ""} == other.detail | {"sweep": ""}
    assert len(desk.pending()) == len(once.pending()) == event.detail["new_findings"]


@pytest.mark.parametrize("is_written", [False, True])
@pytest.mark.parametrize("breaks_at", range(1, 28))
def test_a_worker_that_dies_at_any_write_is_recovered_by_the_same_message(
    desk: SweptDesk, breaks_at: int, is_written: bool
) -> None:
    """The store fails at the n-th write of entries, before or after it; the queue delivers the message again."""
    fill(desk)
    desk.begin("one")
    entries = desk.ports.entries
    assert isinstance(entries, InMemoryEntryRepository)
    breaking = _BreakingOnce(breaks_at, is_written)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("put", "put_many"):
            patch.setattr(entries, name, breaking.wrap(getattr(entries, name)))

        def work_with_retry(message: Mapping[str, Any]) -> None:
            try:
                desk.work(message)
            except UnavailableError:
                desk.work(message)

        desk.queue.drain(work_with_retry)
    state = current_sweep(entries, TENANT)
    assert breaking.has_broken
    assert state
    assert state.phase == "done"
    (event,) = desk.events()
    assert event.detail["examined"] == 12
    assert event.detail["new_findings"] == len(desk.pending()) == 6


class _BreakingOnce:
    def __init__(self, at: int, is_written: bool) -> None:
        self._left, self._is_written = at, is_written
        self.has_broken = False

    def wrap(self, put: Callable[..., Any]) -> Callable[..., Any]:
        def broken(*arguments: Any, **options: Any) -> Any:
            self._left -= 1
            breaks = self._left == 0
            entry = None if breaks and not self._is_written else put(*arguments, **options)
            if breaks:
                self.has_broken = True
                raise UnavailableError("The store does not answer")
            return entry

        return broken


def test_many_workers_leave_one_event_and_keep_to_the_tenants_share(
    desk: SweptDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        desk.put(
            "lead",
            first_name=f"Lead{number}",
            status="contacted",
            last_contacted_at=LONG_AGO,
            email=f"{number}@x.example",
            phone="1",
        )
    counted: list[int] = []
    put = desk.ports.entries.put

    def counting(tenant: str, owner: str | None, kind: str, *arguments: Any, **options: Any) -> Entry:
        entry = put(tenant, owner, kind, *arguments, **options)
        if kind == "sweep":
            counted.append(sum(part["started_by"] is not None for part in entry.body["open"].values()))
        return entry

    monkeypatch.setattr(desk.ports.entries, "put", counting)
    desk.sweep("one", workers=6)
    assert len(desk.events()) == 1
    assert desk.events()[0].detail["examined"] == len(desk.pending()) == 60
    assert max(counted) == desk.deps.limits.concurrency


def test_a_page_that_never_succeeds_is_left_out_and_reported(desk: SweptDesk) -> None:
    fill(desk)
    desk.begin("one")
    broken = {"task": "sweep", "tenant": TENANT, "sweep": "one", "part": "goals.0"}

    def work_or_abandon(message: Mapping[str, Any]) -> None:
        if message == broken:
            abandon_message(message, desk.deps)
        else:
            desk.work(message)

    desk.queue.drain(work_or_abandon)
    (event,) = desk.events()
    failed = {one["scan_type"] for one in event.detail["scans"] if not one["succeeded"]}
    assert (failed, event.level) == ({"goal_progress"}, "warning")
    assert "5 of 6 were successful, 1 failed" in scan_briefing(desk.context()).text


def test_what_a_failed_scan_could_not_see_is_not_taken_back(desk: SweptDesk) -> None:
    fill(desk)
    desk.sweep("one")
    before = len(desk.pending())
    desk.clock.advance(timedelta(days=1))
    desk.begin("two")
    desk.queue.drain(
        lambda message: (abandon_message if message["part"] == "leads.0" else process_partition)(message, desk.deps)
    )
    assert len(desk.pending()) == before


def test_only_one_sweep_of_a_tenant_runs_at_a_time(desk: SweptDesk) -> None:
    fill(desk)
    assert desk.begin("one")
    assert not desk.begin("two")
    desk.clock.advance(timedelta(hours=7))
    assert desk.begin("three")
    desk.queue.drain(desk.work)
    assert [event.detail["sweep"] for event in desk.events()] == ["three"]


def test_a_dispatch_that_was_interrupted_is_taken_up_again(desk: SweptDesk) -> None:
    fill(desk)
    desk.begin("one")
    desk.queue.waiting.clear()
    desk.sweep("one")
    assert len(desk.events()) == 1


# --- bounds


def test_a_sweep_ends_at_its_bound_and_takes_nothing_back_then(desk: SweptDesk) -> None:
    fill(desk)
    desk.sweep("one")
    before = len(desk.pending())
    limited = SweptDesk(desk.records, desk.clock, SweepLimits(records=4, page=2))  # type: ignore[arg-type]
    limited.deps = replace(limited.deps, ports=desk.ports)
    limited.clock.advance(timedelta(days=1))
    start_sweep(TENANT, "two", desk.clock.now(), limited.deps)
    limited.queue.drain(limited.work)
    event = next(one for one in desk.events() if one.detail["sweep"] == "two")
    assert event.detail["truncated"]
    assert event.detail["examined"] < 12
    assert len(desk.pending()) == before


@pytest.mark.parametrize("records", [200, 400])
def test_searches_grow_with_the_records_and_no_faster(records: int) -> None:
    clock = FixedClock(NOW)
    store = _Counting(clock)
    desk = SweptDesk(store, clock, SweepLimits(page=50))
    for number in range(records):
        store.write(TENANT, [Create(swept_lead(number))])
    store.searches = 0
    desk.sweep("one")
    assert store.searches < 0.2 * records


class _Counting(IndexedRecordRepository):
    searches = 0

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        self.searches += 1
        return super().search(tenant, query)
