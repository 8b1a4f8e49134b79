"""Advice: what to do next about one record, or in the user's whole pipeline."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, Field

from aisha.application.next_steps import (
    CLOSING_DAYS,
    SILENT_DAYS,
    NextStep,
    Priority,
    Situation,
    asks_for_something,
    late,
    next_steps,
)
from aisha.application.tooling import ToolContext, tool, toolkit
from aisha.application.tooling.results import EntityRef
from aisha.application.tooling.visibility import linked, reachable, readable_notes
from aisha.domain.errors import MissingFieldError
from aisha.domain.queries import Condition, RecordQuery
from aisha.domain.records import (
    OPEN_STAGES,
    RECORD_TYPES,
    Activity,
    ActivityStatus,
    LeadStatus,
    Note,
    Opportunity,
    Record,
    SubjectType,
)
from aisha.domain.tools import FollowUp

SubjectId = Annotated[str, Field(min_length=1, max_length=60)]
MOST_CANDIDATES = 6
"""Records of a pipeline that are looked at closely, so that advice costs the same however large it is."""
NOTES_READ = 10
ACTIVITIES_READ = 20
_ACTIVE_LEADS = (LeadStatus.NEW, LeadStatus.CONTACTED, LeadStatus.WARM, LeadStatus.QUALIFIED)
_TOOL_MODULES = {
    "create_activity": "activities", "complete_activity": "activities", "get_activity": "activities",
    "create_note": "notes", "update_opportunity": "opportunities", "update_lead": "leads", "update_contact": "contacts",
    "update_account": "accounts", "get_contact": "contacts",
}  # fmt: skip


class NextAction(BaseModel):
    """One thing to do. `score` is 1 to 10; `tool` and `arguments` are the call that does it, if the user may."""

    action: str
    reasoning: str
    priority: Priority
    score: int
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    entity: EntityRef | None = None


class NextActions(BaseModel):
    """Up to three suggestions, the most pressing first. `entity` is the record they are about, if one was asked for."""

    suggestions: list[NextAction]
    entity: EntityRef | None = None


@toolkit(name="intelligence", description="Advice from what the records say.")
class NextActionAdvice:
    @tool(
        always=True,
        guidance="Whenever the user asks for next steps, in any words, call suggest_next_actions: with the record that "
        "is being talked about, or without one for the whole pipeline. Answer with a numbered list of its suggestions, "
        "each action and priority in bold.",
        examples=(
            "what should I do next",
            "what should I do next with {name}",
            "what are my next steps",
            "any suggestions for {name}",
            "how should I proceed with {name}",
            "what do you recommend",
            "what now",
        ),
        typical_followups=(
            FollowUp("Create the follow-up activity now", "📅", "create_activity"),
            FollowUp("Add a note about {name}", "📝", "create_note"),
            FollowUp("Show {name}'s full history", "🕘", "list_activities"),
            FollowUp("What should I prioritize today?", "📋", "get_my_day"),
        ),
    )
    def suggest_next_actions(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType | None, "Type of the record; without one, the user's whole pipeline"] = None,
        entity_id: Annotated[SubjectId | None, "Id of that record"] = None,
    ) -> NextActions:
        """Suggest two or three next steps with their reasons and priority, for one record or the user's pipeline.

        Looks at notes, activities, last contact, stage and closing day. Each suggestion names the tool that does it.
        """
        if entity_type is None and entity_id is None:
            return NextActions(suggestions=[_shown(context, step) for step in _pipeline_steps(context)])
        kind = entity_type or _type_of(entity_id or "")
        if entity_id is None or kind is None:
            missing = "entity_id" if entity_id is None else "entity_type"
            raise MissingFieldError(missing, suggestion="Name a record by type and id, or none for the whole pipeline.")
        record = linked(context, kind, entity_id)
        suggestions = [_shown(context, step) for step in next_steps([_situation(context, record)])]
        return NextActions(suggestions=suggestions, entity=_ref(record))


def _type_of(entity_id: str) -> str | None:
    kind = entity_id.partition("_")[0]
    return kind if kind in ("lead", "contact", "account", "opportunity") else None


def _ref(record: Record) -> EntityRef:
    return EntityRef(type=record.entity_type, id=record.id, name=record.display_name)


def _shown(context: ToolContext, step: NextStep) -> NextAction:
    may_run = step.tool is not None and context.principal.may_use(_TOOL_MODULES.get(step.tool))
    return NextAction(
        action=step.action, reasoning=step.reasoning, priority=step.priority, score=step.score,
        tool=step.tool if may_run else None, arguments=dict(step.arguments) if may_run else None,
        entity=_ref(step.record),
    )  # fmt: skip


# -- one record ----------------------------------------------------------------------------------------------------------


def _situation(context: ToolContext, record: Record) -> Situation:
    about = Condition("related.id", "eq", record.id)
    return Situation(record, context.now, _notes(context, about), _activities(context, about), _deals(context, record))


def _may_see(context: ToolContext, record_type: type[Record]) -> bool:
    return context.principal.may_use(record_type.MODULE)


def _search(
    context: ToolContext, kind: str, limit: int, *where: Condition, order: Literal["due", "newest"] | None = None
) -> list[Record]:
    return context.records.search(RecordQuery(kind, where=where, order=order, limit=limit)).items


def _notes(context: ToolContext, *where: Condition) -> list[Note]:
    """The newest notes, without other users' private ones."""
    if not _may_see(context, Note):
        return []
    return cast(list[Note], readable_notes(context, RecordQuery("note", where=where, limit=NOTES_READ)).items)


