"""A desk whose tenant is swept, and a check that a second sweep finds nothing new."""

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from aisha.application.suggestions.store import Suggestion, iterate_entries, read_suggestions
from aisha.application.sweep import (
    SweepDependencies,
    SweepLimits,
    current_sweep,
    process_partition,
    start_sweep,
)
from aisha.application.tooling.context import ToolContext, ToolPorts, make_context
from aisha.application.tooling.tenant_stores import OwnedEntries
from aisha.domain.crm.queries import Create, RecordQuery
from aisha.domain.crm.records import Event, Lead, Opportunity
from aisha.domain.principal import Principal
from infra.local.aws_fakes.manual_queue import ManualQueue
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository
from tests.fakes.stores.indexed_records import IndexedRecordRepository
from tests.support.tenants.desk import ANN, NOW, Desk

LONG_AGO = NOW - timedelta(days=20)
TENANT = ANN.tenant


class SweptDesk(Desk):
    """A desk whose tenant is swept. Its queue is processed when the test asks for it."""

    def __init__(self, records: IndexedRecordRepository, clock: FixedClock, limits: SweepLimits) -> None:
        super().__init__(ANN, clock, records, ToolPorts(records, InMemoryEntryRepository(clock), clock))
        self.queue = ManualQueue()
        self.deps = SweepDependencies(self.ports, self.queue, limits)

    def begin(self, sweep: str, tenant: str = TENANT) -> bool:
        return start_sweep(tenant, sweep, self.clock.now(), self.deps)

    def sweep(self, sweep: str, workers: int = 1) -> None:
        assert self.begin(sweep)
        self.queue.drain(self.work, workers)
        state = current_sweep(self.ports.entries, TENANT)
        assert state
        assert (state.sweep, state.phase) == (sweep, "done")

    def work(self, message: Mapping[str, Any]) -> None:
        process_partition(message, self.deps)

    def context(self, principal: Principal = ANN) -> ToolContext:
        return make_context(principal, self.ports, "op")

    def pending(self, principal: Principal = ANN) -> list[Suggestion]:
        return read_suggestions(self.context(principal))[0]

    def events(self) -> list[Event]:
        records = self.records.search(TENANT, RecordQuery("event", limit=50)).items
        return [record for record in records if isinstance(record, Event)]


def check_swept_twice(records: int) -> None:
    """Sweep four fifths leads, half of them silent, and one fifth deals twice, and check that nothing is new."""
    clock = FixedClock(NOW)
    desk = SweptDesk(IndexedRecordRepository(clock), clock, SweepLimits(page=records // 20))
    deals = records // 5
    for number in range(records - deals):
        desk.records.write(TENANT, [Create(swept_lead(number))])
    for number in range(deals):
        deal = {"name": f"Deal{number}", "stage": "proposal", "owner": f"user{number % 5}", "amount": number}
        desk.records.write(TENANT, [Create(Opportunity.model_validate(deal))])
    desk.sweep("one")
    first = stored_suggestions(desk)
    clock.advance(timedelta(days=1))
    desk.sweep("two")
    second = stored_suggestions(desk)
    assert set(first) == set(second)
    assert max(Counter((body["kind"], body["entity"]["id"]) for body in second.values()).values()) == 1
    kinds = Counter(body["kind"] for body in second.values())
    assert (kinds["silent"], kinds["without_next_step"]) == (2 * deals, deals)
    assert {body["first_sweep"] for body in second.values()} == {"one"}
    totals = [event.detail["new_findings"] for event in desk.events()]
    assert sorted(totals) == [0, len(first)]


def swept_lead(number: int) -> Lead:
    at = LONG_AGO if number % 2 else NOW - timedelta(days=1)
    return Lead(
        first_name=f"Lead{number}", status="contacted", last_contacted_at=at, owner=f"user{number % 5}", phone="1",
        email=f"lead{number}@x.example",
    )  # fmt: skip


def stored_suggestions(desk: SweptDesk) -> dict[str, Mapping[str, Any]]:
    owners = [f"user{number}" for number in range(5)]
    entries = [entry for owner in owners for entry in iterate_entries(OwnedEntries(desk.ports.entries, TENANT, owner))]
    assert {entry.body["status"] for entry in entries} == {"pending"}
    return {entry.id: entry.body for entry in entries}


def fill(desk: SweptDesk) -> None:
    """Store nine open leads, three of them silent, a deal, an overdue call and a goal that is reached."""
    for number in range(9):
        at = LONG_AGO if number % 3 == 0 else NOW - timedelta(days=1)
        desk.put(
            "lead",
            first_name=f"Lead{number}",
            email=f"{number}@x.example",
            phone="1",
            status="contacted",
            last_contacted_at=at,
        )
    desk.put("lead", first_name="Gone", status="lost", last_contacted_at=LONG_AGO)
    adrift = desk.put("opportunity", name="Adrift", stage="proposal", amount=5, close_date=NOW.date() + timedelta(90))
    desk.put("activity", title="Old call", activity_type="call", about=adrift, due_at=NOW - timedelta(days=3))
    desk.put("goal", title="There", scope="shared", key_results=[{"title": "Deals", "target": 1, "current": 1}])
