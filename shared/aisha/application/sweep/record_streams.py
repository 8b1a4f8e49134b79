"""What a sweep walks over: lists of open records, all contacts and accounts, and the scans that look at each."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from aisha.application.scans.selection import OPEN_DEALS, OPEN_GOALS, OPEN_LEADS, TROUBLED_ACCOUNTS
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.visibility import readable_page
from aisha.domain.queries import MAX_PAGE, Condition, RecordQuery
from aisha.domain.records import Account, Activity, ActivityStatus, Contact, Goal, Lead, Opportunity, Record


class Lane(Struct, frozen=True):
    """Records of one type, and the types of scan that look at them: special ones first, so that they word a finding."""

    kind: type[Record]
    scan_types: tuple[str, ...]


LANES: dict[str, Lane] = {
    "deals": Lane(Opportunity, ("deals_at_risk", "next_steps", "data_quality")),
    "leads": Lane(Lead, ("stale_leads", "next_steps", "data_quality")),
    "activities": Lane(Activity, ("overdue_activities",)),
    "accounts": Lane(Account, ("next_steps",)),
    "all_accounts": Lane(Account, ("data_quality",)),
    "contacts": Lane(Contact, ("data_quality",)),
    "goals": Lane(Goal, ("goal_progress",)),
}
SCAN_TYPES = tuple(dict.fromkeys(scan_type for lane in LANES.values() for scan_type in lane.scan_types))


def read_page(
    lane: str, context: ToolContext, started: datetime, cursor: str | None, most: int
) -> tuple[list[Record], str | None]:
    """The next `most` records of a lane and where it goes on; None at its end."""
    found: list[Record] = []
    kind, where = LANES[lane].kind.TYPE, _where(lane, started)
    while len(found) < most:
        limit = min(MAX_PAGE, most - len(found))
        query = RecordQuery(kind, where=tuple(where), limit=limit, cursor=cursor)
        page = readable_page(context.principal, context.records, query)
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            break
    return found, cursor


def _where(lane: str, started: datetime) -> Sequence[Condition]:
    if lane == "activities":
        # The bound is that of the sweep's start: a cursor belongs to one list.
        return Condition("status", "eq", ActivityStatus.SCHEDULED), Condition("due_at", "lt", started)
    open_ones = {"deals": OPEN_DEALS, "leads": OPEN_LEADS, "accounts": TROUBLED_ACCOUNTS, "goals": OPEN_GOALS}
    return (open_ones[lane],) if lane in open_ones else ()
