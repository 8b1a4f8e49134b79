"""The tool for sticky notes, the user's personal reminders that are about no record."""

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from aisha.application.notifications import reminders
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import (
    Limit,
    RecordId,
    check_action,
    require_argument,
    require_future,
)
from aisha.application.tooling.results import EntityRef, Receipt
from aisha.domain.dates.parsing import When
from aisha.domain.deferred_model import DeferredModel

_ARGUMENTS = {
    "create": ("text", "due_at"),
    "list": ("status",),
    "snooze": ("note_id", "due_at"),
    "resolve": ("note_id",),
}
DEFAULT_SNOOZE = timedelta(hours=1)


class StickyNote(DeferredModel):
    """A personal reminder. `is_due` is true when its time has come and it is not resolved."""

    id: str
    text: str
    status: Literal["open", "resolved"]
    due_at: datetime | None = None
    is_due: bool


class StickyNotes(DeferredModel):
    """The notes of a list, or the one that was written. `total` counts all that match."""

    items: list[StickyNote]
    total: int
    receipt: Receipt | None = None


@toolkit(name="assistant", description="What the assistant keeps for the user, and how it answers them.")
class StickyNotesKit:
    @tool(
        access="write",
        ordered_by=(
            "create:remind",
            "create:create_activity",
            "snooze:remind",
            "snooze:change_activity",
            "snooze:close_reminder",
            "resolve:close_reminder",
            "resolve:complete_activity",
        ),
        read_actions=("list",),
        guidance="Personal reminders that are about no lead, contact, account or opportunity (call my dentist, buy "
        "flowers) are sticky notes; a reminder about a record is an activity.",
        examples=(
            "show my sticky notes",
            "which personal reminders do I have",
            "put up a sticky note: {text}",
            "make a sticky note to {text}",
            "snooze the sticky note",
            "resolve my sticky note about {text}",
        ),
        typical_followups=(followups.STICKY_NOTES, followups.MY_DAY, followups.NEXT_STEPS),
    )
    def stickynotes(
        self,
        context: ToolContext,
        action: Annotated[Literal["create", "list", "snooze", "resolve"], "What to do"],
        text: Annotated[
            str | None, Field(min_length=1, max_length=500), "create: text of the reminder, in the user's words"
        ] = None,
        due_at: Annotated[
            When | None, "create: when it is due; by default never. snooze: until when; by default for an hour"
        ] = None,
        note_id: Annotated[RecordId | None, "snooze, resolve: id of the note, as list gives it"] = None,
        status: Annotated[
            Literal["open", "due", "resolved"] | None, "list: status of the notes; by default open"
        ] = None,
        limit: Limit = 10,
    ) -> StickyNotes:
        """Keep personal reminders of the user: create, list, snooze and resolve sticky notes.

        For reminders that are about no record of the CRM. A due note is shown to the user until it is resolved or
        snoozed. Resolved notes are kept for 30 days.
        """
        check_action(action, _ARGUMENTS, text=text, due_at=due_at, note_id=note_id, status=status)
        if action == "create":
            return _create(context, text, due_at)
        if action == "list":
            return _list(context, status or "open", limit)
        note_id = require_argument("note_id", note_id, "List the notes, then give the id of one.")
        reminder = reminders.get_reminder(context.own, note_id)
        if action == "resolve":
            return _result(context, reminders.resolve_reminder(context.own, reminder, context.now), "updated")
        # Snoozed without a time, as people do with an alarm: for an hour.
        until = require_future(due_at, context, "due_at") if due_at else context.now + DEFAULT_SNOOZE
        return _result(context, reminders.snooze_reminder(context.own, reminder, until), "updated")


def _create(context: ToolContext, text: str | None, due_at: datetime | None) -> StickyNotes:
    text = require_argument("text", text, "Ask the user what to be reminded of.")
    moment = require_future(due_at, context, "due_at") if due_at else None
    return _result(context, reminders.create_reminder(context.own, text, moment), "created")


def _list(context: ToolContext, status: Literal["open", "due", "resolved"], limit: int) -> StickyNotes:
    if status == "resolved":
        notes = reminders.resolved_reminders(context.own)
    elif status == "due":
        notes = reminders.due_reminders(context.own, context.now)
    else:
        # The second value says whether there are more than one read returns.
        notes = reminders.open_reminders(context.own)[0]
    return StickyNotes(items=[_to_note(context, note) for note in notes[:limit]], total=len(notes))


def _result(context: ToolContext, note: reminders.Reminder, action: Literal["created", "updated"]) -> StickyNotes:
    receipt = Receipt(action=action, entity=EntityRef(type="sticky_note", id=note.id, name=note.text[:60]))
    return StickyNotes(items=[_to_note(context, note)], total=1, receipt=receipt)


def _to_note(context: ToolContext, note: reminders.Reminder) -> StickyNote:
    return StickyNote(
        id=note.id,
        text=note.text,
        status="resolved" if note.resolved_at else "open",
        due_at=note.due_at and note.due_at.astimezone(context.now.tzinfo),
        is_due=note.is_due(context.now),
    )
