"""Tools that schedule activities, one or many at once, and log those that have taken place."""

from collections.abc import Mapping
from datetime import datetime
from itertools import batched
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import InLowerCase, Minutes, Owner, RecordId, Text, require_future
from aisha.application.tooling.gate.visibility import readable, related_to, require_module
from aisha.application.tooling.results import BulkResult, WriteResult
from aisha.domain.crm.enumerations import ActivityPriority, ActivityStatus, ActivityType
from aisha.domain.crm.queries import Create
from aisha.domain.crm.record_changes import MAX_CHANGES
from aisha.domain.crm.records import Activity, LongText, Record, SubjectType
from aisha.domain.dates.parsing import When, next_working_day
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, MissingFieldError, NotFoundError
from aisha.domain.tools import FollowUp
from aisha.domain.wording import format_moment

NewStatus = Annotated[Literal["scheduled", "completed"], InLowerCase]


class ActivityDraft(DeferredModel):
    """One activity of a bulk creation."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    entity_type: SubjectType = Field(description="Type of the record it is about")
    entity_id: RecordId = Field(description="Id of the entity")
    title: Text = Field(description="E.g. Call with Ann Lee")
    activity_type: ActivityType = Field(description="Kind of activity")
    due_date: When | None = Field(
        default=None, description="When it is due; by default the next working day at 09:00, a meeting needs it"
    )
    duration_minutes: Minutes | None = Field(default=None, description="Minutes of duration")
    priority: ActivityPriority = Field(default=ActivityPriority.NORMAL, description="Priority")
    body: LongText | None = Field(default=None, description="What it is about")
    location: Text | None = Field(default=None, description="Place")


@toolkit(
    name="activities",
    description="List, schedule, change, complete and delete calls, emails, meetings, tasks and demos.",
    module="activities",
)
class Scheduling:
    @tool(
        access="write",
        ordered_by=("create_activity", "remind", "invite", "completed:create_note", "completed:complete_activity"),
        always=True,
        guidance="A meeting needs a date and time: ask for it. To log what has taken place, give the status completed; "
        "without a due date it took place now.",
        examples=(
            "schedule a {activity_type} with {name} {due_date}",
            "remind me to call {name} {due_date}",
            "create a follow-up for {name}",
            "book a meeting with {name} {due_date}",
            "set up a demo for {name}",
            "add a {priority} task for {name}: {title}",
            "follow up with {name} {due_date}",
            "log a {activity_type} with {name} {due_date}: {body}",
        ),
        typical_followups=followups.SCHEDULED,
    )
    def create_activity(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record it is about"],
        entity_id: Annotated[RecordId, "Id of the entity"],
        title: Annotated[Text, "E.g. Call with Ann Lee"],
        activity_type: Annotated[ActivityType, "Kind of activity"],
        due_date: Annotated[
            When | None, "By default the next working day at 09:00; if completed, when it took place"
        ] = None,
        duration_minutes: Annotated[Minutes | None, "Minutes of duration"] = None,
        status: Annotated[NewStatus, "completed if it has taken place"] = "scheduled",
        priority: Annotated[ActivityPriority, "Priority"] = ActivityPriority.NORMAL,
        body: Annotated[LongText | None, "Subject, or what came of it"] = None,
        location: Annotated[Text | None, "Place"] = None,
        owner: Owner = None,
    ) -> WriteResult[Activity]:
        """Schedule an activity: a call, email, meeting, task or demo about a record, or log a past one."""
        subject = readable(context.principal, context.records, entity_type, entity_id)
        is_over = status == "completed"
        due = _time_of_past(context, due_date) if is_over else _due_date(context, activity_type, due_date)
        return crud.create_record(
            context,
            Activity,
            owner=owner,
            related=related_to(subject),
            title=title,
            activity_type=activity_type,
            due_at=due,
            duration_minutes=duration_minutes,
            status=ActivityStatus(status),
            completed_at=due if is_over else None,
            priority=priority,
            body=body,
            location=location,
        )

    @tool(
        access="write",
        ordered_by=("create_activity", "remind"),
        examples=(
            "create a follow-up for each of them",
            "schedule calls with all of these leads",
            "create activities for the remaining leads",
            "plan a task for every one of them",
        ),
        typical_followups=(
            followups.PENDING_ACTIVITIES,
            followups.PRIORITIES,
            FollowUp("Create activities for remaining leads", "📅", "bulk_create_activities"),
            followups.NEXT_STEPS,
        ),
    )
    def bulk_create_activities(
        self,
        context: ToolContext,
        items: Annotated[list[ActivityDraft], Field(min_length=1, max_length=50), "The activities, 1 to 50"],
    ) -> BulkResult[Activity]:
        """Schedule up to 50 activities at once. All are checked first: if one can't be scheduled, none is."""
        for kind in sorted({item.entity_type for item in items}):
            require_module(context.principal, kind)
        # One read for all records: a bulk creation may name fifty.
        subjects = context.records.get_many(sorted({(item.entity_type, item.entity_id) for item in items}))
        creates = [Create(_make_activity(context, item, index, subjects)) for index, item in enumerate(items)]
        # All are made, and thus checked, before the first write: the store takes ten at a time.
        results = [written for batch in batched(creates, MAX_CHANGES) for written in context.records.write(*batch)]
        return BulkResult[Activity].model_construct(items=[WriteResult[Activity].of(written) for written in results])


def _due_date(
    context: ToolContext, activity_type: ActivityType, due: datetime | None, field: str = "due_date"
) -> datetime:
    if due is not None:
        return require_future(due, context, field)
    # A call or a task can be put on the next working day; a meeting needs its time from the user.
    if activity_type is ActivityType.MEETING:
        raise MissingFieldError(field, suggestion="Ask the user for the day and time of the meeting.")
    return next_working_day(context.now)


def _time_of_past(context: ToolContext, time: datetime | None) -> datetime:
    """Return when a logged activity took place. Raises `InvalidInputError` for a time that is still to come."""
    if time is not None and time > context.now:
        raise InvalidInputError(
            f"It has not taken place yet: {format_moment(time, context.now)}",
            suggestion="Ask when it took place, or schedule it.",
            pointer="/due_date",
        )
    return time or context.now


def _make_activity(context: ToolContext, draft: ActivityDraft, index: int, subjects: Mapping[str, Record]) -> Activity:
    subject = subjects.get(draft.entity_id)
    if subject is None or draft.entity_type != subject.TYPE:
        raise NotFoundError(
            f"There is no {draft.entity_type} with the id of item {index + 1}; nothing was scheduled.",
            entity_type=draft.entity_type,
            entity_id=draft.entity_id,
            pointer=f"/items/{index}/entity_id",
            suggestion=f"Search for the {draft.entity_type} by name.",
        )
    due = _due_date(context, draft.activity_type, draft.due_date, f"items/{index}/due_date")
    values = draft.model_dump(exclude={"entity_type", "entity_id", "due_date"})
    return Activity(**values, related=related_to(subject), due_at=due, owner=context.principal.user)
