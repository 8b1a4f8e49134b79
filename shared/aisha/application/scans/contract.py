"""The contract of scans: their data, their findings and reports, and the decorator that declares one."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from msgspec import Meta, Struct
from pydantic import Field

from aisha.application.scans.reader import ScanReader
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.records import EntityType
from aisha.domain.deferred_model import DeferredModel

SCAN_MARK = "__aisha_scan__"
COMPLETED, FAILED = "Completed", "Failed"
RULES_OF_NOTES = frozenset(("awaiting_callback", "asked_for_email", "left_message"))
"""Rules whose findings quote a note."""


class ScanSpec(Struct, frozen=True):
    """The data of a scan.

    `when` says in words when the scan is worth running, `every_hours` how long its result is valid. `needs` are the
    types of record that it can't do without.
    """

    scan_type: str
    title: str
    description: str
    when: str
    every_hours: Annotated[int, Meta(ge=1)]
    needs: tuple[EntityType, ...] = ()

    @property
    def event_title(self) -> str:
        """The title of the event of a run that succeeded: `Stale Leads Scan Completed`."""
        return f"{self.title} Scan {COMPLETED}"

    @property
    def failure_title(self) -> str:
        """The title of the event of a run that failed."""
        return f"{self.title} Scan {FAILED}"


class Finding(DeferredModel):
    """Something that a scan found about one record.

    `kind` is the rule that found it. `priority` is 1 to 10, urgent from 9. `tool` and `arguments` are the call that
    deals with it, if the user may make one. `owner` is the user id of the record's owner.
    """

    kind: str
    entity: EntityRef
    text: str
    priority: int = Field(ge=1, le=10)
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    owner: str | None = None


Severity = Literal["all", "high", "urgent"]
MIN_PRIORITIES: dict[Severity, int] = {"all": 1, "high": 7, "urgent": 9}


class ScanReport(DeferredModel):
    """The findings of one run, the highest priority first.

    `examined` counts the records read; `truncated` is true when there were more than one run reads. `statistics` counts
    the records read by module (`leads`) and the findings by kind (`silent`).
    """

    scan_type: str
    title: str
    started_at: datetime
    finished_at: datetime
    examined: int
    findings: list[Finding]
    statistics: dict[str, int]
    truncated: bool

    def of_severity(self, severity: Severity) -> Self:
        """Return the report with the findings of this severity and above."""
        least = MIN_PRIORITIES[severity]
        return self.model_copy(update={"findings": [finding for finding in self.findings if finding.priority >= least]})


Analysis = Callable[[ScanReader], Iterable[Finding]]


class Scan(Struct, frozen=True):
    """A scan's data and its code."""

    spec: ScanSpec
    analyse: Analysis


def scan(
    *,
    title: str,
    description: str,
    when: str,
    every_hours: int,
    needs: tuple[EntityType, ...] = (),
) -> Callable[[Analysis], Analysis]:
    """Declare a function as a scan of the type that its name says. See `ScanSpec` for the options.

    The function reads records only through its `ScanReader` and yields findings in any order.
    """

    def mark(function: Analysis) -> Analysis:
        name = getattr(function, "__name__", "")
        spec = ScanSpec(name, title, description, when, every_hours, needs)
        setattr(function, SCAN_MARK, Scan(spec, function))
        return function

    return mark


def references(findings: Iterable[Finding]) -> list[Mapping[str, Any]]:
    """Return kind, record type, record id and priority of each finding.

    Names and texts are left out: whoever reads the scan's event may lack access to the records.
    """
    return [
        {"kind": finding.kind, "type": finding.entity.type, "id": finding.entity.id, "priority": finding.priority}
        for finding in findings
    ]
