"""Runs of scans: each writes one event, whether it succeeds or fails."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

from aisha.application.notifications.settings import remember_zone
from aisha.application.scans.contract import SCAN_MARK, Finding, Scan, ScanReport, ScanSpec, references
from aisha.application.scans.log import EVENT_KIND, MAX_REFERENCES, count_new, latest_completed
from aisha.application.scans.reader import ScanReader
from aisha.application.tenants.sweep_enrolment import enrol
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.visibility import require_module
from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import RECORD_TYPES, Event
from aisha.domain.discovery import modules_in, own_name
from aisha.domain.errors import AishaError, InvalidInputError

Keep = Callable[[Sequence[Finding], int], int]
"""Keep findings, given how many the log of runs calls new; return how many are new."""


@lru_cache(maxsize=1)
def scans() -> Mapping[str, Scan]:
    """Return every scan by its type: the functions decorated with `@scan` in the modules of this package."""
    # Imported at the first call: `recommendation` imports this package, which must be complete by then.
    by_type: dict[str, Scan] = {}
    for module in modules_in("aisha.application.scans"):
        marks = (getattr(value, SCAN_MARK, None) for value in vars(module).values() if _is_own(value, module.__name__))
        for mark in marks:
            if isinstance(mark, Scan):
                if mark.spec.scan_type in by_type:
                    raise ValueError(f"{own_name(module)}.py: another scan is called {mark.spec.scan_type!r}, too")
                by_type[mark.spec.scan_type] = mark
    return MappingProxyType(by_type)


def specs() -> tuple[ScanSpec, ...]:
    """Return the data of every scan."""
    return tuple(scan.spec for scan in scans().values())


def run(scan_type: str, context: ToolContext, max_records: int | None = None, keep: Keep | None = None) -> ScanReport:
    """Run one scan over at most `max_records` records (by default the deployment's limit), and write its event.

    `keep` gets the findings before the event is written, which says how many of them are new. The tenant is enrolled
    for sweeps. An operation id writes one event only: a retry after a failure needs a new one.
    A run that fails writes the event of a failure and raises its error. Raises, without an event, `InvalidInputError`
    for an unknown type and `PermissionDeniedError` for a user who may not use the modules.
    """
    chosen = scans().get(scan_type)
    if chosen is None:
        types = sorted(scans())
        raise InvalidInputError(
            f"There is no scan {scan_type!r}",
            pointer="/scan_type",
            detail=types,
            suggestion=f"Use one of: {', '.join(types)}.",
        )
    # The checks come first: a request that is refused neither enrols the tenant nor writes an event.
    for entity_type in chosen.spec.needs:
        require_module(context.principal, entity_type)
    enrol(context.ports.entries, context.principal.tenant)
    remember_zone(context.ports.entries, context.principal)
    started = _clock_time(context)
    try:
        report = _report(chosen, context, started, max_records)
        detail = _detail(context, report, keep)
    # Programming errors as well: a run without an event would look like one that never took place.
    except Exception as error:
        _write_failure(context, chosen.spec, error)
        raise
    _write(context, chosen.spec.event_title, detail)
    return report


def _is_own(value: object, module: str) -> bool:
    return getattr(value, "__module__", None) == module


def _clock_time(context: ToolContext) -> datetime:
    # Not `context.now`, which stands still during a run.
    return context.clock.now().astimezone(context.principal.tzinfo)


def _report(chosen: Scan, context: ToolContext, started: datetime, max_records: int | None) -> ScanReport:
    reader = ScanReader(context, max_records)
    findings = sorted(chosen.analyse(reader), key=lambda finding: -finding.priority)
    kinds = Counter(finding.kind for finding in findings)
    return ScanReport(
        scan_type=chosen.spec.scan_type,
        title=chosen.spec.title,
        started_at=started,
        finished_at=_clock_time(context),
        examined=reader.examined,
        findings=findings,
        statistics={**reader.by_module, **kinds},
        truncated=reader.truncated,
    )


def _detail(context: ToolContext, report: ScanReport, keep: Keep | None) -> dict[str, Any]:
    new = count_new(report.findings, latest_completed(context, report.scan_type))
    return {
        "scan_type": report.scan_type,
        "examined": report.examined,
        "findings": len(report.findings),
        "new_findings": keep(report.findings, new) if keep else new,
        "truncated": report.truncated,
        "modules": sorted({RECORD_TYPES[finding.entity.type].MODULE for finding in report.findings}),
        "statistics": report.statistics,
        "top_findings": references(report.findings[:MAX_REFERENCES]),
    }


def _write(context: ToolContext, title: str, detail: dict[str, Any], level: Literal["info", "error"] = "info") -> None:
    event = Event(kind=EVENT_KIND, title=title, detail=detail, level=level, owner=context.principal.user)
    context.records.write(Create(event))


def _write_failure(context: ToolContext, spec: ScanSpec, error: Exception) -> None:
    cause = error if isinstance(error, AishaError) else AishaError("The scan broke off")
    detail = {"scan_type": spec.scan_type, "error": cause.code, "message": cause.message}
    # What broke the run may break this write, too; the run's own error is the one to raise.
    try:
        _write(context, spec.failure_title, detail, "error")
    except AishaError as unwritten:
        context.log(f"{spec.failure_title} could not be recorded: {unwritten.message}")
