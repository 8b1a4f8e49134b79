"""Scan briefings: a few sentences about the scans of the last hours, from the events that these wrote."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from aisha.application.scans import PastScan, past_scans, specs
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.visibility import may_see
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError
from aisha.domain.wording import count_noun, join_names

Variant = Literal["quick", "full"]
MAX_TIMEFRAME_HOURS = 30 * 24
MAX_NAMED_RUNS = 6
"""Runs that the text names, the newest; `data` has all of them."""


class RecentScan(DeferredModel):
    """One run. `timestamp` is when it ended, in the user's time zone."""

    type: str
    timestamp: datetime
    status: Literal["success", "failed"]


class ScanStatistics(DeferredModel):
    """The number of runs, by outcome."""

    total_scans: int
    successful_scans: int
    failed_scans: int


class ScanBriefingData(DeferredModel):
    """The runs, newest first, and their numbers."""

    recent_scans: list[RecentScan]
    statistics: ScanStatistics


class ScanBriefing(DeferredModel):
    """A briefing as `text` for people; `data` is there in a full briefing only."""

    text: str
    data: ScanBriefingData | None = None


def scan_briefing(context: ToolContext, variant: Variant = "full", timeframe_hours: int = 24) -> ScanBriefing:
    """Return a briefing on the runs of the last `timeframe_hours` (1 to 720), the newest 200 at most.

    Raises `InvalidInputError` for another timeframe or variant.
    """
    if not 1 <= timeframe_hours <= MAX_TIMEFRAME_HOURS:
        raise InvalidInputError(
            f"The timeframe must be 1 to {MAX_TIMEFRAME_HOURS} hours, not {timeframe_hours}",
            pointer="/timeframe_hours",
            suggestion="Give 24 for the last day or 168 for the last week.",
        )
    if variant not in ("quick", "full"):
        raise InvalidInputError(f"There is no variant {variant!r}", pointer="/variant", suggestion="Use quick or full.")
    runs = [
        run for run in past_scans(context, context.now - timedelta(hours=timeframe_hours)) if _may_see(context, run)
    ]
    counted = [run for run in runs if all(map(context.principal.may_use, run.modules))]
    text = _format_runs(runs, counted, timeframe_hours, context.now)
    if variant == "quick":
        return ScanBriefing(text=text)
    return ScanBriefing(text=" ".join([text, *_format_findings(counted)]), data=_data(runs))


def _may_see(context: ToolContext, run: PastScan) -> bool:
    """Return whether the user may use the modules that the scan examines: the numbers tell about their records."""
    needs = next((spec.needs for spec in specs() if spec.scan_type == run.scan_type), ())
    return all(may_see(context.principal, kind) for kind in needs)


def _data(runs: Sequence[PastScan]) -> ScanBriefingData:
    succeeded = sum(run.succeeded for run in runs)
    recent = [
        RecentScan(type=run.scan_type, timestamp=run.at, status="success" if run.succeeded else "failed")
        for run in runs
    ]
    statistics = ScanStatistics(total_scans=len(runs), successful_scans=succeeded, failed_scans=len(runs) - succeeded)
    return ScanBriefingData(recent_scans=recent, statistics=statistics)


def _format_runs(runs: Sequence[PastScan], counted: Sequence[PastScan], hours: int, now: datetime) -> str:
    """Name the runs with their times, say whether they succeeded and count the new findings of those `counted`."""
    if not runs:
        return f"No scan ran in the last {_format_span(hours)}."
    names = [
        f"{run.title} at {_format_time(run.at, now)}{_format_outcome(run, is_counted=run in counted)}"
        for run in runs[:MAX_NAMED_RUNS]
    ]
    if len(runs) > MAX_NAMED_RUNS:
        names.append(f"{len(runs) - MAX_NAMED_RUNS} earlier")
    text = f"{count_noun(len(runs), 'scan')} ran in the last {_format_span(hours)}: {join_names(names)}."
    failed = sum(not run.succeeded for run in runs)
    if 0 < failed < len(runs):
        text = f"{text} {len(runs) - failed} of {len(runs)} were successful, {failed} failed."
    # One run's own findings are told beside its name, and failed runs have none.
    is_told = len(runs) == 1 or not any(run.succeeded for run in runs)
    return text if is_told and len(counted) == len(runs) else f"{text} {_format_new(runs, counted)}"


def _format_new(runs: Sequence[PastScan], counted: Sequence[PastScan]) -> str:
    new = sum(run.new_findings for run in counted)
    verb = "is" if new == 1 else "are"
    text = f"There {verb} {count_noun(new, 'new finding')}." if new else "Nothing new was found."
    if not (hidden := list(dict.fromkeys(run.title for run in runs if run not in counted))):
        return text
    left_out = f"The findings of {join_names(hidden)} are left out, because some are about records that you can't see."
    return f"{text} {left_out}" if new else left_out


def _format_outcome(run: PastScan, *, is_counted: bool) -> str:
    if not run.succeeded:
        return " (failed)"
    return f" ({count_noun(run.findings, 'finding')}, {run.new_findings} new)" if is_counted else ""


def _format_findings(runs: Sequence[PastScan]) -> list[str]:
    # Only the newest run of a type counts: the runs before it found mostly the same things.
    latest: dict[str, PastScan] = {}
    for run in runs:
        if run.succeeded:
            latest.setdefault(run.scan_type, run)
    with_findings = sorted((run for run in latest.values() if run.findings), key=lambda run: -run.findings)
    if not with_findings:
        return []
    return [f"Findings by the latest runs: {join_names([f'{run.title} {run.findings}' for run in with_findings])}."]


def _format_time(moment: datetime, now: datetime) -> str:
    """Format the clock time, with the day unless it is today: `9:15 AM on Sun, Mar 1`."""
    clock = f"{moment.hour % 12 or 12}:{moment:%M} {'AM' if moment.hour < 12 else 'PM'}"
    days = (now.date() - moment.date()).days
    if days == 0:
        return clock
    return f"{clock} yesterday" if days == 1 else f"{clock} on {moment:%a}, {moment:%b} {moment.day}"


def _format_span(hours: int) -> str:
    return count_noun(hours // 24, "day") if hours > 48 and hours % 24 == 0 else count_noun(hours, "hour")
