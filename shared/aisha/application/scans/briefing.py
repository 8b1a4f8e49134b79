"""What the scans of the last hours found, told in a few sentences, from the events that they left."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from aisha.application.scans import PastScan, past_scans
from aisha.application.tooling.context import ToolContext
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError

Variant = Literal["quick", "full"]
LONGEST_HOURS = 30 * 24
MOST_NAMED = 6
"""Runs that the text names; the data has them all."""


class RecentScan(DeferredModel):
    """One run: `timestamp` is when it ended, in the user's zone."""

    type: str
    timestamp: datetime
    status: Literal["success", "failed"]


class ScanStatistics(DeferredModel):
    """How many runs there were."""

    total_scans: int
    successful_scans: int
    failed_scans: int


class ScanBriefingData(DeferredModel):
    """The runs, the newest first, and how many there were."""

    recent_scans: list[RecentScan]
    statistics: ScanStatistics


class ScanBriefing(DeferredModel):
    """`text` is for people; `data` stands in a full briefing alone."""

    text: str
    data: ScanBriefingData | None = None


def scan_briefing(context: ToolContext, variant: Variant = "full", timeframe_hours: int = 24) -> ScanBriefing:
    """Tells the runs of the last `timeframe_hours` (1 to 720), the newest 200 at most. Raises `InvalidInputError`."""
    if not 1 <= timeframe_hours <= LONGEST_HOURS:
        raise InvalidInputError(
            f"The timeframe must be 1 to {LONGEST_HOURS} hours, not {timeframe_hours}", pointer="/timeframe_hours",
            suggestion="Give 24 for the last day or 168 for the last week.",
        )  # fmt: skip
    if variant not in ("quick", "full"):
        raise InvalidInputError(f"There is no variant {variant!r}", pointer="/variant", suggestion="Use quick or full.")
    past = list(past_scans(context, context.now - timedelta(hours=timeframe_hours)))
    text = _quick(past, timeframe_hours, context.now)
    if variant == "quick":
        return ScanBriefing(text=text)
    return ScanBriefing(text=" ".join([text, *_open_findings(past)]), data=_data(past))


def _data(past: Sequence[PastScan]) -> ScanBriefingData:
    good = sum(one.succeeded for one in past)
    recent = [
        RecentScan(type=one.scan_type, timestamp=one.at, status="success" if one.succeeded else "failed")
        for one in past
    ]
    statistics = ScanStatistics(total_scans=len(past), successful_scans=good, failed_scans=len(past) - good)
    return ScanBriefingData(recent_scans=recent, statistics=statistics)


def _quick(past: Sequence[PastScan], hours: int, now: datetime) -> str:
    """Each run with its clock time, whether all went well, and what is new."""
    if not past:
        return f"No scan ran in the last {_span(hours)}."
    named = [f"{one.title} at {_clock(one.at, now)}{_outcome(one)}" for one in past[:MOST_NAMED]]
    more = len(past) - len(named)
    named += [f"{more} earlier"] if more > 0 else []
    new = sum(one.new_findings for one in past)
    return (
        f"{_count(len(past), 'scan')} ran in the last {_span(hours)}: {_listed(named)}. {_success(past)} "
        f"{'Nothing new was found.' if not new else f'There {_be(new)} {_count(new, "new finding")}.'}"
    )


def _outcome(one: PastScan) -> str:
    if not one.succeeded:
        return " (failed)"
    return f" ({_count(one.findings, 'finding')}, {one.new_findings} new)"


def _success(past: Sequence[PastScan]) -> str:
    failed = sum(not one.succeeded for one in past)
    if not failed:
        return "All were successful." if len(past) > 1 else "It was successful."
    if failed == len(past):
        return "All of them failed." if failed > 1 else "It failed."
    return f"{len(past) - failed} of {len(past)} were successful, {failed} failed."


def _open_findings(past: Sequence[PastScan]) -> list[str]:
    """What stands by the newest successful run of each type: runs of the same type find the same things again."""
    latest: dict[str, PastScan] = {}
    for one in past:
        if one.succeeded:
            latest.setdefault(one.scan_type, one)
    found = sorted((one for one in latest.values() if one.findings), key=lambda one: -one.findings)
    if not found:
        return []
    return [f"Findings by the latest runs: {_listed([f'{one.title} {one.findings}' for one in found])}."]


def _clock(moment: datetime, now: datetime) -> str:
    """9:15 AM, with the day where that is not today: `9:15 AM on Sun, Mar 1`."""
    clock = f"{moment.hour % 12 or 12}:{moment:%M} {'AM' if moment.hour < 12 else 'PM'}"
    days = (now.date() - moment.date()).days
    if days == 0:
        return clock
    return f"{clock} yesterday" if days == 1 else f"{clock} on {moment:%a}, {moment:%b} {moment.day}"


def _span(hours: int) -> str:
    """24 hours, 7 days."""
    return _count(hours // 24, "day") if hours > 48 and hours % 24 == 0 else _count(hours, "hour")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
