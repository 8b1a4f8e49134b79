"""What a user may reach through a relation: a note or an activity is no way around a closed module."""

from collections.abc import Sequence

from aisha.application.tooling.context import ToolContext
from aisha.domain.errors import NotFoundError, PermissionDeniedError
from aisha.domain.queries import Condition, RecordPage, RecordQuery
from aisha.domain.records import RECORD_TYPES, Activity, Note, Record, Related

SUBJECT_TYPES = ("lead", "contact", "account", "opportunity")
_ROUNDS = 5
"""Pages read to fill one page of notes: other people's private notes seldom stand in the way."""


def require_module(context: ToolContext, entity_type: str) -> None:
    """Raises `PermissionDeniedError` when the user may not use the module of such records."""
    module = RECORD_TYPES[entity_type].MODULE
    if not context.principal.may_use(module):
        raise PermissionDeniedError(
            f"User lacks module access: {module}",
            detail={"module": module},
            suggestion=f"Ask your admin for access to {module}.",
        )


def linked(context: ToolContext, entity_type: str, entity_id: str) -> Record:
    """The record that another one is to point at. Raises `PermissionDeniedError`, `NotFoundError`."""
    require_module(context, entity_type)
    return context.records.get(entity_type, entity_id)


def related_to(record: Record) -> Related:
    """The reference that a note or an activity about this record keeps."""
    return Related.model_validate({"type": record.TYPE, "id": record.id, "name": record.display_name})


def reachable(context: ToolContext) -> tuple[Condition, ...]:
    """Keeps notes and activities about records of closed modules out of a search."""
    opened = [kind for kind in SUBJECT_TYPES if context.principal.may_use(RECORD_TYPES[kind].MODULE)]
    return () if len(opened) == len(SUBJECT_TYPES) else (Condition("related.type", "in", opened),)


def is_private_to_another(context: ToolContext, note: Note) -> bool:
    """True for a private note that somebody else wrote."""
    return note.is_private and note.owner != context.principal.user


def readable_activity(context: ToolContext, activity_id: str) -> Activity:
    """The activity. Raises `NotFoundError`, and `PermissionDeniedError` when it is about a record of a closed module."""
    activity = context.records.get("activity", activity_id)
    assert isinstance(activity, Activity)  # noqa: S101 - the store keeps the type
    require_module(context, activity.related.type)
    return activity


def readable_note(context: ToolContext, note_id: str) -> Note:
    """The note. Raises `NotFoundError`, also for another user's private note, and `PermissionDeniedError`."""
    note = context.records.get("note", note_id)
    assert isinstance(note, Note)  # noqa: S101 - the store keeps the type
    if is_private_to_another(context, note):
        raise NotFoundError("There is no note with this id.", entity_type="note", entity_id=note_id)
    require_module(context, note.related.type)
    return note


def readable_notes(context: ToolContext, query: RecordQuery) -> RecordPage:
    """A page of notes without other users' private ones.

    `total` is given only when the page is the whole list: the store counts what is not shown, too.
    """
    found: list[Record] = []
    cursor = query.cursor
    for _ in range(_ROUNDS):
        wanted = RecordQuery("note", query.name_contains, query.where, query.order, query.limit - len(found), cursor)
        page = context.records.search(wanted)
        found += _shown(context, page.items)
        cursor = page.next_cursor
        if cursor is None or len(found) >= query.limit:
            break
    return RecordPage(found, len(found) if query.cursor is None and cursor is None else None, cursor)


def _shown(context: ToolContext, notes: Sequence[Record]) -> list[Record]:
    return [note for note in notes if isinstance(note, Note) and not is_private_to_another(context, note)]
