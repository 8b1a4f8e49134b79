"""Tools that count the pipeline exactly, show what is due today, and report where the work stands."""

from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal

from pydantic import Field

from aisha.application.records import crud
from aisha.application.records.status_counts import ALL_STATUSES, CountedType, Section, count_section, countable_types
from aisha.application.scans.contract import Analysis, Finding
from aisha.application.scans.deals_at_risk import deals_at_risk
from aisha.application.scans.goal_progress import current_progress, goal_progress
from aisha.application.scans.overdue_activities import overdue_activities
from aisha.application.scans.reader import ScanReader
from aisha.application.scans.selection import OPEN_GOALS
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Owner, owner_id
from aisha.application.tooling.arguments.periods import PeriodWord, period_of
from aisha.application.tooling.gate.visibility import may_see, require_module
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.enumerations import AccountType, ActivityStatus, GoalStatus, LeadStatus
from aisha.domain.crm.queries import Condition
from aisha.domain.crm.records import Activity, Goal, Lead, Opportunity, Percent, Record
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.tools import FollowUp

CLOSING_DAYS = 7
"""Days within which a deal counts as closing soon (C-A6)."""
MAX_OF_LIST = 10
"""Records in each list of `get_my_day`."""
HOT = (LeadStatus.WARM, LeadStatus.QUALIFIED)
CONCERNS: tuple[Analysis, ...] = (deals_at_risk, overdue_activities, goal_progress)
"""The scans whose findings a status report names."""
MAX_CONCERNS, MAX_OF_SCAN = 5, 2
"""Findings of a status report in all, and those of one scan."""
MAX_READ = 200
"""Records that a status report reads for each scan."""


class PipelineSummary(DeferredModel):
    """A section for each counted type that the user may see. `first` and `last` are the days counted, if limited."""

    first: date | None = None
    last: date | None = None
    sections: list[Section]


class MyDay(DeferredModel):
    """Activities, leads and deals that need attention today, up to 10 of each.

    `overdue` and `due_today` are scheduled activities, `hot_leads` warm and qualified leads by score, `closing_soon`
    open deals that close within 7 days. A list is missing when the user may not use its module.
    """

    overdue: list[Activity] | None = None
    due_today: list[Activity] | None = None
    hot_leads: list[Lead] | None = None
    closing_soon: list[Opportunity] | None = None


class GoalStanding(DeferredModel):
    """A goal that is not closed: its progress in percent, by its key results where it has any."""

    title: str
    status: GoalStatus
    progress: Percent
    period: str | None = None


class Concern(DeferredModel):
    """Something that needs attention, and the record it is about. `priority` is 1 to 10, urgent from 9."""

    text: str
    priority: int
    entity: EntityRef


class StatusReport(DeferredModel):
    """Report where the team's work stands: leads and deals by status, the open goals, and what needs attention most.

    What the user may not see is left out.
    """

    pipeline: list[Section]
    goals: list[GoalStanding]
    attention: list[Concern]


