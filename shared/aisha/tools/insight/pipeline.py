"""Tools that count the pipeline exactly, show what is due today, and report where the work stands."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal

from msgspec.structs import replace
from pydantic import Field, TypeAdapter, ValidationError

from aisha.application.records import crud
from aisha.application.records.totals import Totals
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
from aisha.domain.crm.pages import pages, read_items
from aisha.domain.crm.queries import MAX_PAGE, Condition, CountRow, Period, RecordQuery
from aisha.domain.crm.records import (
    AccountHealth,
    AccountHealthInput,
    AccountType,
    AccountTypeInput,
    Activity,
    ActivityStatus,
    ActivityStatusInput,
    ContactStatus,
    ContactStatusInput,
    Goal,
    GoalStatus,
    Lead,
    LeadStatus,
    LeadStatusInput,
    Opportunity,
    Percent,
    Record,
    Stage,
    StageInput,
)
from aisha.domain.crm.team_values import PLACES, NamedValue, TeamValue, named_value
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError
from aisha.domain.search.counts import STATUS_FIELD, Counts, Group, count_rows, counts_of, group_of
from aisha.domain.tools import FollowUp

CountedType = Literal["lead", "contact", "account", "opportunity", "activity"]
CLOSING_DAYS = 7
"""Days within which a deal counts as closing soon (C-A6)."""
MAX_OF_LIST = 10
"""Records in each list of `get_my_day`."""
HOT = (LeadStatus.WARM, LeadStatus.QUALIFIED)
_STATUSES: dict[CountedType, tuple[Any, type[StrEnum]]] = {
    "lead": (LeadStatusInput, LeadStatus),
    "contact": (ContactStatusInput, ContactStatus),
    "account": (AccountHealthInput, AccountHealth),
    "opportunity": (StageInput, Stage),
    "activity": (ActivityStatusInput, ActivityStatus),
}
"""The field type that parses each type's statuses, and the enumeration that orders them."""
_ALL_STATUSES = list(dict.fromkeys(value for _, values in _STATUSES.values() for value in values))
MAX_PAGES = 10
"""Pages read to count accounts by type."""
CONCERNS: tuple[Analysis, ...] = (deals_at_risk, overdue_activities, goal_progress)
"""The scans whose findings a status report names."""
MAX_CONCERNS, MAX_OF_SCAN = 5, 2
"""Findings of a status report in all, and those of one scan."""
MAX_READ = 200
"""Records that a status report reads for each scan."""


class StatusTotals(Totals):
    """Totals of the records with one status (stage of opportunities, health of accounts)."""

    status: str


class Section(Totals):
    """Totals of the records of one type, together and by status."""

    entity_type: CountedType
    by_status: list[StatusTotals]


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
            Field(max_length=40, json_schema_extra={"enum": [*dict.fromkeys([*_ALL_STATUSES, *AccountType])]}),
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
        if entity_type is not None:
            require_module(context.principal, entity_type)
        days = period_of(context.now.date(), period, first, last)
        owned_by = owner_id(context, owner)
        sections = [
            _count_section(context, kind, status, owned_by, days)
            for kind in _countable_types(context, entity_type, status)
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
        tomorrow = datetime.combine(context.now.date() + timedelta(days=1), time(0), context.now.tzinfo)
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
            "where does the team stand",
            "give me a status report",
            "give me an analysis of the project",
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
                _count_section(context, kind, None, None, None)
                for kind in ("opportunity", "lead")
                if may_see(context.principal, kind)
            ],
            goals=[
                GoalStanding(title=goal.title, status=goal.status, progress=current_progress(goal), period=goal.period)
                for goal in (goals.items if goals else ())
            ],
            attention=[
                Concern(text=finding.text, priority=finding.priority, entity=finding.entity)
                for finding in _concerns(context)
            ],
        )


def _countable_types(
    context: ToolContext, entity_type: CountedType | None, status: str | None
) -> Sequence[CountedType]:
    """Return the requested types that have the status. Raise `InvalidInputError` when none has it."""
    kinds: Sequence[CountedType] = (entity_type,) if entity_type else tuple(_STATUSES)
    countable = [kind for kind in kinds if status is None or _parse_status(context, kind, status) is not None]
    if countable:
        return countable
    raise InvalidInputError(
        f"There is no status {status!r} to count {'by' if entity_type is None else f'{entity_type} records by'}",
        pointer="/status",
        detail={kind: _named_statuses(context, kind) for kind in kinds},
    )


def _own_statuses(context: ToolContext, kind: CountedType) -> Sequence[TeamValue]:
    return context.team_values.get(PLACES[_STATUSES[kind][1]], ())


