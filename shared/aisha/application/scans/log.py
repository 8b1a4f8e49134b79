"""What the events of earlier scans say."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.scans.contract import COMPLETED, Finding
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.visibility import readable_page
from aisha.domain.pages import items
from aisha.domain.queries import MAX_PAGE, Condition, RecordQuery
from aisha.domain.records import Event

EVENT_KIND = "scan"
SWEPT = "scans"
"""In the one event of a sweep: what each of its scans found."""
MOST_REFERENCES = 25
"""Findings that an event refers to."""
MOST_EVENTS = 200
"""Events looked at in search of earlier scans."""


class PastScan(Struct, frozen=True):
    """One run. `at` is in the user's zone; the counts are zero for a run that failed."""

    scan_type: str
    title: str
    at: datetime
    succeeded: bool
    findings: int = 0
    new_findings: int = 0
    references: Sequence[Mapping[str, Any]] = ()


def past_scans(context: ToolContext, since: datetime | None = None) -> Iterator[PastScan]:
    """The runs from `since` on, the newest first, read page by page as they are asked for; 200 at most."""
    where = [Condition("kind", "eq", EVENT_KIND)]
    if since is not None:
        where.append(Condition("created_at", "gte", since))
    query = RecordQuery(Event.TYPE, where=tuple(where), limit=MAX_PAGE)
    for record in items(
        lambda cursor: readable_page(context.principal, context.records, replace(query, cursor=cursor)),
        max_pages=MOST_EVENTS // MAX_PAGE,
    ):
        if isinstance(record, Event):
            yield from _past(context, record)


def latest_completed(context: ToolContext, scan_type: str) -> PastScan | None:
    """The newest run of this type that succeeded."""
    return next((one for one in past_scans(context) if one.scan_type == scan_type and one.succeeded), None)


def latest_by_type(context: ToolContext) -> dict[str, PastScan]:
    """The newest run of every type, succeeded or not."""
    latest: dict[str, PastScan] = {}
    for one in past_scans(context):
        latest.setdefault(one.scan_type, one)
    return latest


def newly_found(findings: Sequence[Finding], before: PastScan | None) -> int:
    """How many of the findings the run before did not have.

    An event refers to 25 findings at most; when the run before had more, this is by how many there are more now.
    """
    if before is None:
        return len(findings)
    if before.findings > len(before.references):
        return max(0, len(findings) - before.findings)
    known = {(one.get("kind"), one.get("id")) for one in before.references}
    return sum((one.kind, one.entity.id) not in known for one in findings)


def _past(context: ToolContext, event: Event) -> Iterator[PastScan]:
    """The event as a run, or as the runs of a sweep; none for one that something else wrote under the same kind."""
    if event.created_at is None:
        return
    at, detail = event.created_at.astimezone(context.principal.tzinfo), event.detail
    if isinstance(detail.get(SWEPT), list):
        for one in detail[SWEPT]:
            yield PastScan(
                one["scan_type"], one["title"], at, one["succeeded"], one["findings"], one["new_findings"],
            )  # fmt: skip
    elif isinstance(scan_type := detail.get("scan_type"), str):
        title, _, outcome = event.title.rpartition(" Scan ")
        yield PastScan(
            scan_type, title, at, outcome == COMPLETED, int(detail.get("findings", 0)),
            int(detail.get("new_findings", 0)), detail.get("top_findings", ()),
        )  # fmt: skip
