"""Measure how a sweep's time grows with the records and with the workers. usage: python -m bench.sweep [--large]

Prints a line for each setting and one JSON object. The exit code is 1 when a bound is missed: more than 1.5 times
the time per record at ten times the records, less than 1.8 times the speed with two workers, more than 0.4 requests a
record, or a suggestion that the second sweep makes again.
"""

import argparse
import itertools
import json
import sys
import time
from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from aisha.application.sweep import SweepDependencies, SweepLimits
from aisha.application.tooling.context import ToolPorts
from aisha.domain.crm.queries import Create, RecordPage, RecordQuery
from aisha.domain.crm.records import Lead, Opportunity
from aisha.domain.entries import Entry, EntryKey, EntryPage
from aisha.domain.ports import Clock
from aisha.domain.search.cursors import read_position, write_position
from bench.dynamodb_requests import measure_sweep
from infra.local.aws_fakes.manual_queue import ManualQueue
from infra.local.server.sweep import sweep_with
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository
from tests.fakes.stores.indexed_records import IndexedRecordRepository

TENANT = "demo"
OWNERS = 20
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MAX_GROWTH = 1.5
MIN_SPEEDUP = 1.8
MAX_REQUESTS = 0.4
"""Requests a record to DynamoDB and the queue together."""
REQUESTS_OF = 1_000
SWEEPS = ("first", "again")


class WaitingRecords(IndexedRecordRepository):
    """A repository that answers a search after `seconds`, as over a network."""

    seconds = 0.0

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        if self.seconds:
            time.sleep(self.seconds)
        return super().search(tenant, query)


class WaitingEntries(InMemoryEntryRepository):
    """Entries that are found or saved after `seconds`. A page costs its own size only."""

    seconds = 0.0

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._sorted: dict[tuple[str, str | None, str], list[str]] = {}

    def page(
        self, tenant: str, owner: str | None, kind: str, *,
        limit: int = 50, cursor: str | None = None, oldest_first: bool = False,
    ) -> EntryPage:  # fmt: skip
        if oldest_first:
            return super().page(tenant, owner, kind, limit=limit, cursor=cursor, oldest_first=True)
        place = tenant, owner, kind
        if len(self._sorted.get(place, ())) != len(stored := self._entries.get(place, {})):
            self._sorted[place] = sorted(stored)
        ids = self._sorted.get(place, [])
        end = bisect_left(ids, read_position(cursor, str)[0]) if cursor else len(ids)
        page_ids = ids[max(0, end - limit) : end][::-1]
        return EntryPage(
            [stored[page_id] for page_id in page_ids], write_position(page_ids[-1]) if end > limit else None
        )

    def put(self, *arguments: Any, **options: Any) -> Entry:
        # Each put of a sweep follows a find of its own.
        time.sleep(2 * self.seconds)
        return super().put(*arguments, **options)

    def find_many(self, *arguments: Any) -> dict[EntryKey, Entry]:
        time.sleep(self.seconds)
        return super().find_many(*arguments)

    def put_many(self, *arguments: Any) -> None:
        time.sleep(self.seconds)
        super().put_many(*arguments)


def measure(records: int, workers: int = 1, seconds: float = 0.0, page: int = 100) -> dict[str, Any]:
    """Run a first sweep, which finds everything, and a second one, which finds it known."""
    clock = FixedClock(NOW)
    store, entries = WaitingRecords(clock), WaitingEntries(clock)
    _fill(store, records)
    store.seconds = entries.seconds = seconds
    limits = SweepLimits(records=10 * records, page=page, concurrency=2 * workers)
    figures: dict[str, Any] = {"records": records, "workers": workers, "latency_ms": 1000 * seconds}
    for name in SWEEPS:
        queue = ManualQueue()
        wall, cpu = time.perf_counter(), time.process_time()
        state = sweep_with(SweepDependencies(ToolPorts(store, entries, clock), queue, limits), queue, TENANT, workers)
        figures[name] = {
            "seconds": round(time.perf_counter() - wall, 3),
            "cpu_seconds": round(time.process_time() - cpu, 3),
            "examined": state.examined,
            "new": sum(total.new_findings for total in state.totals.values()),
        }
        clock.advance(timedelta(days=1))
    return figures


def _fill(store: IndexedRecordRepository, records: int) -> None:
    """Store four leads of five records, every other one silent, and a deal without a next step."""
    for number in range(records):
        owner = f"user{number % OWNERS}"
        at = NOW - timedelta(days=20 if number % 2 else 1)
        record: Lead | Opportunity = Opportunity.model_validate(
            {"name": f"Deal {number}", "stage": "proposal", "amount": number, "owner": owner}
        )
        if number % 5:
            record = Lead(
                first_name="Lead", last_name=str(number), status="contacted", owner=owner, phone="1",
                email=f"lead{number}@x.example", last_contacted_at=at,
            )  # fmt: skip
        store.write(TENANT, [Create(record)])


def _format_figures(figures: dict[str, Any]) -> str:
    first = figures["first"]
    per_record = 1e6 * first["cpu_seconds"] / figures["records"]
    return (
        f"{figures['records']:>7} records, {figures['workers']} worker(s), {figures['latency_ms']:g} ms a request: "
        f"first {first['seconds']:.2f} s ({per_record:.0f} µs CPU a record, {first['new']} new), "
        f"again {figures['again']['seconds']:.2f} s ({figures['again']['new']} new)"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.sweep", description=__doc__.partition("\n")[0])
    parser.add_argument("--large", action="store_true", help="also 100,000 records, which takes minutes")
    parser.add_argument("--latency", type=float, default=2.0, help="milliseconds a request, for the workers")
    parser.add_argument("--records", type=int, default=600, help="of the comparison of workers")
    options = parser.parse_args(arguments)
    sizes = [measure(records) for records in (1_000, 10_000, *([100_000] if options.large else []))]
    for figures in sizes:
        print(_format_figures(figures), flush=True)
    shared = [measure(options.records, workers, options.latency / 1000, 50) for workers in (1, 2, 4)]
    for figures in shared:
        print(_format_figures(figures), flush=True)
    per_record = [figures["first"]["cpu_seconds"] / figures["records"] for figures in sizes]
    requests = measure_sweep(REQUESTS_OF)
    a_record = max(requests[name]["requests_a_record"] + requests[name]["messages_a_record"] for name in SWEEPS)
    print(f"{REQUESTS_OF:>7} records in DynamoDB: {a_record:.2f} requests a record", flush=True)
    growth = max(later / earlier for earlier, later in itertools.pairwise(per_record))
    speedup = shared[0]["first"]["seconds"] / shared[1]["first"]["seconds"]
    print(
        json.dumps(
            {"growth": round(growth, 2), "speedup_of_two": round(speedup, 2), "sizes": sizes, "workers": shared,
             "requests": requests}
        )
    )  # fmt: skip
    is_known_again = not any(figures["again"]["new"] for figures in (*sizes, *shared))
    is_within = growth <= MAX_GROWTH and speedup >= MIN_SPEEDUP and a_record <= MAX_REQUESTS
    return 0 if is_within and is_known_again else 1


if __name__ == "__main__":
    sys.exit(main())
