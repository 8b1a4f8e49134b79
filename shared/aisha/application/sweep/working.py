"""Begins a sweep, and does what one of its messages says."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import ceil
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.notifications.delivery import Channels
from aisha.application.scans import specs
from aisha.application.sweep.record_streams import LANES, SCAN_TYPES, read_page
from aisha.application.sweep.scanning import PageResult, scan_page
from aisha.application.sweep.settling import settle, write_event
from aisha.application.sweep.state import (
    QUEUE,
    Part,
    ScanTotals,
    SweepLimits,
    SweepState,
    change,
    current_sweep,
    place,
)
from aisha.application.tooling.context import ToolContext, ToolPorts, make_context
from aisha.domain.errors import InvalidInputError
from aisha.domain.ports import WorkQueue
from aisha.domain.principal import Principal
from aisha.domain.records import RECORD_TYPES

SETTLE = "settle"
OWNERS = 10
"""Whose suggestions are settled by one message."""
DISPATCHER = "dispatcher"
USER = "sweep"
_log = logging.getLogger(__name__)


class SweepDependencies(Struct, frozen=True):
    """What a sweep needs of the world, and what it may cost. `channels` send what it tells users.

    `memory_days` is how long memories are kept, 0 for ever.
    """

    ports: ToolPorts
    queue: WorkQueue
    limits: SweepLimits = field(default_factory=SweepLimits)
    channels: Channels = field(default_factory=Channels)
    memory_days: int = 0


def begin(
    tenant: str, sweep: str, started_at: datetime, deps: SweepDependencies, scan_types: Sequence[str] = SCAN_TYPES
) -> bool:
    """Starts the sweep of this id for a tenant; False while another one runs. The same one again goes on with it.

    Raises `InvalidInputError` for a type of scan that does not exist.
    """
    _check(scan_types)
    lanes = [name for name, lane in LANES.items() if set(lane.scan_types) & set(scan_types)]
    parts = {part.key: part for part in (Part(name, 0) for name in lanes)}
    state = SweepState(sweep, started_at, tuple(scan_types), deps.limits, open=parts)
    if place(deps.ports.entries, tenant, state):
        _step(tenant, sweep, DISPATCHER, deps, lambda state: state)
        return True
    known = current_sweep(deps.ports.entries, tenant)
    if known is None or known.sweep != sweep:
        return False
    _go_on(tenant, known, deps)
    return True


def work(message: Mapping[str, Any], deps: SweepDependencies) -> None:
    """Does one message; the same one again changes nothing. Raises `InvalidInputError` for what is no such message."""
    tenant, sweep, key = _read(message)
    state = current_sweep(deps.ports.entries, tenant)
    if state is None or state.sweep != sweep or state.phase == "done":
        return
    _send_again(tenant, state, key, deps)
    part = state.open.get(key)
    if part is None:
        _finish(tenant, state, deps)
    elif part.lane == SETTLE:
        _settle(tenant, state, part, deps)
    else:
        _scan(tenant, state, part, deps)


def give_up(message: Mapping[str, Any], deps: SweepDependencies) -> None:
    """Goes on without the part of a message that no try could do; the sweep's event tells that it is missing."""
    tenant, sweep, key = _read(message)
    lane = LANES.get(key.partition(".")[0])

    def failed(state: SweepState) -> SweepState:
        if key not in state.open:
            return state
        if lane is None:
            return state.without(key)
        totals = {name: ScanTotals(failed_pages=1) for name in lane.scan_types if name in state.scan_types}
        return _without(state.with_totals(totals), key)

    after = _step(tenant, sweep, key, deps, failed)
    if after is not None:
        _finish(tenant, after, deps)


def principal_of(tenant: str) -> Principal:
    """Who reads for a sweep: every module of the tenant, and nothing that a user keeps private."""
    modules = frozenset(record_type.MODULE for record_type in RECORD_TYPES.values())
    return Principal(tenant, USER, modules=modules, door="schedule")


def _scan(tenant: str, state: SweepState, part: Part, deps: SweepDependencies) -> None:
    context = _context(tenant, f"{state.sweep}.{part.key}", deps)
    records, following = read_page(part.lane, context, state.started_at, part.cursor, state.limits.page)

    def read(state: SweepState) -> SweepState:
        """The next page can be worked on beside this one, if the sweep may look at more."""
        known = state.open.get(part.key)
        if known is None or known.is_read:
            return state
        examined = state.examined + len(records)
        after = replace(state.with_part(replace(known, is_read=True)), examined=examined)
        if following is None:
            return after
        if examined >= state.limits.records:
            return replace(after, truncated=True)
        return after.with_part(Part(part.lane, part.number + 1, following))

    if _step(tenant, state.sweep, part.key, deps, read) is None:
        return
    result = scan_page(part.lane, records, context, state.sweep, state.scan_types)
    after = _step(tenant, state.sweep, part.key, deps, lambda state: _scanned(state, part.key, result))
    if after is not None:
        _finish(tenant, after, deps)


