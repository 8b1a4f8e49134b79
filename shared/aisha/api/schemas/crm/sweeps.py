"""Schemas of the sweep's state."""

from datetime import datetime
from typing import Literal

from aisha.api.schemas.camel_model import CamelModel
from aisha.application.sweep.state import SweepState


class SweepScanJson(CamelModel):
    """The findings of one type of scan so far. `failedPages` could not be examined."""

    scan_type: str
    findings: int
    new_findings: int
    failed_pages: int


class SweepJobJson(CamelModel):
    """A job that is still open: one page of records, or the suggestions of a group of users."""

    name: str
    status: Literal["waiting", "running"]


class SweepJson(CamelModel):
    """The last sweep. `never` if none ran yet, `stalled` if it has not ended within six hours."""

    is_enrolled: bool
    status: Literal["never", "scanning", "settling", "done", "stalled"]
    id: str | None = None
    started_at: datetime | None = None
    records_examined: int = 0
    pages: int = 0
    superseded_suggestions: int = 0
    truncated: bool = False
    scans: list[SweepScanJson]
    jobs: list[SweepJobJson]


def sweep_json(state: SweepState | None, *, is_enrolled: bool, now: datetime) -> SweepJson:
    """Return the state of the last sweep; None if none ran."""
    if state is None:
        return SweepJson(is_enrolled=is_enrolled, status="never", scans=[], jobs=[])
    return SweepJson(
        is_enrolled=is_enrolled,
        # A worker that was killed leaves no trace: a sweep has stalled when it takes too long.
        status="stalled" if state.is_stalled(now) else state.phase,
        id=state.sweep,
        started_at=state.started_at,
        records_examined=state.examined,
        pages=state.pages,
        superseded_suggestions=state.superseded,
        truncated=state.truncated,
        scans=[SweepScanJson.from_attributes(totals, scan_type=name) for name, totals in state.totals.items()],
        jobs=[
            SweepJobJson(name=key, status="running" if partition.started_by else "waiting")
            for key, partition in state.open.items()
        ],
    )
