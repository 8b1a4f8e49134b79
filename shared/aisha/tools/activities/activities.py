"""Tools for activities: calls, emails, meetings, tasks and demos with or about a record."""

from collections.abc import Mapping
from datetime import datetime
from itertools import batched
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import (
    Cursor,
    Limit,
    NameContains,
    Owner,
    RecordId,
    Text,
    require_future,
)
from aisha.application.tooling.gate.visibility import readable, related_to, require_module
from aisha.application.tooling.results import BulkResult, RecordList, WriteResult
from aisha.domain.crm.queries import Condition, Create
from aisha.domain.crm.records import (
    Activity,
    ActivityPriority,
    ActivityPriorityInput,
    ActivityStatus,
    ActivityStatusInput,
    ActivityType,
    ActivityTypeInput,
    LongText,
    Record,
    SubjectType,
)
from aisha.domain.dates.parsing import When, next_working_day
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import ConflictError, InvalidInputError, MissingFieldError, NotFoundError
from aisha.domain.tools import FollowUp
from aisha.domain.wording import format_moment

ActivityId = Annotated[RecordId, "Id of an activity, as list_activities gives it"]
Minutes = Annotated[int, Field(ge=1, le=24 * 60)]
StatusFilter = Annotated[
    Literal["scheduled", "completed", "cancelled", "overdue"],
    BeforeValidator(lambda value: value.strip().lower() if isinstance(value, str) else value),
]
NewStatus = Annotated[
    Literal["scheduled", "completed"],
    BeforeValidator(lambda value: value.strip().lower() if isinstance(value, str) else value),
]
MAX_CHANGES = 10
"""Changes in one write of the record store."""
_SCHEDULE_FOLLOWUPS = (followups.PENDING_ACTIVITIES, followups.ADD_NOTE, followups.PRIORITIES)
_LIST_FOLLOWUPS = (
    followups.PRIORITIES,
    FollowUp("What is overdue?", "⏰", "list_activities", {"status": "overdue"}),
    followups.NEXT_STEPS,
)


