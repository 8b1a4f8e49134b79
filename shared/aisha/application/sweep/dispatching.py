"""What a schedule asks for, as messages of the queue: sweeps of tenants, and sending what is due to their users."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ulid import ULID

from aisha.application.memory.ingest import QUEUE as MEMORY_QUEUE
from aisha.application.memory.ingest import retention_message
from aisha.application.notifications.delivery import deliver_due, has_due
from aisha.application.sweep.record_streams import SCAN_TYPES
from aisha.application.sweep.state import QUEUE
from aisha.application.sweep.working import SweepDependencies, begin, give_up, work
from aisha.application.tenants.sweep_enrolment import enrolled
from aisha.domain.errors import AishaError, InvalidInputError

SWEEP, DELIVER = "sweep", "deliver"
_log = logging.getLogger(__name__)


def dispatch(task: str, deps: SweepDependencies, tenants: Iterable[str] = (), sweep: str | None = None) -> list[str]:
    """Starts the task for these tenants and for all that are enrolled; returns those for which it was started.

    `sweep` names it, the same for every try. What one tenant's data breaks does not keep the others from theirs.
    """
    if task not in (SWEEP, DELIVER):
        raise InvalidInputError(f"There is no task {task!r}", suggestion=f"Use {SWEEP} or {DELIVER}.")
    now = deps.ports.clock.now()
    if task == SWEEP:
        _forget_old(deps, now)
    name = sweep or f"sweep_{ULID.from_datetime(now)}"
    wanted = dict.fromkeys((*tenants, *enrolled(deps.ports.entries)))
    started: list[str] = []
    for tenant in wanted:
        try:
            has_begun = begin(tenant, name, now, deps, SCAN_TYPES) if task == SWEEP else _deliver(tenant, deps)
        except AishaError as error:
            _log.warning("%s of %s was not started: %s", task, tenant, error.message)
        else:
            started += [tenant] if has_begun else []
    return started


def handle(message: Mapping[str, Any], deps: SweepDependencies) -> None:
    """Does one message of the queue. Raises `InvalidInputError` for what is none, and what makes it come again."""
    task, tenant = message.get("task"), message.get("tenant")
    if task == SWEEP:
        work(message, deps)
    elif task == DELIVER and isinstance(tenant, str) and tenant:
        deliver_due(deps.ports.entries, deps.ports.clock, tenant, deps.channels)
    else:
        raise InvalidInputError("This is no message of the sweep's queue", detail=sorted(message))


def abandon(message: Mapping[str, Any], deps: SweepDependencies) -> None:
    """Goes on without a message that is set aside."""
    if message.get("task") == SWEEP:
        give_up(message, deps)


def started_of(event: Mapping[str, Any]) -> tuple[str, Sequence[str], str | None]:
    """Task, tenants and the sweep's name out of a schedule's input. Raises `InvalidInputError`."""
    tenants, sweep = event.get("tenants") or [], event.get("sweep")
    if isinstance(tenants, str):
        tenants = [tenant.strip() for tenant in tenants.split(",") if tenant.strip()]
    if not isinstance(tenants, list) or not all(isinstance(tenant, str) for tenant in tenants):
        raise InvalidInputError("tenants must be a list of tenants", pointer="/tenants")
    return str(event.get("task")), tenants, str(sweep) if sweep else None


def _forget_old(deps: SweepDependencies, now: datetime) -> None:
    """Has memory's own queue delete what is too old, of every tenant; what is not sent today is sent tomorrow."""
    if deps.memory_days == 0:
        return
    try:
        deps.queue.send(MEMORY_QUEUE, retention_message(deps.memory_days, now))
    except AishaError as error:
        _log.warning("old memories were not deleted: %s", error.message)


def _deliver(tenant: str, deps: SweepDependencies) -> bool:
    if not has_due(deps.ports.entries, tenant, deps.ports.clock.now()):
        return False
    deps.queue.send(QUEUE, {"task": DELIVER, "tenant": tenant})
    return True