def _named_statuses(context: ToolContext, kind: CountedType) -> list[str]:
    labels = [value.label for value in _own_statuses(context, kind)]
    return [*(labels or _STATUSES[kind][1]), *(AccountType if kind == "account" else ())]


def _parse_status(context: ToolContext, kind: CountedType, status: str) -> str | None:
    """Return the status as the counters store it, or the type of accounts; None when it is neither.

    It is a `NamedValue` when it was given by the tenant's own name.
    """
    if (own_status := named_value(_own_statuses(context, kind), status)) is not None:
        return own_status
    accepted = (_STATUSES[kind][0], AccountTypeInput) if kind == "account" else (_STATUSES[kind][0],)
    # The input types accept spellings, such as "Closed Won", that the enumerations themselves refuse.
    for annotation in accepted:
        try:
            return str(TypeAdapter(annotation).validate_python(status))
        except ValidationError:
            continue
    return None


def _count_section(
    context: ToolContext, kind: CountedType, status: str | None, owner: str | None, days: Period | None
) -> Section:
    value = _parse_status(context, kind, status) if status is not None else None
    if isinstance(value, NamedValue):
        rows = _rows_named(context, kind, value, owner, days)
        return Section.sum(rows, entity_type=kind, by_status=[StatusTotals.sum(rows, status=value.label)])
    if kind == "account" and value in set(AccountType):
        count = _count_accounts(context, value, owner, days)
        return Section(count=count, entity_type=kind, by_status=[StatusTotals(count=count, status=value)])
    rows = [row for row in context.records.counts(kind, days) if owner in (None, (row.owner or "").lower())]
    if value is not None:
        rows = [row for row in rows if row.status == value]
    totals = [
        StatusTotals.sum([row for row in rows if row.status == status], status=status)
        for status in ([value] if value else _order_statuses(kind, rows))
    ]
    return Section.sum(rows, entity_type=kind, by_status=totals)


def _order_statuses(kind: CountedType, rows: Sequence[CountRow]) -> list[str]:
    """Return the statuses that occur, in the order of their enumeration; values of the tenant's own come last."""
    present = {row.status for row in rows}
    standard = [value.value for value in _STATUSES[kind][1] if value in present]
    return standard + sorted(present - set(standard))


def _count_accounts(context: ToolContext, account_type: str, owner: str | None, days: Period | None) -> int:
    """Return the number of accounts of a type. The store's counters follow an account's health, so these are listed.

    Raise `InvalidInputError` when there are more than 500, because a count must be exact.
    """
    created = crud.between("created_at", days.first, days.last) if days else ()
    where = (*crud.equal(type=account_type, owner=owner), *created)
    query, count = RecordQuery("account", where=where, limit=MAX_PAGE), 0
    for page in pages(lambda cursor: context.records.search(replace(query, cursor=cursor)), max_pages=MAX_PAGES):
        # Where the store knows the total, the first page has it and the others need not be read.
        if page.total is not None and not count:
            return page.total
        count += len(page.items)
        if page.next_cursor is None:
            return count
    raise InvalidInputError(
        f"There are more than {count} {account_type} accounts; they can't be counted by type",
        suggestion="Count accounts by health, or list those of the type with search_accounts.",
    )


def _rows_named(
    context: ToolContext, kind: CountedType, value: NamedValue, owner: str | None, days: Period | None
) -> list[CountRow]:
    """Return the sums of the records with one of the tenant's own values, which the store's counters do not follow.

    Raise `InvalidInputError` when there are more than 500, because a count must be exact.
    """
    created = crud.between("created_at", days.first, days.last) if days else ()
    query = RecordQuery(kind, where=(*crud.equal(**{STATUS_FIELD[kind]: value}, owner=owner), *created), limit=MAX_PAGE)
    records, has_more = read_items(
        lambda cursor: context.records.search(replace(query, cursor=cursor)), max_pages=MAX_PAGES
    )
    if has_more:
        raise InvalidInputError(
            f"There are more than {len(records)} in {value.label}; they can't be counted by it",
            suggestion=f"Count those that count as {value}, or list them with a search.",
        )
    sums: dict[Group, Counts] = {}
    for record in records:
        group = group_of(record)._replace(status=value.label)
        sums[group] = sums.get(group, Counts()).plus(counts_of(record))
    return count_rows(sums)


def _concerns(context: ToolContext) -> list[Finding]:
    """Return the most urgent findings of the scans, from a bounded number of records, without storing them."""
    findings = list[Finding]()
    for analyse in CONCERNS:
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