class ActivityDraft(DeferredModel):
    """One activity of a bulk creation."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    entity_type: SubjectType = Field(description="Type of the record it is about")
    entity_id: RecordId = Field(description="Id of that record")
    title: Text = Field(description="Title, for example 'Call with Ann Lee'")
    activity_type: ActivityTypeInput = Field(description="Kind of activity")
    due_date: When | None = Field(
        default=None, description="When it is due; by default the next working day at 09:00, a meeting needs it"
    )
    duration_minutes: Minutes | None = Field(default=None, description="How long it takes, in minutes")
    priority: ActivityPriorityInput = Field(default=ActivityPriority.NORMAL, description="Priority")
    body: LongText | None = Field(default=None, description="What it is about")
    location: Text | None = Field(default=None, description="Where it takes place")


@toolkit(
    name="activities",
    description="List, schedule, change, complete and delete calls, emails, meetings, tasks and demos.",
    module="activities",
)
class Activities:
    @tool(
        always=True,
        examples=(
            "show my activities",
            "what is overdue",
            "which calls are scheduled {due_after}",
            "activities for {name}",
            "what meetings do I have {due_before}",
            "list {priority} priority tasks",
            "show completed activities",
            "show all pending activities",
            "what did we do with {name}",
        ),
        typical_followups=_LIST_FOLLOWUPS,
    )
    def list_activities(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType | None, "Type of the record the activities are about"] = None,
        entity_id: Annotated[RecordId | None, "Id of that record"] = None,
        activity_type: Annotated[ActivityTypeInput | None, "Kind of activity"] = None,
        status: Annotated[
            StatusFilter | None,
            "overdue: scheduled and past due. By default scheduled, unless a record or a date is given",
        ] = None,
        due_after: Annotated[When | None, "Due after"] = None,
        due_before: Annotated[When | None, "Due before"] = None,
        priority: Annotated[ActivityPriorityInput | None, "Priority"] = None,
        name_contains: NameContains = None,
        owner: Owner = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> RecordList[Activity]:
        """List activities by record, kind, status, due date, priority or owner.

        The one due first comes first. Use it for what is planned, overdue or done.
        """
        if status is None and entity_id is None and due_after is None and due_before is None:
            status = "scheduled"
        is_late = status == "overdue"
        where = (
            *crud.equal(
                related__id=entity_id, related__type=entity_type, activity_type=activity_type, priority=priority
            ),
            *crud.equal(status=ActivityStatus.SCHEDULED if is_late else status),
            *crud.between("due_at", due_after, due_before),
            *((Condition("due_at", "lt", context.now),) if is_late else ()),
        )
        _check_subject(context, entity_type, entity_id)
        return crud.search_page(context, Activity, where, limit, cursor, name_contains=name_contains, owner=owner)

    @tool(
        examples=(
            "full details of the activity {name}",
            "open the activity {name}",
            "what is the meeting {name} about",
            "when is the activity {name} due",
        ),
        typical_followups=(
            FollowUp("Mark it as completed", "✅", "complete_activity"),
            followups.PENDING_ACTIVITIES,
            followups.PRIORITIES,
        ),
    )
    def get_activity(self, context: ToolContext, activity_id: ActivityId) -> Activity:
        """Get an activity. It has all its fields: kind, due date, status, priority, what it is about, outcome."""
        return crud.read_record(context, Activity, activity_id)

    @tool(
        access="write",
        ordered_by=("create_activity", "remind", "invite", "completed:create_note", "completed:complete_activity"),
        always=True,
        guidance="A meeting needs a date and time: ask for it. To log an activity that has taken place, give the "
        "status completed, and in body what came of it; without a due date it took place now.",
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
        typical_followups=_SCHEDULE_FOLLOWUPS,
    )
    def create_activity(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record it is about"],
        entity_id: Annotated[RecordId, "Id of that record"],
        title: Annotated[Text, "Title, for example 'Call with Ann Lee'"],
        activity_type: Annotated[ActivityTypeInput, "Kind of activity"],
        due_date: Annotated[
            When | None, "When it is due; by default the next working day at 09:00. When it took place, if completed"
        ] = None,
        duration_minutes: Annotated[Minutes | None, "How long it takes, in minutes"] = None,
        status: Annotated[NewStatus, "completed for one that has taken place already"] = "scheduled",
        priority: Annotated[ActivityPriorityInput, "Priority"] = ActivityPriority.NORMAL,
        body: Annotated[LongText | None, "What it is about, or what came of it"] = None,
        location: Annotated[Text | None, "Where it takes place"] = None,
        owner: Owner = None,
    ) -> WriteResult[Activity]:
        """Schedule a call, email, meeting, task or demo with or about a record, or log one that has taken place.

        The caller owns it by default. Nothing is scheduled in the past or logged in the future.
        """
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
        subjects = context.records.get_many(sorted({(item.entity_type, item.entity_id) for item in items}))
        creates = [Create(_make_activity(context, item, index, subjects)) for index, item in enumerate(items)]
        # All are made, and thus checked, before the first write: the store takes ten at a time.
        results = [written for batch in batched(creates, MAX_CHANGES) for written in context.records.write(*batch)]
        return BulkResult[Activity].model_construct(items=[WriteResult[Activity].of(written) for written in results])

    @tool(
        access="write",
        ordered_by=("change_activity", "update_record"),
        examples=(
            "move the call with {name} to {due_date}",
            "reschedule the meeting with {name} to {due_date}",
            "cancel the meeting with {name}",
            "set the priority of {name} to {priority}",
            "rename the activity {name} to {title}",
            "assign the task {name} to {owner}",
        ),
        typical_followups=_SCHEDULE_FOLLOWUPS,
    )
    def update_activity(
        self,
        context: ToolContext,
        activity_id: ActivityId,
        title: Annotated[Text | None, "New title"] = None,
        activity_type: Annotated[ActivityTypeInput | None, "New kind"] = None,
        due_date: Annotated[When | None, "New time; in the past only if it is completed"] = None,
        duration_minutes: Annotated[Minutes | None, "How long it takes, in minutes"] = None,
        status: Annotated[ActivityStatusInput | None, "New status"] = None,
        priority: Annotated[ActivityPriorityInput | None, "New priority"] = None,
        body: Annotated[LongText | None, "What it is about"] = None,
        location: Annotated[Text | None, "Where it takes place"] = None,
        outcome: Annotated[LongText | None, "Result of the activity"] = None,
        owner: Owner = None,
    ) -> WriteResult[Activity]:
        """Change or cancel an activity. Only what is given changes; at least one field must be given."""
        changes = crud.require_changes(
            title=title,
            activity_type=activity_type,
            due_date=due_date,
            duration_minutes=duration_minutes,
            status=status,
            priority=priority,
            body=body,
            location=location,
            outcome=outcome,
            owner=owner,
        )
        activity = crud.read_record(context, Activity, activity_id)
        if due_date is not None:
            due = changes.pop("due_date")
            is_over = activity.status is ActivityStatus.COMPLETED and status in (None, activity.status)
            changes["due_at"] = due if is_over else require_future(due, context, "due_date")
        # An activity that is reopened or cancelled loses the time of its completion.
        if status is not None and status != activity.status:
            changes["completed_at"] = context.clock.now() if status is ActivityStatus.COMPLETED else None
        return crud.update_record(context, Activity, activity_id, changes)

    @tool(
        access="write",
        ordered_by=("complete_activity",),
        examples=(
            "mark the call with {name} as done",
            "complete the task {name}",
            "I finished the meeting with {name}: {outcome}",
            "the demo for {name} is done",
            "tick off {name}",
        ),
        typical_followups=(followups.CREATE_FOLLOW_UP, followups.ADD_NOTE, followups.NEXT_STEPS),
    )
    def complete_activity(
        self,
        context: ToolContext,
        activity_id: ActivityId,
        outcome: Annotated[LongText | None, "Result of the activity"] = None,
    ) -> WriteResult[Activity]:
        """Complete an activity: it counts as done now. One that is completed already can't be completed again."""
        activity = crud.read_record(context, Activity, activity_id)
        if activity.status is ActivityStatus.COMPLETED:
            raise ConflictError(
                f"{activity.display_name} has already been completed",
                entity_type="activity",
                entity_id=activity.id,
                suggestion="Create a new activity for what comes next.",
            )
        changes: dict[str, Any] = {"status": ActivityStatus.COMPLETED, "completed_at": context.clock.now()}
        if outcome is not None:
            changes["outcome"] = outcome
        # With the version, so that of two calls at once only one completes it.
        return crud.update_record(context, Activity, activity.id, changes, expected_version=activity.version)

    @tool(
        access="delete",
        ordered_by=("delete",),
        examples=(
            "delete the call with {name}",
            "remove the task {name}",
            "erase the activity {name}",
            "delete that activity",
        ),
        typical_followups=(followups.PENDING_ACTIVITIES, followups.PRIORITIES),
    )
    def delete_activity(self, context: ToolContext, activity_id: ActivityId) -> WriteResult[Activity]:
        """Delete an activity; to cancel one, use update_activity. The user is asked before it happens."""
        activity = crud.read_record(context, Activity, activity_id)
        return crud.delete_record(context, Activity, activity.id, expected_version=activity.version)


def _check_subject(context: ToolContext, entity_type: str | None, entity_id: str | None) -> None:
    """Raise `PermissionDeniedError` or `NotFoundError` for a record or a type that the user may not see."""
    if entity_type is None:
        return
    require_module(context.principal, entity_type)
    if entity_id is not None:
        readable(context.principal, context.records, entity_type, entity_id)


def _due_date(
    context: ToolContext, activity_type: ActivityType, due: datetime | None, field: str = "due_date"
) -> datetime:
    if due is not None:
        return require_future(due, context, field)
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
