"""The target of the schedules: starts sweeps, the delivery of due notifications, or the reading of CRMs."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from aisha.api.event_app import EventApp
from aisha.application.connections.dependencies import TASK as SYNC_TASK
from aisha.application.connections.sync import dispatch_sync
from aisha.application.sweep import dispatch, parse_schedule_event
from aisha.observability import logger, observed_handler

app = EventApp()


@observed_handler("dispatch sweep", lambda: app.services.tracer)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:  # noqa: ARG001 - Lambda's signature
    """Return the `tenants` for which the task was started. An event that is delivered again starts nothing twice."""
    task, tenants, sweep = parse_schedule_event(event)
    # Readings of CRMs have schedules and states of their own, but share queue and worker.
    if task == SYNC_TASK:
        started = dispatch_sync(app.services.sync_dependencies)
    else:
        started = dispatch(task, app.services.sweep_dependencies, tenants, sweep)
    logger.info("dispatched", extra={"task": task, "tenants": len(started)})
    return {"task": task, "tenants": started}
