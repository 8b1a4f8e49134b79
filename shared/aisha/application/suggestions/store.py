"""Suggestions: what the scans found worth doing, kept for the user who owns the record until it is decided.

A suggestion's id is made of its record and the rule that found it: whatever scan finds it again, and however often, it
is the same suggestion. Those of records without an owner are the tenant's.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Literal, get_args

from msgspec import Struct

from aisha.application.scans import Finding
from aisha.application.tooling.context import OwnedEntries, ToolContext
from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError
from aisha.domain.pages import items
from aisha.domain.retries import retrying

Status = Literal["pending", "accepted", "dismissed", "snoozed", "superseded"]
STATUSES: tuple[Status, ...] = get_args(Status)
PENDING, ACCEPTED, DISMISSED, SNOOZED, SUPERSEDED = STATUSES
OPEN = frozenset((PENDING, SNOOZED))
KIND = "suggestion"
KEPT_OPEN = timedelta(days=60)
"""How long one stays that no sweep finds again or takes back."""
KEPT: dict[Status, timedelta] = {
    ACCEPTED: timedelta(days=30),
    DISMISSED: timedelta(days=90),
    SUPERSEDED: timedelta(days=7),
}
"""How long a decided one is remembered, and so not made again."""
NOBODY = ""
"""Who decided, once that user is forgotten."""
MAX_READ = 2000
"""Suggestions that one list or count looks at; there are more only where nobody decides anything."""
_PAGE = 50
_TRIES = 5


class Suggestion(Struct, frozen=True):
    """One thing to do. `is_shared` when its record has no owner: whoever may see it may decide about it.

    `kind` is the rule that found it, `entity` `{type, id, name}`, `priority` 1 to 10. `tool` and `arguments` are the call
    that does it, where one does. `opened_at` is when it was found first, or again after it was done with.
    """

    id: str
    status: Status
    scan_type: str
    kind: str
    entity: Mapping[str, str]
    text: str
    priority: int
    opened_at: datetime
    version: int
    is_shared: bool
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None
    snoozed_until: datetime | None = None
    decided_at: datetime | None = None


class SuggestionCounts(Struct, frozen=True):
    """Of what the user may see; `is_exact` is False where there were more than are read."""

    pending: int
    accepted: int
    is_exact: bool


def suggestion_id(kind: str, record_id: str) -> str:
    """The id of what this rule says about this record."""
    return f"{KIND}_{record_id}.{kind}"


def save_finding(
    own: OwnedEntries, finding: Finding, scan_type: str, sweep: str, now: datetime, modules: Collection[str] = ()
) -> bool:
    """Keeps what a scan found and marks it as found by this `sweep`; True when it is new by it.

    What was accepted or dismissed stays so while that is remembered; what was superseded is suggested again. `modules`
    are those that a user needs to see it. The same finding again changes nothing.
    """
    entry_id = suggestion_id(finding.kind, finding.entity.id)
    content = _content(finding, scan_type, sweep, modules)

    def save() -> bool:
        entry = own.find(KIND, entry_id)
        body = _merged(entry, content, now)
        if body is None:
            return entry is not None and entry.body["status"] in OPEN and entry.body["first_sweep"] == sweep
        version = entry.version if entry else 0
        own.put(KIND, entry_id, body, expected_version=version, expires_at=_open_until(body, now))
        return bool(body["first_sweep"] == sweep)

    exhausted = ConflictError("A suggestion was changed by many at once", entity_type=KIND, entity_id=entry_id)
    return retrying(_TRIES, save, exhausted)


def supersede(own: OwnedEntries, entry: Entry, now: datetime) -> bool:
    """Takes back an open suggestion whose reason is gone; False when somebody decided about it meanwhile."""
    body = {**entry.body, "status": SUPERSEDED, "decided_at": now.isoformat()}
    try:
        own.put(KIND, entry.id, body, expected_version=entry.version, expires_at=now + KEPT[SUPERSEDED])
    except ConflictError:
        return False
    return True


def iterate_entries(own: OwnedEntries) -> Iterator[Entry]:
    """The stored suggestions of one owner, read page by page."""
    return items(lambda cursor: own.page(KIND, limit=_PAGE, cursor=cursor))


def forget_decisions(shared: OwnedEntries, user: str) -> int:
    """Takes the user's name off what they decided about the tenant's suggestions, which stays; returns how many."""
    count = 0
    for entry in iterate_entries(shared):
        if entry.body.get("decided_by") == user:
            body = {**entry.body, "decided_by": NOBODY}
            shared.put(KIND, entry.id, body, expected_version=entry.version, expires_at=entry.expires_at)
            count += 1
    return count


def find(context: ToolContext, entry_id: str) -> tuple[OwnedEntries, Entry]:
    """The suggestion and whose entries it is among. Raises `NotFoundError`, also for what the user may not see."""
    for own in (context.own, context.shared):
        entry = own.find(KIND, entry_id)
        if entry is not None and _may_see(context, entry):
            return own, entry
    raise NotFoundError("There is no such suggestion.", entity_type=KIND, entity_id=entry_id[:200])


def suggestions(context: ToolContext, status: Status = PENDING) -> tuple[list[Suggestion], SuggestionCounts]:
    """Those of this status that the user may see, the most pressing first, and how many there are of the others.

    One that is snoozed is pending again when its time has come. Raises `InvalidInputError` for a status that is none.
    """
    if status not in STATUSES:
        raise InvalidInputError(
            f"There is no status {status!r}", pointer="/status", suggestion=f"Use one of: {', '.join(STATUSES)}."
        )
    found, more = _read(context)
    shown = [one for one in found if one.status == status]
    return sorted(shown, key=lambda one: (-one.priority, one.opened_at, one.id)), _counts(found, more)


def count_suggestions(context: ToolContext) -> SuggestionCounts:
    """How many wait for the user, and how many the user accepted within the last 30 days."""
    return _counts(*_read(context))


def _counts(found: Collection[Suggestion], more: bool) -> SuggestionCounts:
    statuses = [one.status for one in found]
    return SuggestionCounts(statuses.count(PENDING), statuses.count(ACCEPTED), not more)


def to_suggestion(entry: Entry, now: datetime, *, is_shared: bool) -> Suggestion:
    """What is stored, as of `now`."""
    body = entry.body
    return Suggestion(
        id=entry.id, status=_status(body, now), scan_type=body["scan_type"], kind=body["kind"], entity=body["entity"],
        text=body["text"], priority=body["priority"], opened_at=datetime.fromisoformat(body["opened_at"]),
        version=entry.version, is_shared=is_shared, tool=body.get("tool"), arguments=body.get("arguments"),
        snoozed_until=_moment(body.get("until")), decided_at=_moment(body.get("decided_at")),
    )  # fmt: skip


def _read(context: ToolContext) -> tuple[list[Suggestion], bool]:
    """What the user may see of the first `MAX_READ`, their own before the tenant's, and whether there are more."""
    stored = ((entry, own is context.shared) for own in (context.own, context.shared) for entry in iterate_entries(own))
    read = list(islice(stored, MAX_READ + 1))
    found = [
        to_suggestion(entry, context.now, is_shared=is_shared)
        for entry, is_shared in read[:MAX_READ]
        if _may_see(context, entry) and _is_mine(context, entry)
    ]
    return found, len(read) > MAX_READ


