"""The tool that tells what runs in the background."""

from datetime import datetime
from typing import Literal

from aisha.application.sweep.state import current_sweep
from aisha.application.tenants.sweep_enrolment import is_enrolled
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.results import RecordList
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.tools import FollowUp


class BackgroundJob(DeferredModel):
    """A job that runs without the user. `runs` says in words when; the counts are those of the latest run."""

    name: str
    runs: str
    status: Literal["never ran", "running", "done", "stalled"]
    last_started: datetime | None = None
    records_examined: int | None = None
    suggestions_made: int | None = None
    parts_open: int | None = None


@toolkit(name="jobs", description="What runs in the background.")
class Jobs:
    @tool(
        examples=(
            "which background jobs are running",
            "what is running in the background",
            "when did the last sweep run",
            "when does the next sweep run",
            "is the daily sweep done",
            "show the status of the background jobs",
        ),
        typical_followups=(
            FollowUp("Which suggestions are waiting for me?", "💡", "list_suggestions"),
            FollowUp("What did the last scans find?", "🔎", "get_scan_briefing"),
            followups.MY_DAY,
        ),
    )
    def get_background_jobs(self, context: ToolContext) -> RecordList[BackgroundJob]:
        """Get the background jobs.

        It is the daily sweep: when it ran last, and how far it is. The sweep runs every scan over all open records and
        makes suggestions of what it finds.
        """
        return RecordList[BackgroundJob](items=[_sweep(context)], total=1)


def _sweep(context: ToolContext) -> BackgroundJob:
    entries, tenant = context.ports.entries, context.principal.tenant
    runs = "every day" if is_enrolled(entries, tenant) else "every day, from the first scan on"
    state = current_sweep(entries, tenant)
    if state is None:
        return BackgroundJob(name="Daily sweep", runs=runs, status="never ran")
    return BackgroundJob(
        name="Daily sweep",
        runs=runs,
        status="stalled" if state.is_stalled(context.now) else "done" if state.phase == "done" else "running",
        last_started=state.started_at.astimezone(context.principal.tzinfo),
        records_examined=state.examined,
        suggestions_made=sum(totals.new_findings for totals in state.totals.values()),
        parts_open=len(state.open) or None,
    )
