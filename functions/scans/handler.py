"""Scans: POST /api/ai/scans runs one, GET /api/ai/scan-briefing tells what ran, POST /api/ai/next-step which is next."""

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation
from aisha.api.rest_app import answer
from aisha.api.schemas.scans import (
    BRIEFING_EXAMPLE,
    NEXT_STEP_EXAMPLE,
    SCAN_EXAMPLE,
    BriefingJson,
    BriefingQuery,
    NextStepBody,
    NextStepJson,
    ScanBody,
    ScanJson,
    briefing_json,
    next_step_json,
    scan_json,
)
from aisha.api.tool_app import ToolApp
from aisha.application import scans
from aisha.application.scans.briefing import scan_briefing
from aisha.application.suggestions.next_scan import recommend_scan

app = ToolApp()


@app.operation(
    Operation(
        "POST",
        "/api/ai/scans",
        "runScan",
        summary="Run a scan",
        description="Looks at the pipeline, as far as the user may see it, for one kind of trouble: `next_steps`, "
        "`stale_leads`, `deals_at_risk`, `overdue_activities`, `data_quality` or `goal_progress`. No record is changed; the "
        "run is noted as an event. From then on the tenant is swept every day.",
        body=ScanBody,
        response=ScanJson,
        errors=(403, 503),
        idempotent=True,
        limited=True,
        body_example={"scanType": "stale_leads"},
        example=SCAN_EXAMPLE,
    )
)
def run() -> Response[str]:
    context, body = app.tool_context(f"runScan.{app.operation_ulid()}"), app.body(ScanBody)
    return answer(scan_json(scans.run(body.scan_type, context)))


@app.operation(
    Operation(
        "GET",
        "/api/ai/scan-briefing",
        "getScanBriefing",
        summary="What the last scans found",
        description="Which scans ran, on demand or by the sweep, when, whether they succeeded, and how much that is new "
        "they found.",
        query=BriefingQuery,
        response=BriefingJson,
        errors=(422, 503),
        example=BRIEFING_EXAMPLE,
    )
)
def briefing() -> Response[str]:
    context, query = app.tool_context("scanBriefing"), app.query(BriefingQuery)
    return answer(briefing_json(scan_briefing(context, query.variant, query.timeframe_hours)))


@app.operation(
    Operation(
        "POST",
        "/api/ai/next-step",
        "recommendNextStep",
        summary="Which scan to run next",
        description="By what the CRM holds, what waits for a decision and when each scan last ran. A model is asked where "
        "there is one; otherwise, and when it names no scan, the rules decide. Nothing is run.",
        body=NextStepBody,
        response=NextStepJson,
        errors=(503,),
        limited=True,
        body_example={},
        example=NEXT_STEP_EXAMPLE,
    )
)
def next_step() -> Response[str]:
    context, body = app.tool_context("nextStep"), app.body(NextStepBody)
    services, chosen_model = app.services, (body.provider, body.model)
    recommendation = recommend_scan(context, services.chat_model, services.settings.turn_seconds, chosen_model)
    return answer(next_step_json(recommendation))


handler = app.resolve
