"""Records as the sections show them: short, with the ids that tools want."""

from collections.abc import Sequence
from typing import Any

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.visibility import may_see, readable_page
from aisha.domain.queries import MAX_PAGE, Condition, RecordQuery
from aisha.domain.records import Goal, Opportunity, Record

OPEN_STAGES = ("prospecting", "qualification", "proposal", "negotiation")
MOST = 25
"""Records of one kind in a section."""


def found(context: ToolContext, entity_type: str, *where: Condition, due: bool = False) -> list[Record]:
    """At most `MOST` records that the user may see; none of a closed module."""
    if not may_see(context.principal, entity_type):
        return []
    query = RecordQuery(entity_type, where=where, order="due" if due else None, limit=min(MOST, MAX_PAGE))
    return readable_page(context.principal, context.records, query).items


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


def pipeline(context: ToolContext, *where: Condition) -> dict[str, Any]:
    """Open deals by stage and the next to close, for whoever `where` says."""
    deals = [
        one
        for one in found(context, "opportunity", Condition("stage", "in", OPEN_STAGES), *where, due=True)
        if isinstance(one, Opportunity)
    ]
    by_stage = {
        stage: sum(1 for one in deals if one.stage == stage)
        for stage in OPEN_STAGES
        if any(one.stage == stage for one in deals)
    }
    return {
        "open_deals": len(deals),
        "is_cut": len(deals) == MOST,
        "by_stage": by_stage,
        "deals": list(map(_deal, deals)),
    }


def _deal(record: Opportunity) -> dict[str, Any]:
    return _told(
        id=record.id, name=record.name, stage=record.stage, amount=record.amount, currency=record.currency,
        probability=record.probability, close_date=record.close_date, next_step=record.next_step, owner=record.owner,
    )  # fmt: skip


def _told(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def goals(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Those that are goals, in their order."""
    return [goal(one) for one in records if isinstance(one, Goal)]
