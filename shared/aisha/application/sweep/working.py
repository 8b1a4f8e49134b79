"""The start of a sweep and the work on its partitions."""

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from math import ceil
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.notifications.delivery import Channels
from aisha.application.sweep.record_streams import SCAN_TYPES, STREAMS, read_page
from aisha.application.sweep.scanning import PageResult, scan_page
from aisha.application.sweep.settling import settle_suggestions, write_event
from aisha.application.sweep.state import (
    QUEUE,
    SWEEP_TASK,
    Partition,
    ScanTotals,
    SweepLimits,
    SweepState,
    create_sweep,
    current_sweep,
    update_sweep,
)
from aisha.application.sweep.survey import SurveyCache
from aisha.application.tooling.context import ToolContext, ToolPorts, make_context
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.errors import InvalidInputError
from aisha.domain.ports import WorkQueue
from aisha.domain.principal import Principal

SETTLE = "settle"
OWNERS_PER_PARTITION = 10
DISPATCHER = "dispatcher"
"""The value of `started_by` for partitions that no other partition has started."""
SWEEP_USER = "sweep"
_LOGGER = logging.getLogger(__name__)


class SweepDependencies(Struct, frozen=True):
    """The ports and limits of sweeps. `channels` deliver the users' notifications.

    `memory_days` is how long memories are kept, 0 for ever. `surveys` are kept between the messages of a process.
    """

    ports: ToolPorts
    queue: WorkQueue
    limits: SweepLimits = field(default_factory=SweepLimits)
    channels: Channels = field(default_factory=Channels)
    memory_days: int = 0
    surveys: SurveyCache = field(default_factory=SurveyCache)


def start_sweep(tenant: str, sweep: str, started_at: datetime, deps: SweepDependencies) -> bool:
    """Start the sweep with this id for a tenant, or resume it; return False while another one runs."""
    first_pages = _by_key(Partition(name, 0) for name in STREAMS)
    state = SweepState(sweep, started_at, SCAN_TYPES, deps.limits, open=first_pages)
    if create_sweep(deps.ports.entries, tenant, state):
        # No change of its own: saving starts the waiting partitions.
        _update(tenant, sweep, DISPATCHER, deps, lambda state: state)
        return True
    latest = current_sweep(deps.ports.entries, tenant)
    if latest is None or latest.sweep != sweep:
        return False
    _resume(tenant, latest, deps)
    return True


def process_partition(message: Mapping[str, Any], deps: SweepDependencies) -> None:
    """Do the work of one message; repeating it changes nothing. Raises `InvalidInputError` for another message."""
    tenant, sweep, key = _parse(message)
    state = current_sweep(deps.ports.entries, tenant)
    if state is None or state.sweep != sweep or state.phase == "done":
        return
    # An earlier try may have been cut off after it started partitions and before it sent their messages.
    _send_started_by(tenant, state, key, deps)
    partition = state.open.get(key)
    if partition is None:
        _finish_if_empty(tenant, state, deps)
    elif partition.stream == SETTLE:
        _settle(tenant, state, partition, deps)
    else:
        _scan(tenant, state, partition, deps)


def abandon_message(message: Mapping[str, Any], deps: SweepDependencies) -> None:
    """Continue without the partition of a message whose tries all failed; the sweep's event counts a failed page."""
    if message.get("task") != SWEEP_TASK:
        return
    tenant, sweep, key = _parse(message)
    stream = STREAMS.get(key.partition(".")[0])

    def skip(state: SweepState) -> SweepState:
        if key not in state.open:
            return state
        if stream is None:
            return state.without_partition(key)
        # If the page was never read, the stream ends here: the partition of its next page does not exist. The failed
        # page keeps the suggestions of these scans from being superseded.
        totals = {name: ScanTotals(failed_pages=1) for name in stream.scan_types if name in state.scan_types}
        return _without_page(state.with_totals(totals), key)

    _update_and_finish(tenant, sweep, key, deps, skip)


def sweep_principal(tenant: str) -> Principal:
    """Return the principal that reads for a sweep: it has every module, and sees nothing that users keep private."""
    modules = frozenset(record_type.MODULE for record_type in RECORD_TYPES.values())
    return Principal(tenant, SWEEP_USER, modules=modules, door="schedule")


def _scan(tenant: str, state: SweepState, partition: Partition, deps: SweepDependencies) -> None:
    context = _context(tenant, f"{state.sweep}.{partition.key}", deps)
    limit = state.limits.page
    records, next_cursor = read_page(partition.stream, context, state.started_at, partition.cursor, limit)

    def mark_read(state: SweepState) -> SweepState:
        # The partition of the next page is added before this page is scanned, so that workers scan in parallel.
        stored = state.open.get(partition.key)
        if stored is None or stored.is_read:
            return state
        examined = state.examined + len(records)
        after = replace(state.with_partition(replace(stored, is_read=True)), examined=examined)
        if next_cursor is None:
            return after
        if examined >= state.limits.records:
            return replace(after, truncated=True)
        return after.with_partition(Partition(partition.stream, partition.number + 1, next_cursor))

    if _update(tenant, state.sweep, partition.key, deps, mark_read) is None:
        return
    result = scan_page(partition.stream, records, context, state, deps.surveys.survey(context, state.sweep))
    _update_and_finish(
        tenant, state.sweep, partition.key, deps, lambda state: _with_result(state, partition.key, result)
    )


