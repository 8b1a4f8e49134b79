"""Sweep a tenant in this process, with workers of its own: in AWS a schedule does that."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from aisha.application.memory.ingest import QUEUE as MEMORY_QUEUE
from aisha.application.memory.ingest import retention_message
from aisha.application.notifications.delivery import deliver_due
from aisha.application.sweep import (
    SweepDependencies,
    SweepLimits,
    SweepState,
    abandon_message,
    current_sweep,
    handle_message,
    start_sweep,
)
from aisha.application.tenants.sweep_enrolment import enrol
from aisha.bootstrap import Services
from infra.local.aws_fakes.manual_queue import ManualQueue

WORKERS = 2
MAX_TRIES = 5
_LOGGER = logging.getLogger(__name__)


def sweep(services: Services, tenant: str, _user: str) -> Mapping[str, Any]:
    """Sweep the tenant, send due notifications, and return the findings by scan. Finishes an interrupted sweep."""
    config, queue = services.settings, ManualQueue()
    limits = SweepLimits(config.sweep_records, config.sweep_page, config.sweep_concurrency)
    deps = SweepDependencies(services.tool_ports, queue, limits, services.notification_channels)
    enrol(deps.ports.entries, tenant)
    if config.memory_days and (memory_queue := services.work_queue) is not None:
        memory_queue.send(MEMORY_QUEUE, retention_message(config.memory_days, deps.ports.clock.now()))
    state = sweep_with(deps, queue, tenant)
    delivered = deliver_due(deps.ports.entries, deps.ports.clock, tenant, deps.channels)
    return {
        "examined": state.examined,
        "pages": state.pages,
        "superseded": state.superseded,
        "truncated": state.truncated,
        "scans": {
            name: {"findings": result.findings, "new": result.new_findings, "failed_pages": result.failed_pages}
            for name, result in state.totals.items()
        },
        "sent": delivered.sent,
    }


def sweep_with(deps: SweepDependencies, queue: ManualQueue, tenant: str, workers: int = WORKERS) -> SweepState:
    """Run or finish one sweep of the tenant, and return its last state."""
    entries, now = deps.ports.entries, datetime.now(UTC)
    current = current_sweep(entries, tenant)
    name = current.sweep if current is not None and current.phase != "done" else f"sweep_{now:%Y%m%dT%H%M%S.%f}"
    start_sweep(tenant, name, deps.ports.clock.now(), deps)
    queue.drain(lambda message: _handle_with_retries(message, deps), workers)
    state = current_sweep(entries, tenant)
    assert state is not None
    return state


def _handle_with_retries(message: Mapping[str, Any], deps: SweepDependencies) -> None:
    for tries_left in reversed(range(MAX_TRIES)):
        try:
            handle_message(message, deps)
        except Exception as error:
            _LOGGER.warning("%s: %s", message, error)
            if tries_left == 0:
                abandon_message(message, deps)
        else:
            return
