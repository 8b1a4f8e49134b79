"""A user's decisions about suggestions: accept (which runs the call), dismiss or snooze."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from aisha.application.idempotency.keys import Attempt
from aisha.application.memory.chunks import Case, accepted_chunk
from aisha.application.memory.ingest import QUEUE, messages
from aisha.application.memory.turn_chunks import remember_call
from aisha.application.suggestions.store import (
    ACCEPTED,
    CLOSED_RETENTION,
    DISMISSED,
    KIND,
    OPEN,
    OPEN_RETENTION,
    PENDING,
    SNOOZED,
    Status,
    Suggestion,
    find_suggestion,
    to_suggestion,
)
from aisha.application.tenants.profile import rules_of
from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.context import ToolContext, make_context
from aisha.application.tooling.gate.execution import execute_gated, raise_rejection, refuse_to_ask
from aisha.application.tooling.gate.visibility import is_private_to_other
from aisha.application.tooling.tenant_stores import OwnedEntries
from aisha.domain.crm.records import SUBJECT_TYPES, Activity, Record
from aisha.domain.entries import Entry
from aisha.domain.errors import AishaError, ConflictError, GoneError, InvalidInputError
from aisha.domain.retries import retrying
from aisha.domain.tools import ToolCall, ToolResult

DEFAULT_SNOOZE = timedelta(days=1)
MAX_SNOOZE = timedelta(days=90)
_MAX_TRIES = 5
_DECISION_FIELDS = ("decided_at", "decided_by", "decided_in")


def accept(
    entry_id: str,
    context: ToolContext,
    registry: ToolRegistry,
    bulk_threshold: int,
    arguments: Mapping[str, Any] | None = None,
    *,
    with_call: bool = True,
    attempt: Attempt | None = None,
) -> tuple[Suggestion, ToolCall | None]:
    """Accept a suggestion, run its call at most once for all who accept it, and send that to memory's queue.

    `arguments` complete or replace those of the call. Without `with_call` the user carries it out elsewhere.
    A call that fails is returned with its error and leaves the suggestion pending. A suggestion that an earlier try of
    `attempt` accepted is resumed, because that try may have been cut off before the call.

    Raises `NotFoundError`, `GoneError` for a closed suggestion, `NeedsConfirmationError`, and any error of the gate.
    """
    # Stored with the decision: a later try of the same request recognises its own.
    claim = {"decided_in": attempt.operation} if attempt else {}
    entries, entry = _find_open(entry_id, context, claim)
    call_context = _call_context(entry, context, attempt)
    call = _call(entry, call_context, registry, arguments) if with_call and entry.body.get("tool") else None

    def claim_entry() -> None:
        nonlocal entry
        entry = _decide(entries, entry, context, ACCEPTED, claim) if entry.body["status"] in OPEN else entry

    if call is None:
        claim_entry()
    else:
        # The decision is stored before the call writes, so that two devices cannot both run it.
        if not _run(call, context, bulk_threshold, claim_entry).ok:
            return _to_suggestion(entries, _reopen(entries, entry, context), context), call
        # The decision gets a memory of its own, under the suggestion's id, so the call is not stored as a case.
        remember_call(call, call_context, is_case=False)
    accepted = _to_suggestion(entries, entry, context)
    _remember(accepted, call_context)
    return accepted, call


def dismiss(entry_id: str, context: ToolContext) -> Suggestion:
    """Dismiss the suggestion for 90 days; dismissing it again changes nothing.

    Raises `NotFoundError`, and `GoneError` when it is closed otherwise.
    """
    entries, entry = find_suggestion(context, entry_id)
    if entry.body["status"] == DISMISSED:
        return _to_suggestion(entries, entry, context)
    entries, entry = _find_open(entry_id, context)
    return _to_suggestion(entries, _decide(entries, entry, context, DISMISSED), context)


def snooze(entry_id: str, context: ToolContext, until: datetime | None = None) -> Suggestion:
    """Snooze the suggestion until then, by default for a day.

    Raises `InvalidInputError` for a time in the past or too far off, `NotFoundError`, `GoneError` when it is closed.
    """
    until = until or context.now + DEFAULT_SNOOZE
    if not context.now < until <= context.now + MAX_SNOOZE:
        raise InvalidInputError(
            f"A suggestion can be snoozed for up to {MAX_SNOOZE.days} days from now",
            pointer="/until",
            suggestion="Give a time to come, or dismiss it.",
        )
    entries, entry = _find_open(entry_id, context)
    return _to_suggestion(entries, _decide(entries, entry, context, SNOOZED, {"until": until.isoformat()}), context)


def _run(call: ToolCall, context: ToolContext, bulk_threshold: int, claim: Callable[[], None]) -> ToolResult:
    """Run the call; `claim` is called when the gate has allowed it. Raises the gate's rejection."""
    result = execute_gated(
        call,
        context.principal,
        rules_of(context),
        bulk_threshold=bulk_threshold,
        ask=refuse_to_ask(call, "suggestion"),
        claim=claim,
    )
    raise_rejection(call)
    return result


