"""Suggestions: findings of scans, stored for the owner of the record until the owner decides about them.

A suggestion's id consists of its record and the rule that found it, so every scan that finds it again finds the same
suggestion. Suggestions about records without an owner belong to the tenant and are shared by its users.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import batched, islice
from typing import Any, Literal, get_args

from msgspec import Struct, convert

from aisha.application.redaction.safe_text import safe_text
from aisha.application.scans import Finding
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.tenant_stores import OwnedEntries
from aisha.domain.crm.paging import items
from aisha.domain.entries import MAX_ENTRIES, Entry, EntryKey, EntryPut
from aisha.domain.errors import ConflictError, ContentionError, InvalidInputError, NotFoundError
from aisha.domain.ports import EntryRepository
from aisha.domain.retries import retrying

Status = Literal["pending", "accepted", "dismissed", "snoozed", "superseded"]
STATUSES: tuple[Status, ...] = get_args(Status)
PENDING, ACCEPTED, DISMISSED, SNOOZED, SUPERSEDED = STATUSES
OPEN = frozenset((PENDING, SNOOZED))
KIND = "suggestion"
SHOWN_KIND = "suggestion_list"
"""The kind of the entry with the ids that were listed to the user last."""
OPEN_RETENTION = timedelta(days=60)
"""The time for which an open suggestion is kept that no sweep finds again or supersedes."""
CLOSED_RETENTION: dict[Status, timedelta] = {
    ACCEPTED: timedelta(days=30),
    DISMISSED: timedelta(days=90),
    SUPERSEDED: timedelta(days=7),
}
"""The time for which a closed suggestion is kept. While an accepted or dismissed one is kept, it is not made again."""
FORGOTTEN_USER = ""
"""The `decided_by` of a decision by a user whose data was deleted."""
MAX_READ = 2000
"""Suggestions that one list or count reads; there are more only where users never decide."""
_PAGE = 50
_MAX_TRIES = 5


class Suggestion(Struct, frozen=True):
    """A suggestion. `is_shared` is true if its record has no owner: every user who may see it may decide about it.

    `kind` is the rule that found it, `entity` is `{type, id, name}`, `priority` is 1 to 10. `tool` and `arguments` are
    the call that carries it out, if there is one. `opened_at` is when it was found first, or again after it was closed.
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


class FoundFinding(Struct, frozen=True):
    """A finding to store: the type of scan that made it, and the `modules` that a user needs to see it."""

    finding: Finding
    scan_type: str
    modules: Collection[str] = ()

    @property
    def key(self) -> EntryKey:
        return EntryKey(self.finding.owner, KIND, suggestion_id(self.finding.kind, self.finding.entity.id))


class SuggestionCounts(Struct, frozen=True):
    """Numbers of the suggestions that the user may see. `is_exact` is False when there were more than are read."""

    pending: int
    accepted: int
    is_exact: bool


def suggestion_id(kind: str, record_id: str) -> str:
    """Return the id of this rule's suggestion about this record."""
    return f"{KIND}_{record_id}.{kind}"


def save_findings(
    entries: EntryRepository, tenant: str, findings: Sequence[FoundFinding], sweep: str, now: datetime
) -> list[bool]:
    """Store findings as found by this sweep; return for each whether this sweep is the first to find it.

    An accepted or dismissed suggestion is left as it is; a superseded one is opened again. Storing the same findings
    again changes nothing. Raises `ConflictError` after many conflicts.
    """
    exhausted = ContentionError("Suggestions were changed by many at once", entity_type=KIND)
    return [
        is_new
        for batch in batched(findings, MAX_ENTRIES)
        for is_new in retrying(_MAX_TRIES, partial(_save, entries, tenant, batch, sweep, now), exhausted)
    ]


def _save(
    entries: EntryRepository, tenant: str, findings: Sequence[FoundFinding], sweep: str, now: datetime
) -> list[bool]:
    stored = entries.find_many(tenant, [finding.key for finding in findings])
    puts: list[EntryPut] = []
    is_new: list[bool] = []
    for finding in findings:
        entry = stored.get(finding.key)
        body = _merged(entry, _content(finding, sweep), now)
        # A decision of the user is not overwritten, and an unchanged suggestion costs no write.
        if body is not None:
            puts.append(EntryPut(finding.key, body, entry.version if entry else 0, _open_until(body, now)))
        # A repeated page finds it stored: it still counts as new for the sweep that found it first.
        current = body or (entry.body if entry and entry.body["status"] in OPEN else {})
        is_new.append(current.get("first_sweep") == sweep)
    if puts:
        entries.put_many(tenant, puts)
    return is_new


def supersede(
    entries: EntryRepository, tenant: str, owner: str | None, outdated: Sequence[Entry], now: datetime
) -> int:
    """Close an owner's open suggestions whose reason is gone; return how many.

    Those that a user decided about meanwhile are left. Raises `ConflictError` after many conflicts.
    """
    return sum(_close(entries, tenant, owner, batch, now) for batch in batched(outdated, MAX_ENTRIES))


def _close(entries: EntryRepository, tenant: str, owner: str | None, outdated: Sequence[Entry], now: datetime) -> int:
    remaining = {EntryKey(owner, KIND, entry.id): entry for entry in outdated}
    changes = {"status": SUPERSEDED, "decided_at": now.isoformat()}

    def save() -> int:
        nonlocal remaining
        expires = now + CLOSED_RETENTION[SUPERSEDED]
        puts = [EntryPut(key, {**entry.body, **changes}, entry.version, expires) for key, entry in remaining.items()]
        try:
            entries.put_many(tenant, puts)
        except ConflictError:
            # A user decided about one of them meanwhile: the others are still to be closed.
            stored = entries.find_many(tenant, list(remaining))
            remaining = {
                key: entry for key, entry in remaining.items() if key in stored and stored[key].version == entry.version
            }
            raise
        return len(puts)

    return retrying(_MAX_TRIES, save)


