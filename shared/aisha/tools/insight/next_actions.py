"""The tool that suggests next steps for one record or for the user's whole pipeline."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Annotated, Any, Literal

from aisha.application.memory.evidence import Experience
from aisha.application.next_steps import (
    CLOSING_DAYS,
    MAX_SCORE,
    SILENT_DAYS,
    Group,
    NextStep,
    Priority,
    Situation,
    asks_for_something,
    late,
    next_steps,
)
from aisha.application.records import crud
from aisha.application.records.related_records import activities_about, newest_notes, notes_about
from aisha.application.tooling import ToolContext, tool, toolkit
from aisha.application.tooling.arguments.parameters import RecordId
from aisha.application.tooling.gate.visibility import readable
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.enumerations import ActivityStatus, LeadStatus
from aisha.domain.crm.queries import MAX_PAGE, Condition
from aisha.domain.crm.records import SUBJECT_TYPES, Activity, Lead, Opportunity, Record, SubjectType
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import MissingFieldError
from aisha.domain.tools import FollowUp

MAX_CANDIDATES = 6
"""Records of a pipeline that are examined closely, which bounds the cost for any size of pipeline."""
_TOOL_MODULES = {
    "create_activity": "activities",
    "complete_activity": "activities",
    "get_activity": "activities",
    "create_note": "notes",
    "update_opportunity": "opportunities",
    "update_lead": "leads",
    "update_contact": "contacts",
    "update_account": "accounts",
    "get_contact": "contacts",
}
"""The module that each suggested tool needs."""


class NextAction(DeferredModel):
    """A suggested step. `score` is 1 to 10; `tool` and `arguments` are the call that does it, if permitted."""

    action: str
    reasoning: str
    priority: Priority
    score: int
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    entity: EntityRef | None = None


class NextActions(DeferredModel):
    """Up to three suggestions, the most urgent first. `entity` is the record that they are about, if one was named.

    `similar_cases` says in how many similar cases of the organisation users did what, and how these ended. `note` is
    set when something was left out, e.g. because the memory did not answer: tell the user.
    """

    suggestions: list[NextAction]
    entity: EntityRef | None = None
    similar_cases: str | None = None
    note: str | None = None


@toolkit(name="intelligence", description="Advice from what the records say.")
class NextActionAdvice:
    @tool(
        always=True,
        guidance="End an answer from suggest_next_actions with its similar_cases, if there are any.",
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
            FollowUp("Draft the email recap for {name}", "✉️", "draft_email"),
            FollowUp("Schedule a meeting with {name}", "🤝", "create_activity"),
            FollowUp("Show {name}'s full history", "🕘", "summarize_record"),
        ),
    )
    def suggest_next_actions(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType | None, "Type of the record; without one, the user's whole pipeline"] = None,
        entity_id: Annotated[RecordId | None, "Id of the entity"] = None,
    ) -> NextActions:
        """Suggest next actions: two or three for a record or the user's pipeline, with reasons and priority.

        Considers notes, activities, last contact, stage and closing day, and what worked in similar cases. Each
        suggestion names the tool that does it.
        """
        # Without a record it is about the user's own pipeline.
        if entity_type is None and entity_id is None:
            experience = Experience(context)
            suggestions = [_to_action(context, step) for step in _pipeline_steps(context, experience)]
            return NextActions(suggestions=suggestions, similar_cases=_similar(experience), note=experience.note)
        kind = entity_type or _type_of(entity_id or "")
        if entity_id is None or kind is None:
            missing = "entity_id" if entity_id is None else "entity_type"
            raise MissingFieldError(missing, suggestion="Name a record by type and id, or none for the whole pipeline.")
        record = readable(context.principal, context.records, kind, entity_id)
        experience = Experience(context, (record,))
        # A single record is a pipeline of one group.
        steps = next_steps([(MAX_SCORE, [_situation(context, record)])], judge=experience.judge)
        suggestions = [_to_action(context, step) for step in steps]
        return NextActions(
            suggestions=suggestions,
            entity=EntityRef.of(record),
            similar_cases=_similar(experience),
            note=experience.note,
        )


def _similar(experience: Experience) -> str | None:
    cases = experience.similar_cases
    return cases.sentence() if cases.matches else None


def _type_of(entity_id: str) -> str | None:
    kind = entity_id.partition("_")[0]
    return kind if kind in SUBJECT_TYPES else None


def _to_action(context: ToolContext, step: NextStep) -> NextAction:
    # A step that this user may not take is still named: a colleague may.
    may_run = step.tool is not None and context.principal.may_use(_TOOL_MODULES.get(step.tool))
    call = {} if may_run else {"tool": None, "arguments": None}
    return NextAction.from_attributes(step, entity=EntityRef.of(step.record), **call)


def _situation(context: ToolContext, record: Record) -> Situation:
    return Situation(
        record,
        context.now,
        notes_about(context, record),
        activities_about(context, record),
        _open_deals(context, record),
    )


def _search[R: Record](
    context: ToolContext, record_type: type[R], limit: int, *where: Condition, order: Literal["due"] | None = None
) -> list[R]:
    """Return up to `limit` records; none for a user without their module."""
    page = crud.search_permitted(context, record_type, *where, limit=limit, order=order)
    return page.items if page else []


def _open_deals(context: ToolContext, record: Record) -> list[Opportunity]:
    """Return the open deals of an account or a contact that close first; none for other records."""
    if record.TYPE not in ("account", "contact"):
        return []
    about = Condition(f"{record.TYPE}_id", "eq", record.id)
    return _search(context, Opportunity, MAX_CANDIDATES, about, crud.IS_OPEN_DEAL, order="due")


def _pipeline_steps(context: ToolContext, experience: Experience) -> list[NextStep]:
    """Return the most urgent steps for the caller's own records, by a bounded number of searches."""
    # Overdue activities are steps by themselves, whatever else is found.
    overdue = [late(activity, context.now) for activity in _overdue_activities(context)]
    return next_steps(_groups(context), overdue, experience.judge)


