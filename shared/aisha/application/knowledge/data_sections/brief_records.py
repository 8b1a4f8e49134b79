"""Records as the sections show them: short, with the ids that tools want."""

from collections import Counter
from typing import Any

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.visibility import may_see, readable_page
from aisha.domain.queries import Condition, RecordPage, RecordQuery
from aisha.domain.records import OPEN_STAGES, Goal, Opportunity

MOST = 25
"""Records of one kind in a section."""


def found(context: ToolContext, entity_type: str, *where: Condition, due: bool = False, most: int = MOST) -> RecordPage:
    """The first `most` records that the user may see; none of a closed module."""
    if not may_see(context.principal, entity_type):
        return RecordPage([], 0)
    query = RecordQuery(entity_type, where=where, order="due" if due else None, limit=most)
    return readable_page(context.principal, context.records, query)


def goal(record: Goal) -> dict[str, Any]:
    """A goal with its key results."""
    return {
        "id": record.id,
        "title": record.title,
        "period": record.period,
        "status": record.status,
        "progress": record.progress,
        "key_results": [
            {"title": one.title, "target": one.target, "current": one.current} for one in record.key_results
        ],
    }


def pipeline(context: ToolContext, owner: str | None = None) -> dict[str, Any]:
    """Open deals by stage, counted exactly, and those that close first; of this owner, None for everybody's."""
    if not may_see(context.principal, Opportunity.TYPE):
        return {"open_deals": 0, "by_stage": {}, "deals": []}
    by_stage = Counter[str]()
    for row in context.records.counts(Opportunity.TYPE):
        if row.status in OPEN_STAGES and owner in (None, row.owner):
            by_stage[row.status] += row.count
    where = [Condition("stage", "in", OPEN_STAGES)]
    if owner is not None:
        where.append(Condition("owner", "eq", owner))
    page = found(context, Opportunity.TYPE, *where, due=True)
    return {
        "open_deals": by_stage.total(),
        "by_stage": {str(stage): by_stage[stage] for stage in OPEN_STAGES if by_stage[stage]},
        "deals": [_deal(one) for one in page.items if isinstance(one, Opportunity)],
        "is_cut": page.next_cursor is not None,
    }


def _deal(record: Opportunity) -> dict[str, Any]:
    return _told(
        id=record.id, name=record.name, stage=record.stage, amount=record.amount, currency=record.currency,
        probability=record.probability, close_date=record.close_date, next_step=record.next_step, owner=record.owner,
    )  # fmt: skip


def _told(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def goals(page: RecordPage) -> dict[str, Any]:
    """The goals of a page, in its order."""
    return {"goals": [goal(one) for one in page.items if isinstance(one, Goal)], "is_cut": page.next_cursor is not None}
