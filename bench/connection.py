"""Measure a connection to a CRM with the fake HubSpot on loopback. usage: python -m bench.connection

Prints the requests and the processor's seconds, the fake's included, of a first load of 1,000 leads, of each write, of
a reading without changes, and from a webhook to the changed record in the copy. The fake answers at once: with a real
CRM the time is that of the requests.
"""

import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from aisha.application.connections.dependencies import SyncDependencies
from aisha.application.connections.sync import handle_sync, request_fetch, start_load
from aisha.application.connections.sync_state import sync_state
from aisha.domain.crm.queries import Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Lead
from tests.fakes.systems.hubspot import HubSpot
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import Connected

LEADS = 1000


class Bench:
    """A connected tenant, whose queue is a list. `figures` are requests and seconds by name."""

    def __init__(self, hubspot: HubSpot) -> None:
        self.hubspot = hubspot
        self.crm = Connected(hubspot.clock, hubspot.url)
        self.messages: list[Mapping[str, Any]] = []
        mirrors, local, entries = self.crm.mirrors, self.crm.local, self.crm.entries
        self.deps = SyncDependencies(mirrors.get, local, entries, hubspot.clock, self, lambda *_: None, lambda *_: None)
        self.figures: dict[str, dict[str, float]] = {}

    def send(self, queue: str, message: Mapping[str, Any]) -> None:  # noqa: ARG002 - the signature of `WorkQueue`
        self.messages.append(message)

    def work(self) -> None:
        while self.messages:
            handle_sync(self.messages.pop(0), self.deps)

    def measure(self, name: str, work: Any) -> None:
        before, start = len(self.hubspot.requests), time.process_time()
        work()
        requests, seconds = len(self.hubspot.requests) - before, round(time.process_time() - start, 3)
        self.figures[name] = {"requests": requests, "cpu_seconds": seconds}
        print(f"{name:<40} {requests:>4} requests {seconds:>8.3f} CPU s")


def main() -> None:
    """Print a line for each figure and one JSON object."""
    clock = TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
    with HubSpot(clock) as hubspot:
        ids = [
            hubspot.add("contacts", firstname=f"F{number}", lastname="Lee", lifecyclestage="lead", hs_lead_status="NEW")
            for number in range(LEADS)
        ]
        # Readings overlap by five minutes: what was made in these is read again.
        clock.advance(timedelta(minutes=10))
        bench = Bench(hubspot)
        write = bench.crm.repository.write

        def load() -> None:
            start_load("demo", bench.deps)
            bench.work()

        bench.measure(f"first load of {LEADS:,} leads", load)
        state = sync_state(bench.crm.entries, "demo")
        assert state is not None and state.loaded == LEADS, state
        start_changes = {"task": "crm", "tenant": "demo", "step": "changes"}

        def read_changes() -> None:
            handle_sync(start_changes, bench.deps)
            bench.work()

        bench.measure("a reading without changes", read_changes)
        [lead] = bench.crm.local.search("demo", RecordQuery("lead", limit=1)).items
        bench.measure("create a lead", lambda: write("demo", [Create(Lead(first_name="Ann", company="ABC"))]))
        bench.measure("change a lead", lambda: write("demo", [Update("lead", lead.id, {"phone": "+1 555 0100"})]))
        bench.measure("delete a lead", lambda: write("demo", [Delete("lead", lead.id)]))
        hubspot.change("contacts", ids[-1], lastname="Changed")

        def hook() -> None:
            request_fetch("demo", [f"contacts/{ids[-1]}"], bench.deps)
            bench.work()

        bench.measure("webhook to the copy", hook)
        [changed] = bench.crm.local.search("demo", RecordQuery("lead", name_contains="Changed")).items
        assert changed.display_name.endswith("Changed")
    print(json.dumps(bench.figures))


if __name__ == "__main__":
    main()
