"""The second phase of a sweep: it supersedes outdated suggestions, notifies users of new ones and writes an event."""

import hashlib
from collections.abc import Collection
from datetime import datetime, timedelta

from msgspec import Struct, field
from ulid import ULID

from aisha.application.notifications.settings import NotificationSettings, settings_of
from aisha.application.notifications.store import NewNotification, store_notification
from aisha.application.scans import specs
from aisha.application.scans.log import EVENT_KIND, SWEPT_SCANS
from aisha.application.suggestions.store import OPEN, PENDING, iterate_entries, supersede, to_suggestion
from aisha.application.sweep.record_streams import SCAN_TYPES
from aisha.application.sweep.state import ScanTotals, SweepState
from aisha.application.tooling.context import ToolContext, make_context
from aisha.application.tooling.tenant_stores import OwnedEntries
from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import Event
from aisha.domain.entries import Entry
from aisha.domain.principal import Principal

_MAX_DIGEST_LINES = 3
"""Suggestions whose text is in a digest; the others are only counted."""


class _NewSuggestions(Struct):
    """The number of an owner's new suggestions, and priority and text of the first ones, highest priority first."""

    count: int = 0
    first: list[tuple[int, str]] = field(default_factory=list)

    def add(self, priority: int, text: str) -> None:
        self.count += 1
        self.first = sorted([*self.first, (priority, text)], key=lambda pair: -pair[0])[:_MAX_DIGEST_LINES]


def settle_suggestions(owner: str | None, context: ToolContext, state: SweepState) -> int:
    """Supersede the owner's open suggestions that this sweep did not find again, and notify the owner of new ones.

    Returns how many were superseded. Suggestions of the tenant (`owner` None) cause no notification.
    """
    entries = OwnedEntries(context.ports.entries, context.principal.tenant, owner)
    complete, new = complete_scans(state), _NewSuggestions()
    outdated: list[Entry] = []
    for entry in iterate_entries(entries):
        body = entry.body
        if body["status"] not in OPEN:
            continue
        if body["seen"] != state.sweep and body["scan_type"] in complete:
            outdated.append(entry)
        elif body["first_sweep"] == state.sweep:
            suggestion = to_suggestion(entry, context.now, is_shared=owner is None)
            if suggestion.status == PENDING:
                new.add(suggestion.priority, suggestion.text)
    if owner is not None and new.count:
        _notify(owner, new, context, state)
    return supersede(context.ports.entries, context.principal.tenant, owner, outdated, context.now)


def complete_scans(state: SweepState) -> Collection[str]:
    """Return the types of scan that examined every record: only their missing findings mean that a reason is gone."""
    if state.truncated:
        return ()
    return {name for name in state.scan_types if not state.totals.get(name, ScanTotals()).failed_pages}


def write_event(context: ToolContext, state: SweepState) -> None:
    """Write the event of a sweep. The context's operation id is the same for every try, so it is written once."""
    sums = {name: state.totals.get(name, ScanTotals()) for name in SCAN_TYPES if name in state.scan_types}
    titles = {spec.scan_type: spec.title for spec in specs()}
    failed = any(totals.failed_pages for totals in sums.values())
    detail = {
        "sweep": state.sweep,
        "examined": state.examined,
        "pages": state.pages,
        "findings": sum(totals.findings for totals in sums.values()),
        "new_findings": sum(totals.new_findings for totals in sums.values()),
        "superseded": state.superseded,
        "truncated": state.truncated,
        SWEPT_SCANS: [
            {
                "scan_type": name,
                "title": titles[name],
                "findings": totals.findings,
                "new_findings": totals.new_findings,
                "succeeded": not totals.failed_pages,
                "failed_pages": totals.failed_pages,
                "modules": totals.modules,
            }
            for name, totals in sums.items()
        ],
    }
    title = "Sweep Completed with Failures" if failed else "Sweep Completed"
    event = Event(kind=EVENT_KIND, title=title, detail=detail, level="warning" if failed else "info")
    context.records.write(Create(event))


def next_at(hour: int, now: datetime) -> datetime:
    """Return the next time after `now` at which it is this full hour in the time zone of `now`."""
    today = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


def _notify(owner: str, new: _NewSuggestions, context: ToolContext, state: SweepState) -> None:
    ports, tenant = context.ports, context.principal.tenant
    settings = settings_of(ports.entries, tenant, owner)
    if not settings.digest:
        return
    # The sweep's own principal has no time zone; the digest is due at an hour of the user's.
    user = Principal(tenant, owner, zone=settings.zone, door=context.principal.door)
    user_context = make_context(user, ports, context.operation_id, context.now)
    digest = _digest(new, settings, user_context.now)
    store_notification(digest, user_context, _digest_id(state, owner), asked_by=state.sweep)


def _digest(new: _NewSuggestions, settings: NotificationSettings, now: datetime) -> NewNotification:
    lines = [f"- {text}" for _, text in new.first]
    if (more := new.count - len(lines)) > 0:
        lines.append(f"- and {more} more")
    title = "1 new suggestion" if new.count == 1 else f"{new.count} new suggestions"
    return NewNotification(
        title=f"{title} about your records",
        body="\n".join(lines),
        due_at=next_at(settings.digest_hour, now),
        channel=settings.channel,
    )


def _digest_id(state: SweepState, owner: str) -> str:
    """Return the ULID of this sweep's digest for an owner, the same for every try, so that it is stored once."""
    # The time is the sweep's own: that of the try would differ from try to try.
    milliseconds = int(state.started_at.timestamp() * 1000)
    digest = hashlib.sha256(f"{state.sweep}\n{owner}".encode()).digest()
    return str(ULID(milliseconds.to_bytes(6) + digest[:10]))
