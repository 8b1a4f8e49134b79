"""Schemas of scans, their briefing and the recommended next one."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from aisha.api.schemas.camel_model import CamelModel
from aisha.api.schemas.conversations.chat import EntityRefJson
from aisha.application.scans import ScanReport, specs
from aisha.application.scans.briefing import MAX_TIMEFRAME_HOURS
from aisha.application.scans.contract import Severity
from aisha.application.scans.recommendation import NextScan

MAX_FINDINGS = 50
"""Findings in a response; `findingsTotal` counts all."""
Label = Annotated[str, Field(min_length=1, max_length=200)]


def _with_types(schema: dict[str, Any]) -> None:
    # Only the API description needs the list of scans, so they are not loaded at a cold start.
    schema["enum"] = [spec.scan_type for spec in specs()]


class ScanBody(CamelModel):
    """The scan to run. `severity` leaves out findings below it; `high` has a priority from 7, `urgent` from 9."""

    model_config = ConfigDict(strict=True)

    scan_type: Annotated[str, Field(min_length=1, max_length=40, json_schema_extra=_with_types)]
    severity: Severity = "all"


class FindingJson(CamelModel):
    """A finding about a record. `tool` and `arguments` are a call that resolves it, if there is one."""

    kind: str
    entity: EntityRefJson
    text: str
    priority: int
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    owner: str | None = None


class ScanJson(CamelModel):
    """A run of a scan with its 50 most urgent findings.

    `truncated` is true if there were too many records to read all.
    """

    success: bool
    scan_type: str
    title: str
    started_at: datetime
    finished_at: datetime
    examined: int
    findings_total: int
    findings: list[FindingJson]
    statistics: dict[str, int]
    truncated: bool


class BriefingQuery(CamelModel):
    """Options of a briefing."""

    variant: Literal["quick", "full"] = Field("full", description="`quick` returns only the text.")
    timeframe_hours: int = Field(24, ge=1, le=MAX_TIMEFRAME_HOURS, description="Hours to look back.")


class RecentScanJson(CamelModel):
    """One run of a scan. `timestamp` is in the user's time zone."""

    type: str
    timestamp: datetime
    status: Literal["success", "failed"]


class BriefingStatisticsJson(CamelModel):
    total_scans: int
    successful_scans: int
    failed_scans: int


class BriefingDataJson(CamelModel):
    recent_scans: list[RecentScanJson]
    statistics: BriefingStatisticsJson


class BriefingJson(CamelModel):
    """A briefing. `text` is for reading or speaking; only a full briefing has `data`."""

    success: bool
    text: str
    data: BriefingDataJson | None = None


class NextStepBody(CamelModel):
    """The model to ask. Default: the first one that is configured."""

    model_config = ConfigDict(strict=True)

    provider: Label | None = None
    model: Label | None = None


class NextStepStatisticsJson(CamelModel):
    leads_total: int
    leads_open: int
    leads_without_activity: int
    opportunities_open: int
    suggestions_pending: int
    suggestions_accepted: int
    recent_scans_count: int


class NextStepJson(CamelModel):
    """The recommended scan. `scanType` is null if none is needed now."""

    success: bool
    response: str
    scan_type: str | None
    reason: str
    statistics: NextStepStatisticsJson


_LEAD = "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
FINDING_EXAMPLE = {
    "kind": "warm_without_activity",
    "entity": {"type": "lead", "id": _LEAD, "name": "Jack Russel"},
    "text": "Call Jack Russel: Warm lead without an open activity (score 82)",
    "priority": 10,
    "tool": "create_activity",
    "arguments": {
        "entity_type": "lead",
        "entity_id": _LEAD,
        "title": "Call with Jack Russel",
        "activity_type": "call",
    },
    "owner": "alice",
}
SCAN_EXAMPLE = {
    "success": True,
    "scanType": "stale_leads",
    "title": "Stale Leads",
    "startedAt": "2026-03-02T09:15:00-05:00",
    "finishedAt": "2026-03-02T09:15:01-05:00",
    "examined": 42,
    "findingsTotal": 1,
    "findings": [FINDING_EXAMPLE],
    "statistics": {"leads": 30, "activities": 12, "warm_without_activity": 1},
    "truncated": False,
}
BRIEFING_EXAMPLE = {
    "success": True,
    "text": "1 scan ran in the last 24 hours: Stale Leads at 9:15 AM (1 finding, 1 new). It was successful. "
    "There is 1 new finding. Findings by the latest runs: Stale Leads 1.",
    "data": {
        "recentScans": [{"type": "stale_leads", "timestamp": "2026-03-02T09:15:01-05:00", "status": "success"}],
        "statistics": {"totalScans": 1, "successfulScans": 1, "failedScans": 0},
    },
}
NEXT_STEP_EXAMPLE = {
    "success": True,
    "response": "I recommend the Deals at Risk scan. It has not run yet; 4 deals are open.",
    "scanType": "deals_at_risk",
    "reason": "it has not run yet; 4 deals are open",
    "statistics": {
        "leadsTotal": 30,
        "leadsOpen": 12,
        "leadsWithoutActivity": 5,
        "opportunitiesOpen": 4,
        "suggestionsPending": 3,
        "suggestionsAccepted": 7,
        "recentScansCount": 1,
    },
}


def scan_json(report: ScanReport) -> ScanJson:
    """Return a finished run."""
    return ScanJson.of(
        report,
        success=True,
        findings_total=len(report.findings),
        findings=report.findings[:MAX_FINDINGS],
    )


def next_step_json(recommendation: NextScan) -> dict[str, Any]:
    """Return a recommendation, including a `scanType` that is null."""
    return NextStepJson.of(recommendation, success=True).model_dump(by_alias=True)
