"""Where a tenant's sweep stands: one entry, changed under its version by whatever worker has something to say.

A part of the sweep is a page of a lane (`leads.3`), or, once all pages are done, an owner whose suggestions are settled
(`settle.0`). A part that is open waits or is being worked on; no more than so many at a time.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError
from aisha.domain.ports import EntryRepository
from aisha.domain.retries import retrying

QUEUE = "sweep"
"""The queue's name."""
KIND, CURRENT = "sweep", "current"
STALLED = timedelta(hours=6)
"""A sweep that is still not done by then is left behind for the next one."""
KEPT = timedelta(days=400)
_TOO_MANY = "Too many workers changed the sweep at once"
_TRIES = 40
"""Two puts a page and a few workers a tenant: more is a storm that the queue's own patience is for."""


class SweepLimits(Struct, frozen=True):
    """What one sweep of one tenant may cost. No model is asked: it costs reads and writes of records and entries.

    `records` are looked at altogether, `page` by one message; `concurrency` messages are under way at a time.
    """

    records: int = 100_000
    page: int = 100
    concurrency: int = 4


class Part(Struct, frozen=True):
    """An open part. `started_by` is the part after which its message was sent, None while it waits."""

    lane: str
    number: int
    cursor: str | None = None
    started_by: str | None = None
    is_read: bool = False

    @property
    def key(self) -> str:
        return f"{self.lane}.{self.number}"


class ScanTotals(Struct, frozen=True):
    """What one type of scan found in this sweep; `failed_pages` could not be looked at."""

    findings: int = 0
    new_findings: int = 0
    failed_pages: int = 0

    def plus(self, more: "ScanTotals") -> "ScanTotals":
        return ScanTotals(
            self.findings + more.findings, self.new_findings + more.new_findings, self.failed_pages + more.failed_pages
        )


class SweepState(Struct, frozen=True):
    """`owners` are those who have suggestions, None for the tenant's own, of earlier sweeps too."""

    sweep: str
    started_at: datetime
    scan_types: tuple[str, ...]
    limits: SweepLimits
    phase: Literal["scanning", "settling", "done"] = "scanning"
    open: Mapping[str, Part] = field(default_factory=dict)
    totals: Mapping[str, ScanTotals] = field(default_factory=dict)
    owners: tuple[str | None, ...] = (None,)
    examined: int = 0
    pages: int = 0
    superseded: int = 0
    truncated: bool = False

    def with_part(self, part: Part) -> "SweepState":
        """With this part open, as given."""
        return replace(self, open={**self.open, part.key: part})

    def without(self, key: str) -> "SweepState":
        """With that part done."""
        return replace(self, open={known: part for known, part in self.open.items() if known != key})

    def with_totals(self, more: Mapping[str, ScanTotals]) -> "SweepState":
        """With what a page added."""
        sums = {name: self.totals.get(name, ScanTotals()).plus(added) for name, added in more.items()}
        return replace(self, totals={**self.totals, **sums})


def current_sweep(entries: EntryRepository, tenant: str) -> SweepState | None:
    """The tenant's last sweep, done or not."""
    entry = entries.find(tenant, None, KIND, CURRENT)
    return _state(entry) if entry else None


def place(entries: EntryRepository, tenant: str, state: SweepState) -> bool:
    """Makes it the tenant's sweep; False while another one runs, or when this one was begun before."""
    entry = entries.find(tenant, None, KIND, CURRENT)
    if entry is not None:
        known = _state(entry)
        is_running = known.phase != "done" and state.started_at - known.started_at < STALLED
        if is_running or known.sweep == state.sweep:
            return False
        state = replace(state, owners=known.owners)
    try:
        version = entry.version if entry else 0
        _put(entries, tenant, state, version)
    except ConflictError:
        return False
    return True


def change(
    entries: EntryRepository, tenant: str, sweep: str, by: str, step: Callable[[SweepState], SweepState]
) -> tuple[SweepState, list[Part]] | None:
    """Saves what `step` makes of the state, and starts as many parts as may be under way.

    Returns the state and the parts whose messages are to be sent now; None when the sweep is no longer the tenant's.
    `step` is asked again when another worker saved meanwhile.
    """

    def save() -> tuple[SweepState, list[Part]] | None:
        entry = entries.find(tenant, None, KIND, CURRENT)
        if entry is None or (before := _state(entry)).sweep != sweep:
            return None
        state, started = _start(step(before), by)
        if state == before:
            return state, []
        _put(entries, tenant, state, entry.version)
        return state, started

    return retrying(_TRIES, save, ConflictError(_TOO_MANY))


def forget_owner(entries: EntryRepository, tenant: str, user: str) -> bool:
    """Takes the user out of the tenant's last sweep; whether it named them. Raises `ConflictError`."""

    def save() -> bool:
        entry = entries.find(tenant, None, KIND, CURRENT)
        if entry is None or user not in (state := _state(entry)).owners:
            return False
        # In their place, so that the parts still to be settled are the same owners as before.
        owners = tuple(None if owner == user else owner for owner in state.owners)
        _put(entries, tenant, replace(state, owners=owners), entry.version)
        return True

    return retrying(_TRIES, save, ConflictError(_TOO_MANY))


def _start(state: SweepState, by: str) -> tuple[SweepState, list[Part]]:
    room = state.limits.concurrency - sum(part.started_by is not None for part in state.open.values())
    waiting = [part for part in state.open.values() if part.started_by is None]
    started = [replace(part, started_by=by) for part in waiting[: max(0, room)]]
    for part in started:
        state = state.with_part(part)
    return state, started


def _put(entries: EntryRepository, tenant: str, state: SweepState, version: int) -> None:
    body = to_builtins(state)
    expires = state.started_at + KEPT
    entries.put(tenant, None, KIND, CURRENT, body, expected_version=version, expires_at=expires)


def _state(entry: Entry) -> SweepState:
    return convert(entry.body, SweepState)