def _groups(context: ToolContext) -> Iterator[Group]:
    """Yield groups of records, each with the score of the steps that they probably need, the highest first.

    A group is searched for when it is iterated, so that the caller can stop early.
    """
    seen: set[str] = set()
    # The score is that of the rule which such records probably match; small searches leave room for all groups.
    finders: tuple[tuple[int, Callable[[ToolContext], Sequence[Record]]], ...] = (
        (MAX_SCORE, _closing_deals),
        (MAX_SCORE, _warm_leads),
        (9, _records_with_requests),
        (7, _silent_leads),
        (7, _deals_without_next_step),
        (6, _new_leads),
    )
    for score, find in finders:
        yield score, _unseen(context, find, seen)


def _unseen(
    context: ToolContext, find: Callable[[ToolContext], Sequence[Record]], seen: set[str]
) -> Iterator[Situation]:
    # Once enough records are found, the search itself is skipped.
    for record in find(context) if len(seen) < MAX_CANDIDATES else ():
        if record.id not in seen and len(seen) < MAX_CANDIDATES:
            seen.add(record.id)
            yield _situation(context, record)


def _is_mine(context: ToolContext) -> Condition:
    return Condition("owner", "eq", context.principal.user)


def _overdue_activities(context: ToolContext) -> list[Activity]:
    is_planned = Condition("status", "eq", ActivityStatus.SCHEDULED)
    is_late = Condition("due_at", "lt", context.now)
    return _search(context, Activity, MAX_CANDIDATES, _is_mine(context), is_planned, is_late)


def _closing_deals(context: ToolContext) -> list[Opportunity]:
    today = context.now.date()
    is_near = crud.between("close_date", today, today + timedelta(days=CLOSING_DAYS))
    return _search(context, Opportunity, 2, _is_mine(context), crud.IS_OPEN_DEAL, *is_near, order="due")


def _warm_leads(context: ToolContext) -> list[Lead]:
    return _search(context, Lead, 3, _is_mine(context), Condition("status", "eq", LeadStatus.WARM))


def _records_with_requests(context: ToolContext) -> list[Record]:
    """Return up to two records whose newest notes by the user ask for something to be done."""
    # Two of them at most: each is read with its notes, activities and deals.
    notes = [note for note in newest_notes(context, _is_mine(context)) if asks_for_something(note)]
    pairs = list(dict.fromkeys((note.related.type, note.related.id) for note in notes))[:2]
    return list(context.records.get_many(pairs).values()) if pairs else []


def _silent_leads(context: ToolContext) -> list[Lead]:
    """Return up to two leads last contacted long ago, among the active ones with the highest scores."""
    before = context.now - timedelta(days=SILENT_DAYS)
    is_active = Condition("status", "in", [LeadStatus.CONTACTED, LeadStatus.QUALIFIED])
    # Filtered here: no index of the store is ordered by the last contact.
    leads = _search(context, Lead, MAX_PAGE, _is_mine(context), is_active)
    return [lead for lead in leads if lead.last_contacted_at and lead.last_contacted_at < before][:2]


def _deals_without_next_step(context: ToolContext) -> list[Opportunity]:
    """Return up to two open deals without a next step, among the largest ten."""
    # Filtered here, as the store has no index of an empty next step.
    deals = _search(context, Opportunity, 10, _is_mine(context), crud.IS_OPEN_DEAL)
    return [deal for deal in deals if not deal.next_step][:2]


def _new_leads(context: ToolContext) -> list[Lead]:
    return _search(context, Lead, 2, _is_mine(context), Condition("status", "eq", LeadStatus.NEW))