def _with_result(state: SweepState, key: str, result: PageResult) -> SweepState:
    # Another delivery of the same message has counted the page already.
    if key not in state.open:
        return state
    owners = tuple(dict.fromkeys((*state.owners, *result.owners)))
    return _without_page(replace(state.with_totals(result.totals), owners=owners, pages=state.pages + 1), key)


def _without_page(state: SweepState, key: str) -> SweepState:
    """Return the state without this page; after the last page, with the partitions of the owners to settle."""
    after = state.without_partition(key)
    if after.open or after.phase != "scanning":
        return after
    count = ceil(len(after.owners) / OWNERS_PER_PARTITION)
    return replace(after, phase="settling", open=_by_key(Partition(SETTLE, number) for number in range(count)))


def _settle(tenant: str, state: SweepState, partition: Partition, deps: SweepDependencies) -> None:
    context = _context(tenant, f"{state.sweep}.{partition.key}", deps)
    start = partition.number * OWNERS_PER_PARTITION
    owners = state.owners[start : start + OWNERS_PER_PARTITION]
    # Outside of `add_superseded`, which is called again after a conflict.
    superseded = sum(settle_suggestions(owner, context, state) for owner in owners)

    def add_superseded(state: SweepState) -> SweepState:
        if partition.key not in state.open:
            return state
        return replace(state.without_partition(partition.key), superseded=state.superseded + superseded)

    _update_and_finish(tenant, state.sweep, partition.key, deps, add_superseded)


def _finish_if_empty(tenant: str, state: SweepState, deps: SweepDependencies) -> None:
    """Write the sweep's event and mark it as done once no partition is open; repeating it changes nothing."""
    if state.open or state.phase != "settling":
        return
    # The event first: if the worker is cut off in between, the next message writes it again. With the same operation
    # id that stores nothing, and the sweep is marked then.
    write_event(_context(tenant, f"{state.sweep}.event", deps), state)
    _update(tenant, state.sweep, "end", deps, lambda state: replace(state, phase="done"))
    _LOGGER.info("sweep %s of %s: %d records, %d pages", state.sweep, tenant, state.examined, state.pages)


def _update_and_finish(
    tenant: str, sweep: str, by: str, deps: SweepDependencies, change: Callable[[SweepState], SweepState]
) -> None:
    state = _update(tenant, sweep, by, deps, change)
    if state is not None:
        _finish_if_empty(tenant, state, deps)


def _update(
    tenant: str, sweep: str, by: str, deps: SweepDependencies, change: Callable[[SweepState], SweepState]
) -> SweepState | None:
    """Save a change and send the messages of the partitions that it started; None when the tenant has another sweep."""
    updated = update_sweep(deps.ports.entries, tenant, sweep, by, change)
    if updated is None:
        return None
    state, started = updated
    for partition in started:
        _send(tenant, sweep, partition.key, deps)
    return state


def _resume(tenant: str, state: SweepState, deps: SweepDependencies) -> None:
    """Send the messages of all partitions in progress again; those that were processed meanwhile change nothing."""
    _update(tenant, state.sweep, DISPATCHER, deps, lambda state: state)
    for partition in state.open.values():
        if partition.started_by is not None:
            _send(tenant, state.sweep, partition.key, deps)
    _finish_if_empty(tenant, state, deps)


def _send_started_by(tenant: str, state: SweepState, by: str, deps: SweepDependencies) -> None:
    for partition in state.open.values():
        if partition.started_by == by:
            _send(tenant, state.sweep, partition.key, deps)


def _send(tenant: str, sweep: str, key: str, deps: SweepDependencies) -> None:
    deps.queue.send(QUEUE, {"task": SWEEP_TASK, "tenant": tenant, "sweep": sweep, "part": key})


def _by_key(partitions: Iterable[Partition]) -> dict[str, Partition]:
    return {partition.key: partition for partition in partitions}


def _context(tenant: str, operation: str, deps: SweepDependencies) -> ToolContext:
    return make_context(sweep_principal(tenant), deps.ports, operation)


def _parse(message: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return tenant, sweep id and partition key. Raises `InvalidInputError` when one is missing."""
    values = tuple(message.get(name) for name in ("tenant", "sweep", "part"))
    if not all(isinstance(value, str) and value for value in values):
        raise InvalidInputError("A message of a sweep has a tenant, a sweep and a part", detail=sorted(message))
    return values  # type: ignore[return-value]
