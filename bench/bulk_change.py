"""Measure writes of turns while a bulk change made in the CRM is read. usage: python -m bench.bulk_change [RECORDS]

The fake HubSpot is a process of its own, as a CRM is. A tenant loads its leads, all of them change at once in the CRM,
and one worker reads the changes message by message. In the same process, and so on the same interpreter lock, alice
changes a deal every 20 ms, each time by three requests. Prints the milliseconds of her writes before and meanwhile, the
requests and seconds until the copy has every change, and the number and the longest duration of the worker's messages.
"""

import gc
import json
import sys
import threading
import time
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection as PipeEnd
from statistics import quantiles
from typing import Any

from aisha.adapters.clock import SystemClock
from aisha.application.connections.sync import dispatch_sync, start_load
from aisha.application.connections.sync_state import sync_state
from aisha.domain.crm.queries import RecordQuery, Update
from tests.fakes.systems.hubspot import HubSpot
from tests.support.tenants.connected import Connected, Sync

RECORDS = 100_000
PAUSE_SECONDS = 0.02
WRITES_BEFORE = 200


class Portal(HubSpot):
    """A fake HubSpot that answers a search among its leads at once, as the real one does."""

    def __init__(self, records: int) -> None:
        super().__init__(SystemClock())
        for number in range(records):
            self.add("contacts", firstname=f"F{number}", lifecyclestage="lead", hs_lead_status="NEW")
        self._leads = list(self.rows["contacts"].values())

    def change_all(self) -> None:
        for row in self._leads:
            self.change("contacts", row.id, lastname="Changed")

    def _search(self, kind: str, body: Any) -> Any:
        if kind != "contacts":
            return super()._search(kind, body)
        # They have been changed in this order.
        filters = {one["propertyName"]: one["value"] for group in body["filterGroups"] for one in group["filters"]}
        since = next(int(value) for name, value in filters.items() if name.endswith("lastmodifieddate"))
        first = bisect_left(self._leads, since, key=lambda row: int(row.updated.timestamp() * 1000))
        after, limit = first + int(body.get("after") or 0), int(body["limit"])
        part = [self._shown(row, {}) for row in self._leads[after : after + limit]]
        total = len(self._leads) - first
        return {"total": total, **self._results(part, after - first + limit, total)}


def serve_hubspot(records: int, pipe: PipeEnd) -> None:
    """Serve a portal with so many leads and one deal; change all leads when told to, or say the requests since then."""
    with Portal(records) as hubspot:
        hubspot.add("deals", dealname="Renewal", dealstage="qualifiedtobuy", amount="0")
        pipe.send(hubspot.url)
        while True:
            if pipe.recv() == "change":
                hubspot.change_all()
                hubspot.requests.clear()
            pipe.send(sum("/contacts" in path for _, path in hubspot.requests))


@contextmanager
def portal(records: int) -> Iterator[tuple[str, PipeEnd]]:
    """Yield the address of the fake in its process, and the pipe that takes `change`."""
    ours, theirs = Pipe()
    process = Process(target=serve_hubspot, args=(records, theirs), daemon=True)
    process.start()
    try:
        yield ours.recv(), ours
    finally:
        process.terminate()
        process.join()


class Writer:
    """Alice, who changes one deal again and again."""

    def __init__(self, crm: Connected) -> None:
        self._write = crm.repository.write
        [self._deal] = crm.local.search("demo", RecordQuery("opportunity")).items
        self._amount = 0

    def write(self) -> float:
        """Change the deal and return the milliseconds that it took."""
        self._amount += 1
        started = time.perf_counter()
        self._write("demo", [Update("opportunity", self._deal.id, {"amount": self._amount})])
        took = (time.perf_counter() - started) * 1000
        time.sleep(PAUSE_SECONDS)
        return took


def read_all(sync: Sync) -> list[float]:
    """Do every waiting message and those that follow, and return the seconds of each."""
    durations = []
    while sync.messages:
        started = time.perf_counter()
        sync.work(1)
        durations.append(time.perf_counter() - started)
    return durations


def summary(milliseconds: list[float]) -> Mapping[str, Any]:
    cuts = quantiles(milliseconds, n=100)
    values = {"median": cuts[49], "p95": cuts[94], "p99": cuts[98], "max": max(milliseconds)}
    return {"writes": len(milliseconds)} | {name: round(value, 1) for name, value in values.items()}


def main(records: int) -> None:
    with portal(records) as (url, pipe):
        sync = Sync(Connected(SystemClock(), url))
        start_load("demo", sync.deps)
        read_all(sync)
        state = sync_state(sync.crm.entries, "demo")
        assert state is not None and (state.phase, state.loaded) == ("ready", records + 1), state
        # The copies would be in DynamoDB: the collector of garbage must not walk through them.
        gc.collect()
        gc.freeze()
        writer = Writer(sync.crm)
        before = [writer.write() for _ in range(WRITES_BEFORE)]
        pipe.send("change")
        pipe.recv()
        dispatch_sync(sync.deps)
        durations: list[float] = []
        reading = threading.Thread(target=lambda: durations.extend(read_all(sync)))
        started = time.perf_counter()
        reading.start()
        meanwhile = []
        while reading.is_alive():
            meanwhile.append(writer.write())
        seconds = time.perf_counter() - started
        pipe.send("requests")
        requests = pipe.recv()
        stored = sync.crm.local._records["demo"].values()  # type: ignore[attr-defined]
        changed = sum(getattr(record, "last_name", "") == "Changed" for record in stored)
        assert changed == records, f"{changed} of {records} changes are in the copy"
    messages = {"messages": len(durations), "longest_seconds": round(max(durations), 1)}
    figures = {"records": records, "requests": requests, "seconds": round(seconds), **messages}
    print(json.dumps(figures | {"alone_ms": summary(before), "beside_ms": summary(meanwhile)}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS)
