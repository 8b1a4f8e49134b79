"""Scans on demand, a briefing on runs, the recommended next one, and the state of the sweep that runs them daily."""

from typing import Any

from aisha.api.schemas.crm.scans import (
    BriefingJson,
    BriefingQuery,
    NextStepBody,
    NextStepJson,
    ScanBody,
    ScanJson,
    next_step_json,
    scan_json,
)
from aisha.api.schemas.crm.sweeps import SweepJson, sweep_json
from aisha.api.tool_app import ToolApp
from aisha.application.scans.briefing import scan_briefing
from aisha.application.suggestions.next_scan import recommend_scan
from aisha.application.suggestions.scans_on_demand import run_scan
from aisha.application.sweep.state import current_sweep
from aisha.application.tenants.sweep_enrolment import is_enrolled
from aisha.domain.principal import require_admin

app = ToolApp()


@app.operation(
    "POST",
    "/api/ai/scans",
    "runScan",
    summary="Run a scan",
    description="Checks the records that the user may see for one kind of problem: `next_steps`, `stale_leads`, "
    "`deals_at_risk`, `overdue_activities`, `data_quality` or `goal_progress`. It changes no record, logs the "
    "run as an event, and makes suggestions of what it finds. From then on the tenant's records are swept "
    "every day.",
    errors=(403, 503),
    idempotent=True,
)
def run(body: ScanBody) -> ScanJson:
    # By the request's operation: a repetition of it logs no second run.
    context = app.tool_context(f"runScan.{app.operation_ulid()}")
    return scan_json(run_scan(body.scan_type, context).of_severity(body.severity))


@app.operation(
    "GET",
    "/api/ai/scan-briefing",
    "getScanBriefing",
    summary="Get a briefing on recent scans",
    description="The scans that ran, on demand or in the sweep, with their time, their outcome and the number of "
    "new findings.",
    errors=(422, 503),
)
def briefing(query: BriefingQuery) -> BriefingJson:
    context = app.tool_context("scanBriefing")
    return BriefingJson.from_attributes(scan_briefing(context, query.variant, query.timeframe_hours), success=True)


@app.operation(
    "POST",
    "/api/ai/next-step",
    "recommendNextStep",
    summary="Recommend the next scan",
    description="Recommends a scan by the records in the CRM, the pending suggestions and the last run of each "
    "scan. A model decides if one is configured; if there is none or it names no scan, rules decide. Runs no scan.",
    response=NextStepJson,
    errors=(503,),
)
def next_step(body: NextStepBody) -> dict[str, Any]:
    context = app.tool_context("nextStep")
    services, chosen_model = app.services, (body.provider, body.model)
    recommendation = recommend_scan(context, services.chat_model, services.settings.turn_seconds, chosen_model)
    return next_step_json(recommendation)


@app.operation(
    "GET",
    "/api/ai/sweeps",
    "getSweep",
    summary="Get the state of the sweep",
    description="The tenant's last sweep, which runs all scans over all records every day: how far it is, what it "
    "found, and the jobs that are still open. Only for users with the role admin.",
    errors=(403, 503),
)
def sweep() -> SweepJson:
    principal, entries = app.principal(), app.services.entries
    # It covers the records of all users, of whom one may not see another's.
    require_admin(principal, "see the state of the sweep")
    latest = current_sweep(entries, principal.tenant)
    return sweep_json(latest, is_enrolled=is_enrolled(entries, principal.tenant), now=app.services.clock.now())


handler = app.resolve
