"""Advice: what to do next about one record, or in the user's whole pipeline."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Annotated, Any, Literal, cast

from pydantic import Field

from aisha.application.memory.evidence import Experience
from aisha.application.next_steps import (
    CLOSING_DAYS,
    HIGHEST,
    SILENT_DAYS,
    Group,
    NextStep,
    Priority,
    Situation,
    asks_for_something,
    late,
    next_steps,
)
from aisha.application.records.related_records import activities_about, newest_notes, notes_about
from aisha.application.tooling import ToolContext, tool, toolkit
from aisha.application.tooling.results import EntityRef
from aisha.application.tooling.visibility import may_see, reachable, readable
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import MissingFieldError
from aisha.domain.queries import MAX_PAGE, Condition, RecordQuery
from aisha.domain.records import (
    OPEN_STAGES,
    SUBJECT_TYPES,
    Activity,
    ActivityStatus,
    Lead,
    LeadStatus,
    Opportunity,
    Record,
    SubjectType,
)
from aisha.domain.tools import FollowUp

SubjectId = Annotated[str, Field(min_length=1, max_length=60)]
MOST_CANDIDATES = 6
"""Records of a pipeline that are looked at closely, so that advice costs the same however large it is."""
_IS_OPEN = Condition("stage", "in", list(OPEN_STAGES))
_TOOL_MODULES = {
    "create_activity": "activities", "complete_activity": "activities", "get_activity": "activities",
    "create_note": "notes", "update_opportunity": "opportunities", "update_lead": "leads", "update_contact": "contacts",
    "update_account": "accounts", "get_contact": "contacts",
}  # fmt: skip


class NextAction(DeferredModel):
    """One thing to do. `score` is 1 to 10; `tool` and `arguments` are the call that does it, if the user may."""

    action: str
    reasoning: str
    priority: Priority
    score: int
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    entity: EntityRef | None = None


class NextActions(DeferredModel):
    """Up to three suggestions, the most pressing first. `entity` is the record they are about, if one was asked for.

    `note` is there when something was left out, e.g. because memory did not answer: tell the user.
    """

    suggestions: list[NextAction]
    entity: EntityRef | None = None
    note: str | None = None


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

        Looks at notes, activities, last contact, stage and closing day, and at what worked in similar cases. Each suggestion
        names the tool that does it.
        """
        if entity_type is None and entity_id is None:
            experience = Experience(context)
            pressing = [_shown(context, step) for step in _pipeline_steps(context, experience)]
            return NextActions(suggestions=pressing, note=experience.note)
        kind = entity_type or _type_of(entity_id or "")
        if entity_id is None or kind is None:
            missing = "entity_id" if entity_id is None else "entity_type"
            raise MissingFieldError(missing, suggestion="Name a record by type and id, or none for the whole pipeline.")
        record = readable(context.principal, context.records, kind, entity_id)
        experience = Experience(context, (record,))
        steps = next_steps([(HIGHEST, [_situation(context, record)])], judge=experience.judge)
        suggestions = [_shown(context, step) for step in steps]
        return NextActions(suggestions=suggestions, entity=_ref(record), note=experience.note)


def _type_of(entity_id: str) -> str | None:
    kind = entity_id.partition("_")[0]
    return kind if kind in SUBJECT_TYPES else None


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
    return Situation(
        record, context.now, notes_about(context, record), activities_about(context, record), _deals(context, record)
    )


def _search(
    context: ToolContext, kind: str, limit: int, *where: Condition, order: Literal["due"] | None = None
) -> list[Record]:
    """Nothing where the module is closed."""
    if not may_see(context.principal, kind):
        return []
    return context.records.search(RecordQuery(kind, where=where, order=order, limit=limit)).items


def _deals(context: ToolContext, record: Record) -> list[Opportunity]:
    """The open deals of an account or a contact, those that close first."""
    if record.TYPE not in ("account", "contact"):
        return []
    about = Condition(f"{record.TYPE}_id", "eq", record.id)
    return cast(list[Opportunity], _search(context, "opportunity", MOST_CANDIDATES, about, _IS_OPEN, order="due"))


# -- the whole pipeline --------------------------------------------------------------------------------------------------


def _pipeline_steps(context: ToolContext, experience: Experience) -> list[NextStep]:
    """The most pressing steps over the caller's own records, by a bounded number of searches."""
    overdue = [late(activity, context.now) for activity in _overdue(context)]
    return next_steps(_groups(context), overdue, experience.judge)


def _groups(context: ToolContext) -> Iterator[Group]:
    """The records that something is likely to be due for, with the score of that; searched for only when asked for."""
    seen: set[str] = set()
    finders: tuple[tuple[int, Callable[[ToolContext], Sequence[Record]]], ...] = (
        (HIGHEST, _closing_deals), (HIGHEST, _warm_leads), (9, _noted), (7, _silent_leads), (7, _deals_adrift),
        (6, _new_leads),
    )  # fmt: skip
    for score, find in finders:
        yield score, _unseen(context, find, seen)


def _unseen(
    context: ToolContext, find: Callable[[ToolContext], Sequence[Record]], seen: set[str]
) -> Iterator[Situation]:
    for record in find(context) if len(seen) < MOST_CANDIDATES else ():
        if record.id not in seen and len(seen) < MOST_CANDIDATES:
            seen.add(record.id)
            yield _situation(context, record)


def _mine(context: ToolContext) -> Condition:
    return Condition("owner", "eq", context.principal.user)


def _overdue(context: ToolContext) -> list[Activity]:
    is_planned = Condition("status", "eq", ActivityStatus.SCHEDULED)
    is_late = Condition("due_at", "lt", context.now)
    opened = reachable(context.principal)
    found = _search(context, "activity", MOST_CANDIDATES, _mine(context), is_planned, is_late, *opened)
    return cast(list[Activity], found)


def _closing_deals(context: ToolContext) -> list[Record]:
    first = context.now.date()
    days = (
        Condition("close_date", "gte", first), Condition("close_date", "lte", first + timedelta(days=CLOSING_DAYS))
    )  # fmt: skip
    return _search(context, "opportunity", 2, _mine(context), _IS_OPEN, *days, order="due")


def _warm_leads(context: ToolContext) -> list[Record]:
    return _search(context, "lead", 3, _mine(context), Condition("status", "eq", LeadStatus.WARM))


def _noted(context: ToolContext) -> list[Record]:
    """Records whose latest notes by the user ask for something."""
    notes = [note for note in newest_notes(context, _mine(context)) if asks_for_something(note)]
    pairs = list(dict.fromkeys((note.related.type, note.related.id) for note in notes))[:2]
    return list(context.records.get_many(pairs).values()) if pairs else []


def _silent_leads(context: ToolContext) -> Sequence[Record]:
    """Leads not heard of for long, among those of the highest scores."""
    before = context.now - timedelta(days=SILENT_DAYS)
    active = Condition("status", "in", [LeadStatus.CONTACTED, LeadStatus.QUALIFIED])
    leads = _search(context, "lead", MAX_PAGE, _mine(context), active)
    return [
        lead for lead in leads if isinstance(lead, Lead) and lead.last_contacted_at and lead.last_contacted_at < before
    ][:2]


def _deals_adrift(context: ToolContext) -> Sequence[Record]:
    """Open deals without a next step, among the largest."""
    deals = _search(context, "opportunity", 10, _mine(context), _IS_OPEN)
    return [deal for deal in deals if isinstance(deal, Opportunity) and not deal.next_step][:2]


def _new_leads(context: ToolContext) -> list[Record]:
    return _search(context, "lead", 2, _mine(context), Condition("status", "eq", LeadStatus.NEW))