def _may_see(context: ToolContext, entry: Entry) -> bool:
    return all(context.principal.may_use(module) for module in entry.body["modules"])


def _is_mine(context: ToolContext, entry: Entry) -> bool:
    """What somebody else decided about a shared one is not among the user's."""
    return entry.body.get("decided_by") in (None, context.principal.user)


def _status(body: Mapping[str, Any], now: datetime) -> Status:
    stored: Status = body["status"]
    until = _moment(body.get("until"))
    return PENDING if stored == SNOOZED and until is not None and until <= now else stored


def _content(finding: Finding, scan_type: str, sweep: str, modules: Collection[str]) -> dict[str, Any]:
    return {
        "scan_type": scan_type,
        "kind": finding.kind,
        "entity": finding.entity.model_dump(),
        "text": finding.text,
        "priority": finding.priority,
        "tool": finding.tool,
        "arguments": finding.arguments,
        "modules": sorted(modules),
        "seen": sweep,
    }


def _merged(entry: Entry | None, content: Mapping[str, Any], now: datetime) -> dict[str, Any] | None:
    """What to store; None when nothing is to be changed."""
    if entry is None or entry.body["status"] == SUPERSEDED:
        return {**content, "status": PENDING, "opened_at": now.isoformat(), "first_sweep": content["seen"]}
    merged = {**entry.body, **content}
    return None if entry.body["status"] not in OPEN or merged == entry.body else merged


def _open_until(body: Mapping[str, Any], now: datetime) -> datetime:
    return max(now, _moment(body.get("until")) or now) + KEPT_OPEN


def _moment(value: Any) -> datetime | None:
    return datetime.fromisoformat(value) if isinstance(value, str) else None
