"""Tools that run scans, the analyses of the whole pipeline, and report on the last ones."""

from typing import Annotated

from pydantic import Field

from aisha.application import scans
from aisha.application.scans import ScanReport
from aisha.application.scans.briefing import MAX_TIMEFRAME_HOURS, ScanBriefing, Variant, scan_briefing
from aisha.application.scans.contract import Severity
from aisha.application.suggestions import scans_on_demand
from aisha.application.suggestions.next_scan import recommended_scan
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.tools import FollowUp

MAX_FINDINGS = 10
"""Findings in a result; the counts include all of them."""
_TYPES = [spec.scan_type for spec in scans.specs()]


class ScanOutcome(ScanReport):
    """A report with 10 findings at most, the most urgent first; `findings_total` is the number of all."""

    findings_total: int


class RecommendedScan(DeferredModel):
    """`text` names the scan to run next, if one needs to run, and gives the reason."""

    text: str


@toolkit(name="scans", description="Analyses of the whole pipeline and their latest findings.")
class Scans:
    @tool(
        access="write",
        ordered_by=("run_scan",),
        guidance="A scan looks at the whole pipeline. When the user asks to scan, check or analyse it for stale leads, "
        "deals at risk, overdue activities, data quality, goals or next steps, call run_scan once with that scan_type; "
        "say how many findings there are and name the first. Act on a finding only when the user asks for it.",
        examples=(
            "run a scan for stale leads",
            "run the {scan_type} scan",
            "run the deals at risk scan",
            "run the overdue activities scan",
            "run a data quality scan",
            "run the goal progress scan",
            "run the next steps scan",
            "scan for {scan_type}",
            "scan my crm",
        ),
        typical_followups=(
            FollowUp("Which suggestions are waiting for me?", "💡", "list_suggestions"),
            FollowUp("What did the last scans find?", "🔎", "get_scan_briefing"),
            followups.NEXT_STEPS,
        ),
    )
    def run_scan(
        self,
        context: ToolContext,
        scan_type: Annotated[str, Field(max_length=40, json_schema_extra={"enum": [*_TYPES]}), "Scan to run"],
        severity: Annotated[Severity, "Findings to return: all, or those of this severity and above"] = "all",
    ) -> ScanOutcome:
        """Scan the pipeline for one kind of problem. The run is recorded as an event.

        next_steps: steps for every open record. stale_leads: leads without contact. deals_at_risk: deals that may slip.
        overdue_activities: activities not done in time. data_quality: incomplete and duplicate records. goal_progress:
        goals that fall behind. Reads what the user may see and changes no record; its findings become suggestions.
        """
        report = scans_on_demand.run_scan(scan_type, context).of_severity(severity)
        # `dict` of a model keeps its values as they are; `model_dump` would turn the findings into JSON.
        fields = {**dict(report), "findings": report.findings[:MAX_FINDINGS]}
        return ScanOutcome(**fields, findings_total=len(report.findings))

    @tool(
        examples=(
            "what did the last scans find",
            "give me the scan briefing",
            "brief me on the recent scans",
            "which scans ran today",
            "did the scans run without failure",
            "a quick briefing of the scans",
            "show me the results of the latest scans",
        ),
        typical_followups=(
            FollowUp("Run a scan for stale leads", "🔎", "run_scan", {"scan_type": "stale_leads"}),
            FollowUp("Run the deals at risk scan", "⚠️", "run_scan", {"scan_type": "deals_at_risk"}),
            followups.NEXT_STEPS,
        ),
    )
    def get_scan_briefing(
        self,
        context: ToolContext,
        variant: Annotated[Variant, "quick: the text alone; full: also the runs and their statistics"] = "full",
        timeframe_hours: Annotated[int, Field(ge=1, le=MAX_TIMEFRAME_HOURS), "How far to look back, in hours"] = 24,
    ) -> ScanBriefing:
        """List the scans that ran lately: when, whether they succeeded, and how many new findings they have."""
        return scan_briefing(context, variant, timeframe_hours)

    @tool(
        guidance="Asked which scan to run, or what to check next, call recommend_scan and give its answer; run the "
        "scan only when the user asks for it.",
        examples=(
            "which scan do you recommend to run next",
            "which scan should I run next",
            "which scan do you recommend",
            "recommend a scan",
            "what scan is due",
            "what should I scan next",
            "is there a scan that I should run",
        ),
        typical_followups=(
            FollowUp("What did the last scans find?", "🔎", "get_scan_briefing"),
            followups.NEXT_STEPS,
            followups.PIPELINE,
        ),
    )
    def recommend_scan(self, context: ToolContext) -> RecommendedScan:
        """Recommend a scan.

        By the records, the waiting suggestions and the last run of each scan. Runs nothing.
        """
        return RecommendedScan(text=recommended_scan(context).response)