def _call_context(entry: Entry, context: ToolContext, attempt: Attempt | None) -> ToolContext:
    """Return the context of the suggestion's call, whose operation id changes only once it is opened again."""
    # Not the id of the request: neither a retry nor a second user of a shared suggestion may write again.
    operation = f"{entry.id}.{entry.body['first_sweep']}"
    is_repeated = attempt is not None and attempt.is_resumed
    return make_context(context.principal, context.ports, operation, context.now, is_repeated=is_repeated)


def _find_open(
    entry_id: str, context: ToolContext, claim: Mapping[str, str] | None = None
) -> tuple[OwnedEntries, Entry]:
    """Return the suggestion if it is open or was accepted under this `claim`. Raises `GoneError` otherwise."""
    entries, entry = find_suggestion(context, entry_id)
    if entry.body["status"] not in OPEN and not (claim and claim.items() <= entry.body.items()):
        raise _gone(entry)
    return entries, entry


def _call(
    entry: Entry,
    context: ToolContext,
    registry: ToolRegistry,
    arguments: Mapping[str, Any] | None,
) -> ToolCall:
    """Return the suggestion's call, ready to run. Raises the error of an invalid one."""
    # The user's values win over those that the scan proposed.
    merged = {**(entry.body.get("arguments") or {}), **(arguments or {})}
    call = registry.create_call(entry.body["tool"], merged, context, entry.id)
    if isinstance(error := call.result.exception, AishaError):
        raise error
    return call


def _decide(
    entries: OwnedEntries, entry: Entry, context: ToolContext, status: Status, more: Mapping[str, Any] | None = None
) -> Entry:
    """Store the decision under the version that was read. Raises `GoneError` when another request was faster."""
    now = context.clock.now()

    def save() -> Entry:
        nonlocal entry
        body = {**entry.body, "status": status, **(more or {})}
        if status != SNOOZED:
            body |= {"decided_at": now.isoformat(), "decided_by": context.principal.user}
        expires = now + CLOSED_RETENTION.get(status, OPEN_RETENTION + MAX_SNOOZE)
        try:
            return entries.put(KIND, entry.id, body, expected_version=entry.version, expires_at=expires)
        except ConflictError:
            entry = entries.get(KIND, entry.id)
            if entry.body["status"] not in OPEN:
                raise _gone(entry) from None
            raise  # A sweep has only found it again: try with the new version.

    exhausted = ConflictError("The suggestion was changed by many at once", suggestion="Try again.")
    return retrying(_MAX_TRIES, save, exhausted)


def _reopen(entries: OwnedEntries, entry: Entry, context: ToolContext) -> Entry:
    """Store the suggestion as it was before its call failed."""
    body = {name: value for name, value in entry.body.items() if name not in _DECISION_FIELDS}
    expires = context.clock.now() + OPEN_RETENTION
    return entries.put(KIND, entry.id, body | {"status": PENDING}, expected_version=entry.version, expires_at=expires)


def _to_suggestion(entries: OwnedEntries, entry: Entry, context: ToolContext) -> Suggestion:
    return to_suggestion(entry, context.now, is_shared=entries is context.shared)


def _gone(entry: Entry) -> GoneError:
    status = entry.body["status"]
    reason = "is no longer needed" if status == "superseded" else f"was {status} already"
    return GoneError(f"This suggestion {reason}.", entity_type=KIND, entity_id=entry.id)


def _remember(suggestion: Suggestion, context: ToolContext) -> None:
    """Send an accepted suggestion to memory's queue, if there is one. A failure is logged: the decision stands."""
    queue = context.ports.queue()
    if queue is None:
        return
    try:
        if (subject := _subject(suggestion, context)) is None:
            return
        principal = context.principal
        case = Case(principal.tenant, principal.user, context.now, subject, context.ports.sensitive)
        action = str((suggestion.arguments or {}).get("activity_type") or suggestion.tool or suggestion.kind)
        for message in messages(principal.tenant, [accepted_chunk(case, suggestion.id, suggestion.text, action)]):
            queue.send(QUEUE, message)
    except AishaError as error:
        context.log(f"The decision was not remembered: {error.message}")


def _subject(suggestion: Suggestion, context: ToolContext) -> Record | None:
    """Return the lead, contact, account or deal that the suggestion or its activity is about; None without one."""
    kind, record_id = suggestion.entity["type"], suggestion.entity["id"]
    if kind == Activity.TYPE:
        activity = context.records.get(kind, record_id)
        assert isinstance(activity, Activity)  # noqa: S101 - the store keeps ids and types together
        kind, record_id = activity.related.type, activity.related.id
    if kind not in SUBJECT_TYPES:
        return None
    record = context.records.get(kind, record_id)
    return None if is_private_to_other(context.principal, record) else record
