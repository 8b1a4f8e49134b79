"""Scanning of one page of records; the findings are stored as suggestions for the records' owners."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from aisha.application.scans import Finding, scans
from aisha.application.scans.contract import RULES_OF_NOTES
from aisha.application.suggestions.store import FoundFinding, save_findings
from aisha.application.sweep.page_reader import PageReader, with_cached_searches
from aisha.application.sweep.record_streams import STREAMS
from aisha.application.sweep.state import ScanTotals, SweepState
from aisha.application.sweep.survey import Survey
from aisha.application.tooling.context import ToolContext
from aisha.domain.crm.records import RECORD_TYPES, Opportunity, Record, Related
from aisha.domain.entries import EntryKey

_SCANS_OF_PLANS = frozenset(("stale_leads", "next_steps", "deals_at_risk"))
"""Scans whose findings reveal planned activities, which only users with that module may know."""


class PageResult(Struct, frozen=True):
    """The result of a page: totals by type of scan, and the owners of the findings, None for the tenant."""

    totals: dict[str, ScanTotals] = field(default_factory=dict)
    owners: tuple[str | None, ...] = ()


def scan_page(
    stream: str, records: Sequence[Record], context: ToolContext, state: SweepState, survey: Survey
) -> PageResult:
    """Run the stream's scans over the records and store the findings. Another run over the same page adds nothing."""
    counts: Counter[str] = Counter()
    modules: dict[str, set[str]] = {}
    owners: dict[str | None, None] = {}
    candidates: dict[EntryKey, FoundFinding] = {}
    scan_types = [scan_type for scan_type in STREAMS[stream].scan_types if scan_type in state.scan_types]
    cached = with_cached_searches(context)
    for scan_type in scan_types:
        reader = PageReader(cached, records, survey)
        for finding in _findings(scan_type, reader):
            counts[scan_type] += 1
            owners[finding.owner] = None
            # Two scans may use the same rule: each counts the finding, but only the first one words and stores it.
            revealed = _modules(finding, scan_type, reader)
            modules.setdefault(scan_type, set()).update(revealed)
            candidate = FoundFinding(finding, scan_type, revealed)
            candidates.setdefault(candidate.key, candidate)
    are_new = save_findings(
        context.ports.entries, context.principal.tenant, list(candidates.values()), state.sweep, context.now
    )
    new = Counter(candidate.scan_type for candidate, is_new in zip(candidates.values(), are_new, strict=True) if is_new)
    totals = {
        name: ScanTotals(counts[name], new[name], modules=tuple(sorted(modules.get(name, ())))) for name in scan_types
    }
    return PageResult(totals, tuple(owners))


def _findings(scan_type: str, reader: PageReader) -> Iterator[Finding]:
    if reader.records:
        yield from scans()[scan_type].analyse(reader)


def _modules(finding: Finding, scan_type: str, reader: PageReader) -> set[str]:
    """Return the modules that a user needs to see the finding: those of every record that it reveals."""
    record = next((record for record in reader.records if record.id == finding.entity.id), None)
    modules = {RECORD_TYPES[finding.entity.type].MODULE}
    if scan_type in _SCANS_OF_PLANS:
        modules.add("activities")
    if finding.kind in RULES_OF_NOTES:
        modules.add("notes")
    if isinstance(about := getattr(record, "related", None), Related):
        modules.add(RECORD_TYPES[about.type].MODULE)
    # The account was read for every deal, but only a finding that names it reveals it.
    if isinstance(record, Opportunity) and record.account_id in reader.referenced:
        name = reader.referenced[record.account_id].display_name
        modules |= {"accounts"} if name in finding.text else set()
    return modules