@toolkit(name="pipeline", description="Exact counts and sums of the pipeline, the user's day, and the team's status.")
class Pipeline:
    @tool(
        always=True,
        guidance="Never count by listing: for how many and how much, ask get_pipeline_summary.",
        examples=(
            "how many {status} leads do we have",
            "how does my pipeline look",
            "give me a summary of the pipeline",
            "how many deals does {owner} have",
            "what are our open deals worth",
            "how many leads came in {period}",
            "pipeline overview by stage",
        ),
        typical_followups=(followups.FORECAST, followups.OPEN_DEALS, followups.PRIORITIES, followups.HOTTEST_LEADS),
    )
    def get_pipeline_summary(
        self,
        context: ToolContext,
        entity_type: Annotated[CountedType | None, "Type of record to count; by default all of them"] = None,
        status: Annotated[
            str | None,
            Field(max_length=40, json_schema_extra={"enum": [*dict.fromkeys([*ALL_STATUSES, *AccountType])]}),
            "Only this status of leads, contacts or activities, stage of opportunities, health or type of accounts",
        ] = None,
        owner: Owner = None,
        period: Annotated[PeriodWord | None, "Only records created in this period"] = None,
        first: Annotated[date | None, "First day of creation, ISO 8601, instead of a period"] = None,
        last: Annotated[date | None, "Last day of creation, ISO 8601"] = None,
    ) -> PipelineSummary:
        """Count records exactly, with sums of their amounts, by status.

        Counts leads, contacts, accounts (by health), opportunities (by stage) and activities, of one owner or all, in
        total or created in a period. Amounts of several currencies are kept apart, never added.
        """
        # Asked for by name, a type that the user may not see is refused; otherwise it is left out.
        if entity_type is not None:
            require_module(context.principal, entity_type)
        days = period_of(context.now.date(), period, first, last)
        owned_by = owner_id(context, owner)
        sections = [
            count_section(context, kind, status, owned_by, days)
            for kind in countable_types(context, entity_type, status)
            if may_see(context.principal, kind)
        ]
        return PipelineSummary(first=days.first if days else None, last=days.last if days else None, sections=sections)

    @tool(
        examples=(
            "what should I prioritize today",
            "what's on my plate today",
            "plan my day",
            "what is due today",
            "give me my agenda",
            "what do I have to do today",
        ),
        typical_followups=(
            FollowUp("What is overdue?", "⏰", "list_activities", {"status": "overdue", "owner": "me"}),
            followups.NEXT_STEPS,
            followups.PIPELINE,
        ),
    )
    def get_my_day(
        self,
        context: ToolContext,
        owner: Annotated[str | None, Field(max_length=100), "User id of the owner; by default the caller"] = None,
    ) -> MyDay:
        """Show what needs attention today: activities overdue or due, hot leads, and deals that close within 7 days."""
        user = owner_id(context, owner) or context.principal.user
        # Midnight in the user's zone.
        tomorrow = datetime.combine(context.now.date() + timedelta(days=1), time(0), context.now.tzinfo)
        # From now on: what was due earlier today is in the list of overdue ones.
        is_today = (Condition("due_at", "gte", context.now), Condition("due_at", "lt", tomorrow))
        return MyDay.model_construct(
            overdue=_scheduled(context, user, Condition("due_at", "lt", context.now)),
            due_today=_scheduled(context, user, *is_today),
            hot_leads=_owned(context, Lead, user, Condition("status", "in", list(HOT))),
            closing_soon=_closing_soon(context, user),
        )

    @tool(
        examples=(
            "what is the current status of this project",
            "please analyze the current project insights and goals",
            "how is the project going",
            "where do we stand with the project",
            "give me a status report",
            "give me a status update",
            "what is the state of the project",
            "how are things going",
            "where are we",
        ),
        typical_followups=(followups.NEXT_STEPS, followups.PRIORITIES, followups.FORECAST, followups.OPEN_DEALS),
    )
    def get_status_report(self, context: ToolContext) -> StatusReport:
        """Report where the team's work ("the project") stands: its pipeline and goals, and what needs attention most.

        For questions about the status or an analysis of the work as a whole, not of one record.
        """
        goals = crud.search_permitted(context, Goal, OPEN_GOALS, limit=MAX_OF_LIST)
        return StatusReport(
            pipeline=[
                count_section(context, kind, None, None, None)
                for kind in ("opportunity", "lead")
                if may_see(context.principal, kind)
            ],
            goals=[
                GoalStanding.from_attributes(goal, progress=current_progress(goal))
                for goal in (goals.items if goals else ())
            ],
            attention=[Concern.from_attributes(finding) for finding in _concerns(context)],
        )


def _concerns(context: ToolContext) -> list[Finding]:
    """Return the most urgent findings of the scans, from a bounded number of records, without storing them."""
    findings = list[Finding]()
    for analyse in CONCERNS:
        # Two of each scan, so that forty overdue activities do not hide one deal at risk.
        findings += sorted(analyse(ScanReader(context, MAX_READ)), key=lambda finding: -finding.priority)[:MAX_OF_SCAN]
    return sorted(findings, key=lambda finding: -finding.priority)[:MAX_CONCERNS]


def _scheduled(context: ToolContext, owner: str, *due: Condition) -> list[Activity] | None:
    return _owned(context, Activity, owner, Condition("status", "eq", ActivityStatus.SCHEDULED), *due)


def _closing_soon(context: ToolContext, owner: str) -> list[Opportunity] | None:
    today = context.now.date()
    is_near = crud.between("close_date", today, today + timedelta(days=CLOSING_DAYS))
    return _owned(context, Opportunity, owner, crud.IS_OPEN_DEAL, *is_near, order="due")


def _owned[R: Record](
    context: ToolContext, record_type: type[R], owner: str, *where: Condition, order: Literal["due"] | None = None
) -> list[R] | None:
    """Return up to 10 records of one owner, None when the user may not use their module."""
    is_owned = Condition("owner", "eq", owner)
    page = crud.search_permitted(context, record_type, is_owned, *where, limit=MAX_OF_LIST, order=order)
    return page.items if page else None