def iterate_entries(entries: OwnedEntries) -> Iterator[Entry]:
    """Yield the stored suggestions of one owner. Pages are read on demand."""
    return items(lambda cursor: entries.page(KIND, limit=_PAGE, cursor=cursor))


def forget_decisions(shared: OwnedEntries, user: str) -> int:
    """Remove the user from their decisions about shared suggestions; return how many. The decisions stay."""
    count = 0
    for entry in iterate_entries(shared):
        if entry.body.get("decided_by") == user:
            body = {**entry.body, "decided_by": FORGOTTEN_USER}
            shared.put(KIND, entry.id, body, expected_version=entry.version, expires_at=entry.expires_at)
            count += 1
    return count


def find_suggestion(context: ToolContext, entry_id: str) -> tuple[OwnedEntries, Entry]:
    """Return the suggestion's entry and the entries that hold it. Raises `NotFoundError`, also if it is hidden."""
    # A hidden one is reported as missing: its existence would tell of a module that the user may not see.
    for entries in (context.own, context.shared):
        entry = entries.find(KIND, entry_id)
        if entry is not None and _may_see(context, entry):
            return entries, entry
    raise NotFoundError(
        "There is no such suggestion.",
        entity_type=KIND,
        entity_id=entry_id[:200],
        suggestion="List those that wait with GET /api/ai/suggestions.",
    )


def read_suggestions(context: ToolContext, status: Status = PENDING) -> tuple[list[Suggestion], SuggestionCounts]:
    """Return the user's suggestions of this status, the highest priority first, and the numbers of all of them.

    A snoozed suggestion is pending again once its time has come. Raises `InvalidInputError` for an unknown status.
    """
    if status not in STATUSES:
        raise InvalidInputError(
            f"There is no status {status!r}", pointer="/status", suggestion=f"Use one of: {', '.join(STATUSES)}."
        )
    suggestions, has_more = _read(context)
    matches = [suggestion for suggestion in suggestions if suggestion.status == status]
    matches.sort(key=lambda suggestion: (-suggestion.priority, suggestion.opened_at, suggestion.id))
    return matches, _counts(suggestions, is_exact=not has_more)


def count_suggestions(context: ToolContext) -> SuggestionCounts:
    """Return how many suggestions are pending for the user, and how many the user accepted within the last 30 days."""
    suggestions, has_more = _read(context)
    return _counts(suggestions, is_exact=not has_more)


def _counts(suggestions: Collection[Suggestion], *, is_exact: bool) -> SuggestionCounts:
    statuses = [suggestion.status for suggestion in suggestions]
    return SuggestionCounts(statuses.count(PENDING), statuses.count(ACCEPTED), is_exact)


def to_suggestion(entry: Entry, now: datetime, *, is_shared: bool) -> Suggestion:
    """Return the stored suggestion with its status as of `now`."""
    body = {
        **entry.body,
        "id": entry.id,
        "status": _status(entry.body, now),
        "version": entry.version,
        "is_shared": is_shared,
        "snoozed_until": entry.body.get("until"),
    }
    return convert(body, Suggestion)


def _read(context: ToolContext) -> tuple[list[Suggestion], bool]:
    """Return the user's suggestions among the first `MAX_READ`, own before shared, and whether there are more."""
    stored = ((entry, own is context.shared) for own in (context.own, context.shared) for entry in iterate_entries(own))
    # One more than is used tells whether there are more.
    newest = list(islice(stored, MAX_READ + 1))
    suggestions = [
        to_suggestion(entry, context.now, is_shared=is_shared)
        for entry, is_shared in newest[:MAX_READ]
        if _may_see(context, entry) and _is_open_or_own(context, entry)
    ]
    return suggestions, len(newest) > MAX_READ


def _may_see(context: ToolContext, entry: Entry) -> bool:
    return all(context.principal.may_use(module) for module in entry.body["modules"])


def _is_open_or_own(context: ToolContext, entry: Entry) -> bool:
    # A shared suggestion that another user decided about is not among the user's.
    return entry.body.get("decided_by") in (None, context.principal.user)


def _status(body: Mapping[str, Any], now: datetime) -> Status:
    stored: Status = body["status"]
    until = _parse_time(body.get("until"))
    return PENDING if stored == SNOOZED and until is not None and until <= now else stored


def _content(entry: FoundFinding, sweep: str) -> dict[str, Any]:
    finding = entry.finding
    return {
        "scan_type": entry.scan_type,
        "kind": finding.kind,
        "entity": finding.entity.model_dump(),
        "text": safe_text(finding.text),
        "priority": finding.priority,
        "tool": finding.tool,
        "arguments": finding.arguments,
        "modules": sorted(entry.modules),
        "seen": sweep,
    }


def _merged(entry: Entry | None, content: Mapping[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return the body to store; None when the stored one stays as it is."""
    if entry is None or entry.body["status"] == SUPERSEDED:
        return {**content, "status": PENDING, "opened_at": now.isoformat(), "first_sweep": content["seen"]}
    # The rest stays: status, snooze and the sweep that found it first.
    merged = {**entry.body, **content}
    return None if entry.body["status"] not in OPEN or merged == entry.body else merged


def _open_until(body: Mapping[str, Any], now: datetime) -> datetime:
    # A suggestion must not expire while it is snoozed.
    return max(now, _parse_time(body.get("until")) or now) + OPEN_RETENTION


def _parse_time(value: Any) -> datetime | None:
    return datetime.fromisoformat(value) if isinstance(value, str) else None
