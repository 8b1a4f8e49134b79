"""A user's sticky notes: reminders that are about no record, and which of them are due.

Open ones stay until they are resolved; resolved ones are kept for 30 days.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from aisha.application.tooling.context import OwnedEntries
from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError
from aisha.domain.pages import read_items

KIND = "reminder"
KEPT_RESOLVED = timedelta(days=30)
_PAGE = 50
_MOST_PAGES = 20
"""A thousand notes, the newest; nobody reads more."""


class StickyNote(Struct, frozen=True):
    """`due_at` is None for a note that never comes due, `resolved_at` while it is open. `version` counts the saves."""

    id: str
    text: str
    due_at: datetime | None
    created_at: datetime
    resolved_at: datetime | None = None
    version: int = 1

    def is_due(self, now: datetime) -> bool:
        """Whether the user is to be told of it now."""
        return self.resolved_at is None and self.due_at is not None and self.due_at <= now


def open_notes(own: OwnedEntries) -> list[StickyNote]:
    """Those not resolved: by when they come due, then those without a time, the newest first."""
    return read_open_notes(own)[0]


def read_open_notes(own: OwnedEntries) -> tuple[list[StickyNote], bool]:
    """As `open_notes`, and whether there are notes that were not read."""
    read, has_more = _read(own)
    notes = [note for note in read if note.resolved_at is None]
    timed = sorted((note for note in notes if note.due_at), key=lambda note: note.due_at or note.created_at)
    return timed + [note for note in notes if note.due_at is None], has_more


def due_notes(own: OwnedEntries, now: datetime) -> list[StickyNote]:
    """What the user is to be told of now, the longest due first."""
    return [note for note in open_notes(own) if note.is_due(now)]


def resolved_notes(own: OwnedEntries) -> list[StickyNote]:
    """Those resolved within the last 30 days, the latest resolved first."""
    notes = [note for note in _read(own)[0] if note.resolved_at is not None]
    return sorted(notes, key=lambda note: note.resolved_at or note.created_at, reverse=True)


def note_of(own: OwnedEntries, note_id: str) -> StickyNote:
    """Raises `NotFoundError`."""
    return _note(own.get(KIND, note_id))


def stick(own: OwnedEntries, text: str, due_at: datetime | None) -> StickyNote:
    """A new note."""
    return _note(own.add(KIND, _body(text, due_at, None)))


def snooze(own: OwnedEntries, note: StickyNote, until: datetime) -> StickyNote:
    """The note, due at another time. Raises `ConflictError` when it is resolved or was changed meanwhile."""
    if note.resolved_at is not None:
        raise ConflictError("That sticky note is resolved already", suggestion="Create a new one.")
    return _note(own.put(KIND, note.id, _body(note.text, until, None), expected_version=note.version))


def resolve(own: OwnedEntries, note: StickyNote, now: datetime) -> StickyNote:
    """The note, done with; one that is resolved already stays as it is. Raises `ConflictError`."""
    if note.resolved_at is not None:
        return note
    body = _body(note.text, note.due_at, now)
    return _note(own.put(KIND, note.id, body, expected_version=note.version, expires_at=now + KEPT_RESOLVED))


def _read(own: OwnedEntries) -> tuple[list[StickyNote], bool]:
    entries, has_more = read_items(lambda cursor: own.page(KIND, limit=_PAGE, cursor=cursor), max_pages=_MOST_PAGES)
    return [_note(entry) for entry in entries], has_more


def _body(text: str, due_at: datetime | None, resolved_at: datetime | None) -> dict[str, Any]:
    times = {"due_at": due_at, "resolved_at": resolved_at}
    return {"text": text} | {name: moment.isoformat() for name, moment in times.items() if moment is not None}


def _note(entry: Entry) -> StickyNote:
    due_at, resolved_at = (_moment(entry.body, name) for name in ("due_at", "resolved_at"))
    text = str(entry.body.get("text", ""))
    return StickyNote(entry.id, text, due_at, entry.created_at, resolved_at, entry.version)


def _moment(body: Mapping[str, Any], name: str) -> datetime | None:
    return datetime.fromisoformat(body[name]) if body.get(name) else None
