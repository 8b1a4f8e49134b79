"""What a scan is, what it finds, and how a function becomes one."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct
from pydantic import Field

from aisha.application.scans.reader import ScanReader
from aisha.application.tooling.results import EntityRef
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.records import EntityType

SCAN_MARK = "__aisha_scan__"
COMPLETED, FAILED = "Completed", "Failed"


class ScanSpec(Struct, frozen=True):
    """Everything about a scan but its code.

    `when` says in words when it is worth running, `every_hours` how long its result holds. `needs` are the types of
    record without which there is nothing to look at.
    """

    scan_type: str
    title: str
    description: str
    when: str
    every_hours: int
    needs: tuple[EntityType, ...] = ()

    @property
    def event_title(self) -> str:
        """The title of the event that a run which succeeds leaves behind: `Stale Leads Scan Completed`."""
        return f"{self.title} Scan {COMPLETED}"

    @property
    def failure_title(self) -> str:
        """The title of the event of a run that failed."""
        return f"{self.title} Scan {FAILED}"


class Finding(DeferredModel):
    """Something that a scan found about one record.

    `kind` is the rule that found it, `priority` 1 to 10 with 9 and more for urgent. `tool` and `arguments` are the call
    that deals with it, where there is one that the user may make. `owner` is the user id of the record's owner.
    """

    kind: str
    entity: EntityRef
    text: str
    priority: int = Field(ge=1, le=10)
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    owner: str | None = None


class ScanReport(DeferredModel):
    """What one run found, the most pressing first.

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
    """Makes a function a scan; its name is the scan's type. See `ScanSpec` for the options.

    The function reads through the `ScanReader` alone and yields findings in any order.
    """

    def mark(function: Analysis) -> Analysis:
        name = getattr(function, "__name__", "")
        spec = ScanSpec(name, title, description, when, every_hours, needs)
        setattr(function, SCAN_MARK, Scan(spec, function))
        return function

    return mark


def references(findings: Iterable[Finding]) -> list[Mapping[str, Any]]:
    """The findings without what a reader's modules could hide: neither names nor words, only which record and why."""
    return [
        {"kind": one.kind, "type": one.entity.type, "id": one.entity.id, "priority": one.priority} for one in findings
    ]