def _scanned(state: SweepState, key: str, result: PageResult) -> SweepState:
    """With the page's results, once: only while it is open."""
    if key not in state.open:
        return state
    owners = tuple(dict.fromkeys((*state.owners, *result.owners)))
    return _without(replace(state.with_totals(result.totals), owners=owners, pages=state.pages + 1), key)


def _without(state: SweepState, key: str) -> SweepState:
    """Without this page; after the last one, every owner's suggestions are to be settled."""
    after = state.without(key)
    if after.open or after.phase != "scanning":
        return after
    parts = {part.key: part for part in (Part(SETTLE, place) for place in range(ceil(len(after.owners) / OWNERS)))}
    return replace(after, phase="settling", open=parts)


def _settle(tenant: str, state: SweepState, part: Part, deps: SweepDependencies) -> None:
    context = _context(tenant, f"{state.sweep}.{part.key}", deps)
    owners = state.owners[part.number * OWNERS : (part.number + 1) * OWNERS]
    superseded = sum(settle(owner, context, state) for owner in owners)

    def settled(state: SweepState) -> SweepState:
        if part.key not in state.open:
            return state
        return replace(state.without(part.key), superseded=state.superseded + superseded)

    after = _step(tenant, state.sweep, part.key, deps, settled)
    if after is not None:
        _finish(tenant, after, deps)


def _finish(tenant: str, state: SweepState, deps: SweepDependencies) -> None:
    """The event and the end, when nothing is open any more. Whoever breaks off in between is followed by another try."""
    if state.open or state.phase != "settling":
        return
    write_event(_context(tenant, f"{state.sweep}.event", deps), state)
    _step(tenant, state.sweep, "end", deps, lambda state: replace(state, phase="done"))
    _log.info("sweep %s of %s: %d records, %d pages", state.sweep, tenant, state.examined, state.pages)


def _step(tenant: str, sweep: str, by: str, deps: SweepDependencies, step: Any) -> SweepState | None:
    """Changes the state and sends the messages of the parts that may start; None for a sweep that is over."""
    changed = change(deps.ports.entries, tenant, sweep, by, step)
    if changed is None:
        return None
    state, started = changed
    for part in started:
        _send(tenant, sweep, part.key, deps)
    return state


def _go_on(tenant: str, state: SweepState, deps: SweepDependencies) -> None:
    """Sends every message of a sweep that was begun before: what is done meanwhile is not done again."""
    _step(tenant, state.sweep, DISPATCHER, deps, lambda known: known)
    for part in state.open.values():
        if part.started_by is not None:
            _send(tenant, state.sweep, part.key, deps)
    _finish(tenant, state, deps)


def _send_again(tenant: str, state: SweepState, by: str, deps: SweepDependencies) -> None:
    """What an earlier try of the same message started: it may have broken off before it was sent."""
    for part in state.open.values():
        if part.started_by == by:
            _send(tenant, state.sweep, part.key, deps)


def _send(tenant: str, sweep: str, key: str, deps: SweepDependencies) -> None:
    deps.queue.send(QUEUE, {"task": "sweep", "tenant": tenant, "sweep": sweep, "part": key})


def _context(tenant: str, operation: str, deps: SweepDependencies) -> ToolContext:
    return make_context(principal_of(tenant), deps.ports, operation)


def _read(message: Mapping[str, Any]) -> tuple[str, str, str]:
    values = tuple(message.get(name) for name in ("tenant", "sweep", "part"))
    if not all(isinstance(value, str) and value for value in values):
        raise InvalidInputError("A message of a sweep has a tenant, a sweep and a part", detail=sorted(message))
    return values  # type: ignore[return-value]


def _check(scan_types: Sequence[str]) -> None:
    unknown = sorted(set(scan_types) - set(SCAN_TYPES))
    if unknown or not scan_types:
        known = ", ".join(spec.scan_type for spec in specs())
        raise InvalidInputError(f"There is no scan {unknown or 'given'}", suggestion=f"Use some of: {known}.")
