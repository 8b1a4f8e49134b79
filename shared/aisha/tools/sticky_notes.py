"""Sticky notes: reminders of the user's own, which are about no record."""

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from aisha.application.notifications import reminders
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.parameters import Limit, check_action, require_future
from aisha.application.tooling.results import EntityRef, Receipt
from aisha.domain.dates.parsing import When
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import MissingFieldError

_TAKES = {"create": ("text", "due_at"), "list": ("status",), "snooze": ("note_id", "due_at"), "resolve": ("note_id",)}
_SNOOZED = timedelta(hours=1)


class StickyNote(DeferredModel):
    """A reminder of the user's own. `is_due`: its time has come and it is not resolved."""

    id: str
    text: str
    status: Literal["open", "resolved"]
    due_at: datetime | None = None
    is_due: bool


class StickyNotes(DeferredModel):
    """The notes listed, or the one written. `total` counts all that fit; `receipt` says what was written."""

    items: list[StickyNote]
    total: int
    receipt: Receipt | None = None


@toolkit(name="assistant", description="What the assistant keeps for the user, and how it answers them.")
class StickyNotesKit:
    @tool(
        access="write",
        read_actions=("list",),
        guidance="Personal reminders that are about no lead, contact, account or opportunity (call my dentist, buy flowers) are "
        "sticky notes; a reminder about a record is an activity.",
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
            str | None, Field(min_length=1, max_length=500), "create: what to be reminded of, in the user's words"
        ] = None,
        due_at: Annotated[
            When | None, "create: when it comes due; never without. snooze: until when; an hour without"
        ] = None,
        note_id: Annotated[
            str | None, Field(min_length=1, max_length=60), "snooze, resolve: id of the note, as list gives it"
        ] = None,
        status: Annotated[Literal["open", "due", "resolved"] | None, "list: which notes; open without"] = None,
        limit: Limit = 10,
    ) -> StickyNotes:
        """Keep personal reminders of the user: create, list, snooze and resolve sticky notes.

        For what is about no record of the CRM. A note that has come due is shown to the user until it is resolved or
        snoozed. Resolved notes are kept for 30 days.
        """
        check_action(action, _TAKES, text=text, due_at=due_at, note_id=note_id, status=status)
        if action == "create":
            return _created(context, text, due_at)
        if action == "list":
            return _listed(context, status or "open", limit)
        if note_id is None:
            raise MissingFieldError("note_id", suggestion="List the notes, then give the id of the one that is meant.")
        reminder = reminders.get_reminder(context.own, note_id)
        if action == "resolve":
            return _written(context, reminders.resolve_reminder(context.own, reminder, context.now), "updated")
        until = require_future(due_at, context, "due_at") if due_at else context.now + _SNOOZED
        return _written(context, reminders.snooze_reminder(context.own, reminder, until), "updated")


def _created(context: ToolContext, text: str | None, due_at: datetime | None) -> StickyNotes:
    if text is None:
        raise MissingFieldError("text", suggestion="Ask the user what to be reminded of.")
    moment = require_future(due_at, context, "due_at") if due_at else None
    return _written(context, reminders.create_reminder(context.own, text, moment), "created")


def _listed(context: ToolContext, status: Literal["open", "due", "resolved"], limit: int) -> StickyNotes:
    if status == "resolved":
        notes = reminders.resolved_reminders(context.own)
    elif status == "due":
        notes = reminders.due_reminders(context.own, context.now)
    else:
        notes = reminders.open_reminders(context.own)[0]
    return StickyNotes(items=[_shown(context, note) for note in notes[:limit]], total=len(notes))


def _written(context: ToolContext, note: reminders.Reminder, action: Literal["created", "updated"]) -> StickyNotes:
    shown = _shown(context, note)
    receipt = Receipt(action=action, entity=EntityRef(type="sticky_note", id=note.id, name=note.text[:60]))
    return StickyNotes(items=[shown], total=1, receipt=receipt)


def _shown(context: ToolContext, note: reminders.Reminder) -> StickyNote:
    return StickyNote(
        id=note.id, text=note.text, status="resolved" if note.resolved_at else "open",
        due_at=note.due_at and note.due_at.astimezone(context.now.tzinfo), is_due=note.is_due(context.now),
    )  # fmt: skip
