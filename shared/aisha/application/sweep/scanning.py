"""One page of a lane: its records are scanned and what was found is kept as suggestions of their owners."""

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from aisha.application.scans import Finding, scans
from aisha.application.suggestions.store import keep
from aisha.application.sweep.page_reader import PageReader, remembering
from aisha.application.sweep.record_streams import LANES
from aisha.application.sweep.state import ScanTotals
from aisha.application.tooling.context import OwnedEntries, ToolContext
from aisha.domain.records import RECORD_TYPES, Opportunity, Record, Related

_FROM_PLANS = frozenset(("stale_leads", "next_steps", "deals_at_risk"))
"""Scans that conclude from what is planned, which a user without activities may not know."""
_FROM_NOTES = frozenset(("awaiting_callback", "asked_for_email", "left_message"))
"""Rules that quote a note."""


class PageResult(Struct, frozen=True):
    """What a page gave: totals by type of scan, and the owners of what was found, None for nobody."""

    totals: dict[str, ScanTotals] = field(default_factory=dict)
    owners: tuple[str | None, ...] = ()


def scan_page(
    lane: str, records: Sequence[Record], context: ToolContext, sweep: str, scan_types: Sequence[str]
) -> PageResult:
    """Runs the lane's scans over the records. The same page again finds the same and adds nothing."""
    totals: dict[str, ScanTotals] = {}
    owners: dict[str | None, None] = {}
    known: set[tuple[str, str]] = set()
    searched = remembering(context)
    for scan_type in LANES[lane].scan_types:
        if scan_type not in scan_types:
            continue
        reader = PageReader(searched, records)
        found, new = 0, 0
        for finding in _findings(scan_type, reader):
            found += 1
            owners[finding.owner] = None
            if (mark := (finding.kind, finding.entity.id)) not in known:
                known.add(mark)
                new += _keep(finding, scan_type, reader, context, sweep)
        totals[scan_type] = ScanTotals(found, new)
    return PageResult(totals, tuple(owners))


def _findings(scan_type: str, reader: PageReader) -> Iterator[Finding]:
    if reader.records:
        yield from scans()[scan_type].analyse(reader)


def _keep(finding: Finding, scan_type: str, reader: PageReader, context: ToolContext, sweep: str) -> bool:
    own = OwnedEntries(context.ports.entries, context.principal.tenant, finding.owner)
    return keep(own, finding, scan_type, sweep, context.now, _modules(finding, scan_type, reader))


def _modules(finding: Finding, scan_type: str, reader: PageReader) -> set[str]:
    """The modules whose records a user must be allowed to see to be told this."""
    record = next((one for one in reader.records if one.id == finding.entity.id), None)
    modules = {RECORD_TYPES[finding.entity.type].MODULE}
    if scan_type in _FROM_PLANS:
        modules.add("activities")
    if finding.kind in _FROM_NOTES:
        modules.add("notes")
    if isinstance(about := getattr(record, "related", None), Related):
        modules.add(RECORD_TYPES[about.type].MODULE)
    if isinstance(record, Opportunity) and record.account_id in reader.around:
        name = reader.around[record.account_id].display_name
        modules |= {"accounts"} if name in finding.text else set()
    return modules
