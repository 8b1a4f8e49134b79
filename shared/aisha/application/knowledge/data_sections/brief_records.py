"""Short forms of records for the sections, with the ids that tools need."""

from collections import Counter
from typing import Any

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.visibility import may_see, readable_page
from aisha.domain.crm.enumerations import OPEN_STAGES
from aisha.domain.crm.queries import Condition, RecordPage, RecordQuery
from aisha.domain.crm.records import Goal, Opportunity
from aisha.domain.json_values import without_none

MAX_RECORDS = 25
"""Records of one type in a section."""
_DEAL_FIELDS = ("id", "name", "stage", "amount", "currency", "probability", "close_date", "next_step", "owner")


def find_records(
    context: ToolContext, entity_type: str, *where: Condition, by_due: bool = False, limit: int = MAX_RECORDS
) -> RecordPage:
    """Return the first records that the user may see; none of a closed module."""
    if not may_see(context.principal, entity_type):
        return RecordPage([], 0)
    query = RecordQuery(entity_type, where=where, order="due" if by_due else None, limit=limit)
    return readable_page(context.principal, context.records, query)


def brief_goals(page: RecordPage) -> dict[str, Any]:
    """Return the goals of a page with their key results."""
    goals = [_brief_goal(goal) for goal in page.items if isinstance(goal, Goal)]
    # Said, so that a model does not take the first 25 for all.
    return {"goals": goals, "is_cut": page.next_cursor is not None}


def _brief_goal(record: Goal) -> dict[str, Any]:
    return {
        "id": record.id,
        "title": record.title,
        "period": record.period,
        "status": record.status,
        "progress": record.progress,
        "key_results": [
            {"title": result.title, "target": result.target, "current": result.current} for result in record.key_results
        ],
    }


def brief_pipeline(context: ToolContext, owner: str | None = None) -> dict[str, Any]:
    """Return exact counts of open deals by stage, and the next to close; with `owner` only theirs."""
    if not may_see(context.principal, Opportunity.TYPE):
        return {"open_deals": 0, "by_stage": {}, "deals": []}
    # The numbers are the store's counters: they are exact even when the list of deals is cut.
    by_stage = Counter[str]()
    for row in context.records.counts(Opportunity.TYPE):
        if row.status in OPEN_STAGES and owner in (None, row.owner):
            by_stage[row.status] += row.count
    where = [Condition("stage", "in", OPEN_STAGES)]
    if owner is not None:
        where.append(Condition("owner", "eq", owner))
    page = find_records(context, Opportunity.TYPE, *where, by_due=True)
    return {
        "open_deals": by_stage.total(),
        "by_stage": {str(stage): by_stage[stage] for stage in OPEN_STAGES if by_stage[stage]},
        "deals": [_brief_deal(deal) for deal in page.items if isinstance(deal, Opportunity)],
        "is_cut": page.next_cursor is not None,
    }


def _brief_deal(deal: Opportunity) -> dict[str, Any]:
    return without_none(**{name: getattr(deal, name) for name in _DEAL_FIELDS})
