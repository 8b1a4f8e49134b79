"""Dispatch of scheduled tasks as queue messages: sweeps of tenants and the delivery of due notifications."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ulid import ULID

from aisha.application.memory.ingest import QUEUE as MEMORY_QUEUE
from aisha.application.memory.ingest import retention_message
from aisha.application.notifications.delivery import deliver_due, has_due
from aisha.application.sweep.state import QUEUE, SWEEP_TASK
from aisha.application.sweep.working import SweepDependencies, process_partition, start_sweep
from aisha.application.tenants.sweep_enrolment import enrolled_tenants
from aisha.domain.errors import AishaError, InvalidInputError

DELIVER_TASK = "deliver"
_LOGGER = logging.getLogger(__name__)


def dispatch(task: str, deps: SweepDependencies, tenants: Iterable[str] = (), sweep: str | None = None) -> list[str]:
    """Start the task `sweep` or `deliver` for these and all enrolled tenants; return those for which it was started.

    `sweep` is the sweep's id, the same for every retry. An error of one tenant is logged, and the others go on.
    Raises `InvalidInputError` for another task.
    """
    if task not in (SWEEP_TASK, DELIVER_TASK):
        raise InvalidInputError(f"There is no task {task!r}", suggestion=f"Use {SWEEP_TASK} or {DELIVER_TASK}.")
    now = deps.ports.clock.now()
    if task == SWEEP_TASK:
        _request_memory_retention(deps, now)
    sweep_id = sweep or f"sweep_{ULID.from_datetime(now)}"
    started: list[str] = []
    for tenant in dict.fromkeys((*tenants, *enrolled_tenants(deps.ports.entries))):
        try:
            is_sweep = task == SWEEP_TASK
            has_started = start_sweep(tenant, sweep_id, now, deps) if is_sweep else _request_delivery(tenant, deps)
        except AishaError as error:
            _LOGGER.warning("%s of %s was not started: %s", task, tenant, error.message)
        else:
            started += [tenant] if has_started else []
    return started


def handle_message(message: Mapping[str, Any], deps: SweepDependencies) -> None:
    """Do the work of one message of the queue.

    Raises `InvalidInputError` for another message, and the errors after which the message is to be delivered again.
    """
    task, tenant = message.get("task"), message.get("tenant")
    if task == SWEEP_TASK:
        process_partition(message, deps)
    elif task == DELIVER_TASK and isinstance(tenant, str) and tenant:
        deliver_due(deps.ports.entries, deps.ports.clock, tenant, deps.channels)
    else:
        raise InvalidInputError("This is no message of the sweep's queue", detail=sorted(message))


def parse_schedule_event(event: Mapping[str, Any]) -> tuple[str, Sequence[str], str | None]:
    """Return task, tenants and sweep id from a schedule's input.

    `tenants` is a list or a string with commas. Raises `InvalidInputError` for anything else.
    """
    tenants, sweep = event.get("tenants") or [], event.get("sweep")
    if isinstance(tenants, str):
        tenants = [tenant.strip() for tenant in tenants.split(",") if tenant.strip()]
    if not isinstance(tenants, list) or not all(isinstance(tenant, str) for tenant in tenants):
        raise InvalidInputError("tenants must be a list of tenants", pointer="/tenants")
    return str(event.get("task")), tenants, str(sweep) if sweep else None


def _request_memory_retention(deps: SweepDependencies, now: datetime) -> None:
    if deps.memory_days == 0:
        return
    try:
        deps.queue.send(MEMORY_QUEUE, retention_message(deps.memory_days, now))
    except AishaError as error:
        # The next day's message deletes the same memories; the sweep need not fail.
        _LOGGER.warning("old memories were not deleted: %s", error.message)


def _request_delivery(tenant: str, deps: SweepDependencies) -> bool:
    if not has_due(deps.ports.entries, tenant, deps.ports.clock.now()):
        return False
    deps.queue.send(QUEUE, {"task": DELIVER_TASK, "tenant": tenant})
    return True
