"""Planned activities that nobody has done in time."""

from collections.abc import Iterator

from aisha.application.next_steps import late
from aisha.application.scans.contract import Finding, scan
from aisha.application.scans.judgement import Judged, finding
from aisha.application.scans.reader import ScanReader
from aisha.domain.queries import Condition
from aisha.domain.records import Activity, ActivityStatus


@scan(
    title="Overdue Activities",
    description="Finds planned calls, emails, meetings, tasks and demos whose time has passed, the longest overdue first.",
    when="At the start and at the end of a working day.",
    every_hours=12,
    needs=("activity",),
)
def overdue_activities(reader: ScanReader) -> Iterator[Finding]:
    """One finding an activity, in the order in which they were due."""
    is_planned = Condition("status", "eq", ActivityStatus.SCHEDULED)
    is_late = Condition("due_at", "lt", reader.now)
    for activity in reader.walk(Activity, is_planned, is_late):
        yield finding(reader, Judged("overdue", late(activity, reader.now)))
