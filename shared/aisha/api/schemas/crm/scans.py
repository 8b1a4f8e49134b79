"""Schemas of scans, their briefing and the recommended next one."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from aisha.api.schemas.camel_model import CamelModel, StrictBody
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


class ScanBody(StrictBody):
    """The scan to run. `severity` leaves out findings below it; `high` has a priority from 7, `urgent` from 9."""

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


class NextStepBody(StrictBody):
    """The model to ask. Default: the first one that is configured."""

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


def scan_json(report: ScanReport) -> ScanJson:
    """Return a finished run."""
    return ScanJson.from_attributes(
        report,
        success=True,
        findings_total=len(report.findings),
        findings=report.findings[:MAX_FINDINGS],
    )


def next_step_json(recommendation: NextScan) -> dict[str, Any]:
    """Return a recommendation, including a `scanType` that is null."""
    return NextStepJson.from_attributes(recommendation, success=True).model_dump(by_alias=True)
