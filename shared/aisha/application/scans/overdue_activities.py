"""The scan for planned activities that are overdue."""

from collections.abc import Iterator

from aisha.application.next_steps import late
from aisha.application.scans.contract import Finding, scan
from aisha.application.scans.judgement import RuleMatch, finding
from aisha.application.scans.reader import ScanReader
from aisha.domain.crm.enumerations import ActivityStatus
from aisha.domain.crm.queries import Condition
from aisha.domain.crm.records import Activity


@scan(
    title="Overdue Activities",
    description="Finds planned calls, emails, meetings, tasks and demos whose time has passed, "
    "the longest overdue first.",
    when="At the start and at the end of a working day.",
    every_hours=12,
    needs=("activity",),
)
def overdue_activities(reader: ScanReader) -> Iterator[Finding]:
    """Yield one finding for each activity, the longest overdue first."""
    is_planned = Condition("status", "eq", ActivityStatus.SCHEDULED)
    is_late = Condition("due_at", "lt", reader.now)
    for activity in reader.iterate(Activity, is_planned, is_late):
        yield finding(reader, RuleMatch("overdue", late(activity, reader.now)))
