"""The log of earlier scans, read from the events that they wrote."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.scans.contract import COMPLETED, Finding
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.visibility import readable_page
from aisha.domain.crm.paging import items
from aisha.domain.crm.queries import MAX_PAGE, Condition, RecordQuery
from aisha.domain.crm.records import Event

EVENT_KIND = "scan"
SWEPT_SCANS = "scans"
"""The key of a sweep's event under which the results of its scans are listed."""
MAX_REFERENCES = 25
"""Findings that one event refers to: it stays small, however much was found."""
MAX_EVENTS = 200
"""Events that a search for earlier scans reads."""


class PastScan(Struct, frozen=True):
    """One run. `at` is in the user's time zone; the counts are zero for a run that failed.

    `modules` are those of the records that the findings reveal.
    """

    scan_type: str
    title: str
    at: datetime
    succeeded: bool
    findings: int = 0
    new_findings: int = 0
    references: Sequence[Mapping[str, Any]] = ()
    modules: Sequence[str] = ()


def past_scans(context: ToolContext, since: datetime | None = None) -> Iterator[PastScan]:
    """Yield the runs since `since`, newest first, from the newest 200 events. Pages are read on demand."""
    where = [Condition("kind", "eq", EVENT_KIND)]
    if since is not None:
        where.append(Condition("created_at", "gte", since))
    query = RecordQuery(Event.TYPE, where=tuple(where), limit=MAX_PAGE)
    for record in items(
        lambda cursor: readable_page(context.principal, context.records, replace(query, cursor=cursor)),
        max_pages=MAX_EVENTS // MAX_PAGE,
    ):
        if isinstance(record, Event):
            yield from _runs_of(context, record)


def latest_completed(context: ToolContext, scan_type: str) -> PastScan | None:
    """Return the newest run of this type that succeeded; None without one."""
    return next((run for run in past_scans(context) if run.scan_type == scan_type and run.succeeded), None)


def latest_by_type(context: ToolContext) -> dict[str, PastScan]:
    """Return the newest run of every type, succeeded or not."""
    latest: dict[str, PastScan] = {}
    for run in past_scans(context):
        latest.setdefault(run.scan_type, run)
    return latest


def count_new(findings: Sequence[Finding], before: PastScan | None) -> int:
    """Return how many of the findings the run before did not have.

    An event refers to 25 findings at most. If the run before had more, the result is the difference of the numbers.
    """
    if before is None:
        return len(findings)
    if before.findings > len(before.references):
        return max(0, len(findings) - before.findings)
    earlier_findings = {(reference.get("kind"), reference.get("id")) for reference in before.references}
    return sum((finding.kind, finding.entity.id) not in earlier_findings for finding in findings)


def _runs_of(context: ToolContext, event: Event) -> Iterator[PastScan]:
    """Yield the run of a scan's event or the runs of a sweep's; none for another event of the kind `scan`."""
    if event.created_at is None:
        return
    at, detail = event.created_at.astimezone(context.principal.tzinfo), event.detail
    if isinstance(detail.get(SWEPT_SCANS), list):
        for run in detail[SWEPT_SCANS]:
            yield PastScan(
                run["scan_type"],
                run["title"],
                at,
                run["succeeded"],
                run["findings"],
                run["new_findings"],
                modules=run.get("modules", ()),
            )
    elif isinstance(scan_type := detail.get("scan_type"), str):
        # The title that `ScanSpec` forms, e.g. `Stale Leads Scan Completed`.
        title, _, outcome = event.title.rpartition(" Scan ")
        yield PastScan(
            scan_type,
            title,
            at,
            outcome == COMPLETED,
            int(detail.get("findings", 0)),
            int(detail.get("new_findings", 0)),
            detail.get("top_findings", ()),
            detail.get("modules", ()),
        )
