"""Scans on demand whose findings become suggestions, as those of the daily sweep do."""

from collections.abc import Sequence

from aisha.application import scans
from aisha.application.scans import Finding, ScanReport, past_scans
from aisha.application.scans.contract import RULES_OF_NOTES
from aisha.application.suggestions.store import FoundFinding, save_findings
from aisha.application.tooling.context import ToolContext
from aisha.domain.crm.records import RECORD_TYPES

MAX_STORED = 50
"""Findings of one run that become suggestions, the most urgent ones."""
_MODULES = frozenset(record_type.MODULE for record_type in RECORD_TYPES.values())


def run_scan(scan_type: str, context: ToolContext) -> ScanReport:
    """Run a scan, keep its findings as suggestions and write its event. Raises as `scans.run` does.

    Kept are the findings about the caller's records and about those without an owner; the findings about others'
    records are left to the sweep, because the caller may see what their owners may not. What a scan or the sweep has
    found before is not counted as new again.
    """

    def keep(findings: Sequence[Finding], new: int) -> int:
        saved = [finding for finding in findings if _is_storable(finding, context)][:MAX_STORED]
        return _save(saved, scan_type, context) + _count_new(findings, saved, new, context)

    return scans.run(scan_type, context, keep=keep)


def _is_storable(finding: Finding, context: ToolContext) -> bool:
    # A note may be private to the caller, so a finding that quotes one is not shared.
    return finding.owner == context.principal.user or (finding.owner is None and finding.kind not in RULES_OF_NOTES)


def _save(findings: Sequence[Finding], scan_type: str, context: ToolContext) -> int:
    """Store the findings and return how many are new."""
    # Every module that the caller may use could show in the text. The next sweep says which of them do.
    modules = _MODULES & context.principal.modules
    entries_to_save = [FoundFinding(finding, scan_type, modules) for finding in findings]
    entries, tenant = context.ports.entries, context.principal.tenant
    return sum(save_findings(entries, tenant, entries_to_save, context.operation_id, context.now))


def _count_new(findings: Sequence[Finding], saved: Sequence[Finding], new: int, context: ToolContext) -> int:
    """Return how many of the findings that were not saved are in no logged run, at most `new`."""
    unsaved = {(finding.kind, finding.entity.id) for finding in findings}
    unsaved -= {(finding.kind, finding.entity.id) for finding in saved}
    if not unsaved:
        return 0
    stored = {
        (reference.get("kind"), reference.get("id")) for run in past_scans(context) for reference in run.references
    }
    return min(len(unsaved - stored), new)
