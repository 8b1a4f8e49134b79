"""Runs a scan and leaves one event behind, whether it succeeded or failed."""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

from aisha.application.notifications.settings import note_zone
from aisha.application.scans.contract import SCAN_MARK, Scan, ScanReport, ScanSpec, references
from aisha.application.scans.log import EVENT_KIND, MOST_REFERENCES, latest_completed, newly_found
from aisha.application.scans.reader import ScanReader
from aisha.application.tenants.sweep_enrolment import enrol
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.visibility import require_module
from aisha.domain.errors import AishaError, InvalidInputError
from aisha.domain.queries import Create
from aisha.domain.records import Event

PACKAGE = "aisha.application.scans"


@lru_cache(maxsize=1)
def scans() -> Mapping[str, Scan]:
    """Every scan by its type: the functions marked with `@scan` in the modules of this package."""
    package = importlib.import_module(PACKAGE)
    found: dict[str, Scan] = {}
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{PACKAGE}.{info.name}")
        marks = (getattr(value, SCAN_MARK, None) for value in vars(module).values() if _is_own(value, module.__name__))
        found |= {mark.spec.scan_type: mark for mark in marks if isinstance(mark, Scan)}
    return MappingProxyType(found)


def specs() -> tuple[ScanSpec, ...]:
    """What every scan is, in the order of their types."""
    return tuple(one.spec for one in scans().values())


def run(scan_type: str, context: ToolContext, most_records: int | None = None) -> ScanReport:
    """Runs one scan over what the user may see, at most `most_records` records (else the deployment's bound), and writes its one event.

    From then on the tenant is swept.
    The event is written once for an operation id, so that a run tried again after a failure needs one of its own.
    A run that breaks off writes the event of a failure and raises what broke it. What may not or can't be run leaves no
    event: raises `InvalidInputError` for a type that does not exist and `PermissionDeniedError` for closed modules.
    """
    chosen = scans().get(scan_type)
    if chosen is None:
        known = sorted(scans())
        raise InvalidInputError(
            f"There is no scan {scan_type!r}", pointer="/scan_type", detail=known,
            suggestion=f"Use one of: {', '.join(known)}.",
        )  # fmt: skip
    for entity_type in chosen.spec.needs:
        require_module(context.principal, entity_type)
    enrol(context.ports.entries, context.principal.tenant)
    note_zone(context.ports.entries, context.principal)
    started = _clock_time(context)
    try:
        report = _report(chosen, context, started, most_records)
        detail = _detail(context, report)
    except Exception as error:
        _write_failure(context, chosen.spec, error)
        raise
    _write(context, chosen.spec.event_title, detail)
    return report


def _is_own(value: object, module: str) -> bool:
    return getattr(value, "__module__", None) == module


def _clock_time(context: ToolContext) -> datetime:
    return context.clock.now().astimezone(context.principal.tzinfo)


def _report(chosen: Scan, context: ToolContext, started: datetime, most_records: int | None) -> ScanReport:
    reader = ScanReader(context, most_records)
    findings = sorted(chosen.analyse(reader), key=lambda one: -one.priority)
    kinds = Counter(one.kind for one in findings)
    return ScanReport(
        scan_type=chosen.spec.scan_type, title=chosen.spec.title, started_at=started, finished_at=_clock_time(context),
        examined=reader.examined, findings=findings, statistics={**reader.by_module, **kinds}, truncated=reader.truncated,
    )  # fmt: skip


def _detail(context: ToolContext, report: ScanReport) -> dict[str, Any]:
    before = latest_completed(context, report.scan_type)
    return {
        "scan_type": report.scan_type,
        "examined": report.examined,
        "findings": len(report.findings),
        "new_findings": newly_found(report.findings, before),
        "truncated": report.truncated,
        "statistics": report.statistics,
        "top_findings": references(report.findings[:MOST_REFERENCES]),
    }


def _write(context: ToolContext, title: str, detail: dict[str, Any], level: Literal["info", "error"] = "info") -> None:
    event = Event(kind=EVENT_KIND, title=title, detail=detail, level=level, owner=context.principal.user)
    context.records.write(Create(event))


def _write_failure(context: ToolContext, spec: ScanSpec, error: Exception) -> None:
    """The event of a failure. What broke the run may break this, too; then the first error is the one to tell."""
    known = error if isinstance(error, AishaError) else AishaError("The scan broke off")
    detail = {"scan_type": spec.scan_type, "error": known.code, "message": known.message}
    try:
        _write(context, spec.failure_title, detail, "error")
    except AishaError as unwritten:
        context.log(f"{spec.failure_title} could not be noted: {unwritten.message}")