def _activities(context: ToolContext, about: Condition) -> list[Activity] | None:
    """The newest, and whatever is planned should these not be all."""
    if not _may_see(context, Activity):
        return None
    page = context.records.search(RecordQuery("activity", where=(about,), order="newest", limit=ACTIVITIES_READ))
    found = {record.id: record for record in page.items}
    if page.next_cursor is not None:
        planned = Condition("status", "eq", ActivityStatus.SCHEDULED)
        found |= {record.id: record for record in _search(context, "activity", ACTIVITIES_READ, about, planned)}
    return cast(list[Activity], list(found.values()))


def _deals(context: ToolContext, record: Record) -> list[Opportunity]:
    """The open deals of an account or a contact, those that close first."""
    if record.TYPE not in ("account", "contact") or not _may_see(context, Opportunity):
        return []
    about = Condition(f"{record.TYPE}_id", "eq", record.id)
    open_only = Condition("stage", "in", list(OPEN_STAGES))
    return cast(list[Opportunity], _search(context, "opportunity", MOST_CANDIDATES, about, open_only, order="due"))


# -- the whole pipeline --------------------------------------------------------------------------------------------------


def _pipeline_steps(context: ToolContext) -> list[NextStep]:
    """The most pressing steps over the caller's own records, by a bounded number of searches."""
    overdue = [late(activity, context.now) for activity in _overdue(context)]
    candidates = islice(_candidates(context), MOST_CANDIDATES)
    return next_steps((_situation(context, record) for record in candidates), overdue)


def _mine(context: ToolContext) -> Condition:
    return Condition("owner", "eq", context.principal.user)


def _overdue(context: ToolContext) -> list[Activity]:
    if not _may_see(context, Activity):
        return []
    is_open = Condition("status", "eq", ActivityStatus.SCHEDULED)
    is_late = Condition("due_at", "lt", context.now)
    found = _search(context, "activity", MOST_CANDIDATES, _mine(context), is_open, is_late, *reachable(context))
    return cast(list[Activity], found)


def _candidates(context: ToolContext) -> Iterator[Record]:
    """The records that something is likely to be due for, the most pressing kind first, each once."""
    seen: set[str] = set()
    for group in (_closing_deals, _warm_leads, _noted, _silent_leads, _deals_adrift, _new_leads):
        for record in group(context):
            if record.id not in seen:
                seen.add(record.id)
                yield record


def _closing_deals(context: ToolContext) -> list[Record]:
    if not _may_see(context, Opportunity):
        return []
    last = context.now.date() + timedelta(days=CLOSING_DAYS)
    return _search(
        context, "opportunity", 2, _mine(context), Condition("stage", "in", list(OPEN_STAGES)),
        Condition("close_date", "gte", context.now.date()), Condition("close_date", "lte", last), order="due",
    )  # fmt: skip


def _warm_leads(context: ToolContext) -> list[Record]:
    if not _may_see(context, RECORD_TYPES["lead"]):
        return []
    return _search(context, "lead", 3, _mine(context), Condition("status", "eq", LeadStatus.WARM))


def _silent_leads(context: ToolContext) -> list[Record]:
    if not _may_see(context, RECORD_TYPES["lead"]):
        return []
    before = context.now - timedelta(days=SILENT_DAYS)
    active = Condition("status", "in", list(_ACTIVE_LEADS))
    return _search(context, "lead", 2, _mine(context), active, Condition("last_contacted_at", "lt", before))


def _new_leads(context: ToolContext) -> list[Record]:
    if not _may_see(context, RECORD_TYPES["lead"]):
        return []
    return _search(context, "lead", 2, _mine(context), Condition("status", "eq", LeadStatus.NEW), order="newest")


def _deals_adrift(context: ToolContext) -> list[Record]:
    """Open deals without a next step, among the largest."""
    if not _may_see(context, Opportunity):
        return []
    found = _search(context, "opportunity", 10, _mine(context), Condition("stage", "in", list(OPEN_STAGES)))
    return [deal for deal in found if not getattr(deal, "next_step", None)][:2]


def _noted(context: ToolContext) -> list[Record]:
    """Records whose latest notes by the user ask for something."""
    notes = [note for note in _notes(context, _mine(context), *reachable(context)) if asks_for_something(note)]
    pairs = list(dict.fromkeys((note.related.type, note.related.id) for note in notes))[:2]
    return list(context.records.get_many(pairs).values()) if pairs else []
