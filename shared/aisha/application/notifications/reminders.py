"""Reminders: a user's own notes that are about no record. Users and tools call them sticky notes.

Open reminders stay until they are resolved; resolved ones are kept for 30 days.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from aisha.application.tooling.tenant_stores import OwnedEntries
from aisha.domain.crm.paging import read_items
from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError

KIND = "reminder"
RESOLVED_RETENTION = timedelta(days=30)
_PAGE = 50
_MAX_PAGES = 20
"""Lists have the newest thousand reminders, more than a person can read through."""


class Reminder(Struct, frozen=True):
    """A reminder. `due_at` is None if it never comes due, `resolved_at` while it is open. `version` counts saves."""

    id: str
    text: str
    due_at: datetime | None
    created_at: datetime
    resolved_at: datetime | None = None
    version: int = 1

    def is_due(self, now: datetime) -> bool:
        return self.resolved_at is None and self.due_at is not None and self.due_at <= now


def open_reminders(entries: OwnedEntries) -> tuple[list[Reminder], bool]:
    """Return the open reminders and whether there are more: by due time, then those without one, newest first."""
    reminders, has_more = _read(entries)
    unresolved = [reminder for reminder in reminders if reminder.resolved_at is None]
    timed = [reminder for reminder in unresolved if reminder.due_at is not None]
    # All of them have a due time; the alternative is for the type checker.
    timed.sort(key=lambda reminder: reminder.due_at or reminder.created_at)
    return timed + [reminder for reminder in unresolved if reminder.due_at is None], has_more


def due_reminders(entries: OwnedEntries, now: datetime) -> list[Reminder]:
    """Return the open reminders whose time has come, the longest due first."""
    return [reminder for reminder in open_reminders(entries)[0] if reminder.is_due(now)]


def resolved_reminders(entries: OwnedEntries) -> list[Reminder]:
    """Return the reminders resolved within the last 30 days, the latest first."""
    resolved = [reminder for reminder in _read(entries)[0] if reminder.resolved_at is not None]
    return sorted(resolved, key=lambda reminder: reminder.resolved_at or reminder.created_at, reverse=True)


def get_reminder(entries: OwnedEntries, reminder_id: str) -> Reminder:
    """Return the reminder. Raises `NotFoundError`."""
    return _to_reminder(entries.get(KIND, reminder_id))


def create_reminder(entries: OwnedEntries, text: str, due_at: datetime | None) -> Reminder:
    """Store and return a new reminder."""
    return _to_reminder(entries.add(KIND, _body(text, due_at, None)))


def snooze_reminder(entries: OwnedEntries, reminder: Reminder, until: datetime) -> Reminder:
    """Store the reminder with a new due time. Raises `ConflictError` when it is resolved or was changed meanwhile."""
    if reminder.resolved_at is not None:
        raise ConflictError("That sticky note is resolved already", suggestion="Create a new one.")
    body = _body(reminder.text, until, None)
    return _to_reminder(entries.put(KIND, reminder.id, body, expected_version=reminder.version))


def resolve_reminder(entries: OwnedEntries, reminder: Reminder, now: datetime) -> Reminder:
    """Store the reminder as resolved unless it is already. Raises `ConflictError` when it was changed meanwhile."""
    if reminder.resolved_at is not None:
        return reminder
    body, expires = _body(reminder.text, reminder.due_at, now), now + RESOLVED_RETENTION
    return _to_reminder(entries.put(KIND, reminder.id, body, expected_version=reminder.version, expires_at=expires))


def _read(own: OwnedEntries) -> tuple[list[Reminder], bool]:
    entries, has_more = read_items(lambda cursor: own.page(KIND, limit=_PAGE, cursor=cursor), max_pages=_MAX_PAGES)
    return [_to_reminder(entry) for entry in entries], has_more


def _body(text: str, due_at: datetime | None, resolved_at: datetime | None) -> dict[str, Any]:
    times = {"due_at": due_at, "resolved_at": resolved_at}
    return {"text": text} | {name: moment.isoformat() for name, moment in times.items() if moment is not None}


def _to_reminder(entry: Entry) -> Reminder:
    due_at, resolved_at = (_parse_time(entry.body, name) for name in ("due_at", "resolved_at"))
    text = str(entry.body.get("text", ""))
    return Reminder(entry.id, text, due_at, entry.created_at, resolved_at, entry.version)


def _parse_time(body: Mapping[str, Any], name: str) -> datetime | None:
    return datetime.fromisoformat(body[name]) if body.get(name) else None
