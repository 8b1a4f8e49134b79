"""The record streams of a sweep: lists of open records, all accounts and all contacts, and the scans of each."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from aisha.application.scans.selection import OPEN_DEALS, OPEN_GOALS, OPEN_LEADS, TROUBLED_ACCOUNTS
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.visibility import readable_page
from aisha.domain.crm.enumerations import ActivityStatus
from aisha.domain.crm.queries import MAX_LIMIT, Condition, RecordQuery
from aisha.domain.crm.records import Account, Activity, Contact, Goal, Lead, Opportunity, Record


class RecordStream(Struct, frozen=True):
    """Records of one type and the types of scan that examine them.

    Specific scans precede general ones: the first scan that makes a finding words its suggestion.
    """

    kind: type[Record]
    scan_types: tuple[str, ...]


STREAMS: dict[str, RecordStream] = {
    "deals": RecordStream(Opportunity, ("deals_at_risk", "next_steps", "data_quality")),
    "leads": RecordStream(Lead, ("stale_leads", "next_steps", "data_quality")),
    "activities": RecordStream(Activity, ("overdue_activities",)),
    # Those in trouble, see `_where`; `all_accounts` has every one.
    "accounts": RecordStream(Account, ("next_steps",)),
    "all_accounts": RecordStream(Account, ("data_quality",)),
    "contacts": RecordStream(Contact, ("data_quality",)),
    "goals": RecordStream(Goal, ("goal_progress",)),
}
SCAN_TYPES = tuple(dict.fromkeys(scan_type for stream in STREAMS.values() for scan_type in stream.scan_types))


def read_page(
    stream: str, context: ToolContext, started_at: datetime, cursor: str | None, max_records: int
) -> tuple[list[Record], str | None]:
    """Return the next records of a stream and the cursor of the page after them, None at the end."""
    records: list[Record] = []
    kind, where = STREAMS[stream].kind.TYPE, _where(stream, started_at)
    while len(records) < max_records:
        limit = min(MAX_LIMIT, max_records - len(records))
        query = RecordQuery(kind, where=tuple(where), limit=limit, cursor=cursor)
        page = readable_page(context.principal, context.records, query)
        records += page.items
        cursor = page.next_cursor
        if cursor is None:
            break
    return records, cursor


def _where(stream: str, started_at: datetime) -> Sequence[Condition]:
    if stream == "activities":
        # A cursor is valid for one list only, so every page is bounded by the time at which the sweep started.
        return Condition("status", "eq", ActivityStatus.SCHEDULED), Condition("due_at", "lt", started_at)
    conditions = {"deals": OPEN_DEALS, "leads": OPEN_LEADS, "accounts": TROUBLED_ACCOUNTS, "goals": OPEN_GOALS}
    return (conditions[stream],) if stream in conditions else ()
