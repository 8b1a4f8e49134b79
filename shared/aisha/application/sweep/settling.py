"""The end of a sweep: suggestions whose reason is gone are taken back, users are told what is new, one event is left."""

import hashlib
from collections.abc import Collection
from datetime import datetime, timedelta

from msgspec import Struct
from ulid import ULID

from aisha.application.notifications.settings import NotificationSettings, settings_of
from aisha.application.notifications.store import NewNotification, keep_notification
from aisha.application.scans import specs
from aisha.application.scans.log import EVENT_KIND, SWEPT
from aisha.application.suggestions.store import OPEN, PENDING, suggestion_of, supersede, walk
from aisha.application.sweep.record_streams import SCAN_TYPES
from aisha.application.sweep.state import ScanTotals, SweepState
from aisha.application.tooling.context import OwnedEntries, ToolContext, make_context
from aisha.domain.principal import Principal
from aisha.domain.queries import Create
from aisha.domain.records import Event

_TOLD = 3
"""Suggestions that a digest words; it counts the others."""


class _News(Struct):
    """What is new for one owner: how many, and the most pressing by priority and words."""

    count: int = 0
    first: list[tuple[int, str]] | None = None

    def add(self, priority: int, text: str) -> None:
        self.count += 1
        self.first = sorted([*(self.first or []), (priority, text)], key=lambda one: -one[0])[:_TOLD]


def settle(owner: str | None, context: ToolContext, state: SweepState) -> int:
    """Supersedes what this sweep should have found again and did not; returns how many. Tells the owner what is new."""
    own = OwnedEntries(context.ports.entries, context.principal.tenant, owner)
    looked_at, superseded, news = complete_scans(state), 0, _News()
    for entry in walk(own):
        body = entry.body
        if body["status"] not in OPEN:
            continue
        if body["seen"] != state.sweep and body["scan_type"] in looked_at:
            superseded += supersede(own, entry, context.now)
        elif body["first_sweep"] == state.sweep:
            one = suggestion_of(entry, context.now, is_shared=owner is None)
            if one.status == PENDING:
                news.add(one.priority, one.text)
    if owner is not None and news.count:
        _tell(owner, news, context, state)
    return superseded


def complete_scans(state: SweepState) -> Collection[str]:
    """The types of scan that looked at every record: only these know that a reason is gone."""
    if state.truncated:
        return ()
    return {name for name in state.scan_types if not state.totals.get(name, ScanTotals()).failed_pages}


def write_event(context: ToolContext, state: SweepState) -> None:
    """The one event of a sweep, written once whoever tries."""
    sums = {name: state.totals.get(name, ScanTotals()) for name in SCAN_TYPES if name in state.scan_types}
    titles = {spec.scan_type: spec.title for spec in specs()}
    failed = any(one.failed_pages for one in sums.values())
    detail = {
        "sweep": state.sweep,
        "examined": state.examined,
        "pages": state.pages,
        "findings": sum(one.findings for one in sums.values()),
        "new_findings": sum(one.new_findings for one in sums.values()),
        "superseded": state.superseded,
        "truncated": state.truncated,
        SWEPT: [
            {
                "scan_type": name,
                "title": titles[name],
                "findings": one.findings,
                "new_findings": one.new_findings,
                "succeeded": not one.failed_pages,
                "failed_pages": one.failed_pages,
            }
            for name, one in sums.items()
        ],
    }
    title = "Sweep Completed with Failures" if failed else "Sweep Completed"
    event = Event(kind=EVENT_KIND, title=title, detail=detail, level="warning" if failed else "info")
    context.records.write(Create(event))


def next_at(hour: int, now: datetime) -> datetime:
    """The next time that the clock of `now`'s zone shows this full hour."""
    today = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


def _tell(owner: str, news: _News, context: ToolContext, state: SweepState) -> None:
    ports, tenant = context.ports, context.principal.tenant
    wishes = settings_of(ports.entries, tenant, owner)
    if not wishes.digest:
        return
    user = Principal(tenant, owner, zone=wishes.zone, door=context.principal.door)
    theirs = make_context(user, ports, context.operation_id, context.now)
    keep_notification(_digest(news, wishes, theirs.now), theirs, _digest_id(state, owner), asked_by=state.sweep)


def _digest(news: _News, wishes: NotificationSettings, now: datetime) -> NewNotification:
    lines = [f"- {text}" for _, text in news.first or ()]
    if (more := news.count - len(lines)) > 0:
        lines.append(f"- and {more} more")
    title = "1 new suggestion" if news.count == 1 else f"{news.count} new suggestions"
    return NewNotification(
        title=f"{title} about your records", body="\n".join(lines), due_at=next_at(wishes.digest_hour, now),
        channel=wishes.channel,
    )  # fmt: skip


def _digest_id(state: SweepState, owner: str) -> str:
    """Return the ULID of this sweep's digest for an owner. Every try makes the same one, so it is stored once."""
    # The time is the sweep's own: that of the try would differ from try to try.
    milliseconds = int(state.started_at.timestamp() * 1000)
    digest = hashlib.sha256(f"{state.sweep}\n{owner}".encode()).digest()
    return str(ULID(milliseconds.to_bytes(6) + digest[:10]))
