"""The state of a tenant's sweep: one entry that every worker reads and saves under its version (optimistic locking).

A partition is one page of a record stream (`leads.3`) or, once all pages are done, a group of owners whose suggestions
are settled (`settle.0`). An open partition is waiting or in progress; `SweepLimits.concurrency` bounds the latter.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError, ContentionError
from aisha.domain.ports import EntryRepository
from aisha.domain.retries import retrying

QUEUE = "sweep"
"""The name of the queue."""
SWEEP_TASK = "sweep"
"""The task of a message about a partition."""
KIND, CURRENT = "sweep", "current"
STALLED_AFTER = timedelta(hours=6)
"""The age from which an unfinished sweep no longer keeps the next one from starting."""
SWEEP_RETENTION = timedelta(days=400)
_TOO_MANY = "Too many workers changed the sweep at once"
_MAX_TRIES = 40
"""A page is saved twice and few workers share a tenant, so more conflicts are left to the queue's own retries."""


class SweepLimits(Struct, frozen=True):
    """The limits of one sweep of one tenant. A sweep uses no model; it costs reads and writes of records and entries.

    `records` is the maximum of the whole sweep, `page` that of one message. `concurrency` is the maximum of messages in
    progress.
    """

    records: int = 100_000
    page: int = 400
    concurrency: int = 4


class Partition(Struct, frozen=True):
    """An open partition. `started_by` is the key of the partition that sent its message, None while it waits.

    `is_read` is true once its page was read and the partition of the next page was added.
    """

    stream: str = field(name="lane")  # The name under which it is stored.
    number: int
    cursor: str | None = None
    started_by: str | None = None
    is_read: bool = False

    @property
    def key(self) -> str:
        return f"{self.stream}.{self.number}"


class ScanTotals(Struct, frozen=True):
    """The totals of one type of scan in a sweep.

    `failed_pages` counts the pages that could not be examined; `modules` are those of the records that the findings
    reveal.
    """

    findings: int = 0
    new_findings: int = 0
    failed_pages: int = 0
    modules: tuple[str, ...] = ()

    def plus(self, more: "ScanTotals") -> "ScanTotals":
        return ScanTotals(
            self.findings + more.findings,
            self.new_findings + more.new_findings,
            self.failed_pages + more.failed_pages,
            tuple(sorted({*self.modules, *more.modules})),
        )


class SweepState(Struct, frozen=True):
    """The state of a sweep.

    `open` are the open partitions by key, `owners` the users who have suggestions of this or an earlier sweep, None for
    the tenant. `examined` counts records, `superseded` suggestions. `truncated` is true when records were left out.
    """

    sweep: str
    started_at: datetime
    scan_types: tuple[str, ...]
    limits: SweepLimits
    phase: Literal["scanning", "settling", "done"] = "scanning"
    open: Mapping[str, Partition] = field(default_factory=dict)
    totals: Mapping[str, ScanTotals] = field(default_factory=dict)
    owners: tuple[str | None, ...] = (None,)
    examined: int = 0
    pages: int = 0
    superseded: int = 0
    truncated: bool = False

    def is_stalled(self, now: datetime) -> bool:
        """Return whether the sweep has stopped. A worker that was killed reports nothing: only the age tells."""
        return self.phase != "done" and now - self.started_at >= STALLED_AFTER

    def with_partition(self, partition: Partition) -> "SweepState":
        return replace(self, open={**self.open, partition.key: partition})

    def without_partition(self, key: str) -> "SweepState":
        return replace(self, open={name: partition for name, partition in self.open.items() if name != key})

    def with_totals(self, more: Mapping[str, ScanTotals]) -> "SweepState":
        """Return the state with the totals of one more page."""
        sums = {name: self.totals.get(name, ScanTotals()).plus(added) for name, added in more.items()}
        return replace(self, totals={**self.totals, **sums})


def current_sweep(entries: EntryRepository, tenant: str) -> SweepState | None:
    """Return the tenant's latest sweep, finished or not."""
    entry = entries.find(tenant, None, KIND, CURRENT)
    return _state(entry) if entry else None


def create_sweep(entries: EntryRepository, tenant: str, state: SweepState) -> bool:
    """Store a new sweep; return False while another one runs or when this one is stored already."""
    entry = entries.find(tenant, None, KIND, CURRENT)
    if entry is not None:
        latest = _state(entry)
        is_running = latest.phase != "done" and not latest.is_stalled(state.started_at)
        if is_running or latest.sweep == state.sweep:
            return False
        # Also owners without new findings must be settled: their old suggestions may be outdated.
        state = replace(state, owners=latest.owners)
    try:
        _put(entries, tenant, state, entry.version if entry else 0)
    except ConflictError:
        return False
    return True


def update_sweep(
    entries: EntryRepository, tenant: str, sweep: str, by: str, change: Callable[[SweepState], SweepState]
) -> tuple[SweepState, list[Partition]] | None:
    """Save the state that `change` returns, and start waiting partitions up to the limit.

    Returns the state and the started partitions, whose messages the caller sends; None if the tenant has another sweep.
    `by` is the key of the partition that makes the change. `change` is called again after a conflict. Raises
    `ConflictError` after too many.
    """

    def save() -> tuple[SweepState, list[Partition]] | None:
        entry = entries.find(tenant, None, KIND, CURRENT)
        if entry is None or (before := _state(entry)).sweep != sweep:
            return None
        state, started = _start_waiting(change(before), by)
        # A repeated message changes nothing, so it costs no write either.
        if state == before:
            return state, []
        _put(entries, tenant, state, entry.version)
        return state, started

    return retrying(_MAX_TRIES, save, ContentionError(_TOO_MANY))


def forget_owner(entries: EntryRepository, tenant: str, user: str) -> bool:
    """Remove the user from the tenant's latest sweep; return whether they were in it. Raises `ConflictError`."""

    def save() -> bool:
        entry = entries.find(tenant, None, KIND, CURRENT)
        if entry is None or user not in (state := _state(entry)).owners:
            return False
        # The others keep their positions, so that each partition still to be settled has the same owners.
        owners = tuple(None if owner == user else owner for owner in state.owners)
        _put(entries, tenant, replace(state, owners=owners), entry.version)
        return True

    return retrying(_MAX_TRIES, save, ContentionError(_TOO_MANY))


def _start_waiting(state: SweepState, by: str) -> tuple[SweepState, list[Partition]]:
    room = state.limits.concurrency - sum(partition.started_by is not None for partition in state.open.values())
    waiting = [partition for partition in state.open.values() if partition.started_by is None]
    started = [replace(partition, started_by=by) for partition in waiting[: max(0, room)]]
    for partition in started:
        state = state.with_partition(partition)
    return state, started


def _put(entries: EntryRepository, tenant: str, state: SweepState, version: int) -> None:
    expires = state.started_at + SWEEP_RETENTION
    entries.put(tenant, None, KIND, CURRENT, to_builtins(state), expected_version=version, expires_at=expires)


def _state(entry: Entry) -> SweepState:
    return convert(entry.body, SweepState)
