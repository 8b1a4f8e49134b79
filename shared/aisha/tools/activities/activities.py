"""Tools that list, change, complete and delete activities; `scheduling` creates them."""

from typing import Annotated, Any, Literal

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import (
    Cursor,
    InLowerCase,
    Limit,
    Minutes,
    NameContains,
    Owner,
    RecordId,
    Text,
    require_future,
)
from aisha.application.tooling.gate.visibility import readable, require_module
from aisha.application.tooling.results import RecordList, WriteResult
from aisha.domain.crm.enumerations import ActivityPriority, ActivityStatus, ActivityType
from aisha.domain.crm.queries import Condition
from aisha.domain.crm.records import Activity, LongText, SubjectType
from aisha.domain.dates.parsing import When
from aisha.domain.errors import ConflictError
from aisha.domain.tools import FollowUp

ActivityId = Annotated[RecordId, "Id of an activity, as list_activities gives it"]
StatusFilter = Annotated[Literal["scheduled", "completed", "cancelled", "overdue"], InLowerCase]
_LIST_FOLLOWUPS = (
    followups.PRIORITIES,
    FollowUp("What is overdue?", "⏰", "list_activities", {"status": "overdue"}),
    followups.NEXT_STEPS,
)


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
        entity_id: Annotated[RecordId | None, "Id of the entity"] = None,
        activity_type: Annotated[ActivityType | None, "Kind of activity"] = None,
        status: Annotated[
            StatusFilter | None,
            "overdue: scheduled and past due. By default scheduled, unless a record or a date is given",
        ] = None,
        due_after: Annotated[When | None, "Due after"] = None,
        due_before: Annotated[When | None, "Due before"] = None,
        priority: Annotated[ActivityPriority | None, "Priority"] = None,
        name_contains: NameContains = None,
        owner: Owner = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> RecordList[Activity]:
        """List activities by record, kind, status, due date, priority or owner.

        The one due first comes first. Use it for what is planned, overdue or done.
        """
        # "Show my activities" asks for what is still to do; a record or a period asks for its history, too.
        if status is None and entity_id is None and due_after is None and due_before is None:
            status = "scheduled"
        is_late = status == "overdue"
        where = (
            *crud.equal(
                related__id=entity_id, related__type=entity_type, activity_type=activity_type, priority=priority
            ),
            *crud.equal(status=ActivityStatus.SCHEDULED if is_late else status),
            *crud.between("due_at", due_after, due_before),
            # Overdue is no stored status: it is a scheduled activity whose time has passed.
            *((Condition("due_at", "lt", context.now),) if is_late else ()),
        )
        # A record that the user may not see must be refused, not answered with an empty list.
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
        ordered_by=("change_activity", "update_record", "completed:complete_activity"),
        examples=(
            "move the call with {name} to {due_date}",
            "reschedule the meeting with {name} to {due_date}",
            "cancel the meeting with {name}",
            "set the priority of {name} to {priority}",
            "rename the activity {name} to {title}",
            "assign the task {name} to {owner}",
        ),
        typical_followups=followups.SCHEDULED,
    )
    def update_activity(
        self,
        context: ToolContext,
        activity_id: ActivityId,
        title: Annotated[Text | None, "New title"] = None,
        activity_type: Annotated[ActivityType | None, "New kind"] = None,
        due_date: Annotated[When | None, "New time; in the past only if it is completed"] = None,
        duration_minutes: Annotated[Minutes | None, "Minutes of duration"] = None,
        status: Annotated[ActivityStatus | None, "New status"] = None,
        priority: Annotated[ActivityPriority | None, "New priority"] = None,
        body: Annotated[LongText | None, "What it is about"] = None,
        location: Annotated[Text | None, "Place"] = None,
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
        # Read first: whether a date may be in the past depends on the status that the activity has.
        activity = crud.read_record(context, Activity, activity_id)
        if due_date is not None:
            due = changes.pop("due_date")
            # The time of a completed activity is when it took place, so it may be in the past.
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
