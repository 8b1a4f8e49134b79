"""What a user decides about a suggestion: accept it, which does it; dismiss it; or be asked again later."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from aisha.application.idempotency.keys import Attempt
from aisha.application.memory.chunks import Case, accepted_chunk
from aisha.application.memory.ingest import QUEUE, messages
from aisha.application.memory.turn_chunks import remember_call
from aisha.application.suggestions.store import (
    ACCEPTED,
    DISMISSED,
    KEPT,
    KEPT_OPEN,
    KIND,
    OPEN,
    PENDING,
    SNOOZED,
    Status,
    Suggestion,
    find,
    to_suggestion,
)
from aisha.application.tenants.preferences import rules_of
from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.context import OwnedEntries, ToolContext, make_context
from aisha.application.tooling.execution import execute_gated, raise_rejection, refuse_to_ask
from aisha.application.tooling.visibility import is_private_to_other
from aisha.domain.entries import Entry
from aisha.domain.errors import AishaError, ConflictError, GoneError, InvalidInputError
from aisha.domain.records import SUBJECT_TYPES, Activity, Record
from aisha.domain.retries import retrying
from aisha.domain.tools import ToolCall

SNOOZED_FOR = timedelta(days=1)
MAX_SNOOZE = timedelta(days=90)
_TRIES = 5
_DECISION = ("decided_at", "decided_by", "decided_in")


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

    `arguments` complete or replace those of the call. Without `with_call` the suggestion is accepted as something that the
    user does elsewhere. A call that fails is returned with its error and leaves the suggestion pending. A suggestion that
    an earlier try of `attempt` accepted is taken up again, because that try may have been cut off before the call.

    Raises `NotFoundError`, `GoneError` for a decided suggestion, `NeedsConfirmationError`, and any error of the tool's checks.
    """
    taker = {"decided_in": attempt.operation} if attempt else {}
    own, entry = _open_entry(entry_id, context, taker)
    call_context = _call_context(entry, context, attempt)
    call = _call(entry, call_context, registry, arguments) if with_call and entry.body.get("tool") else None

    def take() -> None:
        nonlocal entry
        entry = _decide(own, entry, context, ACCEPTED, taker) if entry.body["status"] in OPEN else entry

    if call is None:
        take()
    else:
        result = execute_gated(
            call,
            context.principal,
            rules_of(context),
            bulk_threshold=bulk_threshold,
            ask=refuse_to_ask(call, "suggestion"),
            claim=take,
        )
        raise_rejection(call)
        if not result.ok:
            return _told(own, _put_back(own, entry, context), context), call
        # The decision gets a memory of its own, under the suggestion's id, so the call is not stored as a case.
        remember_call(call, call_context, is_case=False)
    accepted = _told(own, entry, context)
    _remember(accepted, call_context)
    return accepted, call


def dismiss(entry_id: str, context: ToolContext) -> Suggestion:
    """Takes it off the list for as long as that is remembered; again changes nothing. Raises as `accept` does."""
    own, entry = find(context, entry_id)
    if entry.body["status"] == DISMISSED:
        return _told(own, entry, context)
    own, entry = _open_entry(entry_id, context)
    return _told(own, _decide(own, entry, context, DISMISSED), context)


def snooze(entry_id: str, context: ToolContext, until: datetime | None = None) -> Suggestion:
    """Keeps it away until then, a day where nothing is said. Raises `InvalidInputError`, and as `accept` does."""
    until = until or context.now + SNOOZED_FOR
    if not context.now < until <= context.now + MAX_SNOOZE:
        raise InvalidInputError(
            f"A suggestion can be snoozed for up to {MAX_SNOOZE.days} days from now", pointer="/until",
            suggestion="Give a time to come, or dismiss it.",
        )  # fmt: skip
    own, entry = _open_entry(entry_id, context)
    return _told(own, _decide(own, entry, context, SNOOZED, {"until": until.isoformat()}), context)


def _call_context(entry: Entry, context: ToolContext, attempt: Attempt | None) -> ToolContext:
    """Return the context of the suggestion's call, whose operation changes only when the suggestion is made anew."""
    operation = f"{entry.id}.{entry.body['first_sweep']}"
    is_repeated = attempt is not None and attempt.is_resumed
    return make_context(context.principal, context.ports, operation, context.now, is_repeated=is_repeated)


def _open_entry(
    entry_id: str, context: ToolContext, taker: Mapping[str, str] | None = None
) -> tuple[OwnedEntries, Entry]:
    """One that is not decided, or was by the `taker`."""
    own, entry = find(context, entry_id)
    if entry.body["status"] not in OPEN and not (taker and taker.items() <= entry.body.items()):
        raise _gone(entry)
    return own, entry


def _call(
    entry: Entry,
    context: ToolContext,
    registry: ToolRegistry,
    arguments: Mapping[str, Any] | None,
) -> ToolCall:
    """Return the suggestion's call, ready to run. Raises what is wrong with it."""
    given = {**(entry.body.get("arguments") or {}), **(arguments or {})}
    call = registry.create_call(entry.body["tool"], given, context, entry.id)
    if isinstance(error := call.result.exception, AishaError):
        raise error
    return call


def _decide(
    own: OwnedEntries, entry: Entry, context: ToolContext, status: Status, more: Mapping[str, Any] | None = None
) -> Entry:
    """Saves the decision under the version that was read; a sweep that only found it again in between does not matter."""
    now = context.clock.now()

    def save() -> Entry:
        nonlocal entry
        body = {**entry.body, "status": status, **(more or {})}
        if status != SNOOZED:
            body |= {"decided_at": now.isoformat(), "decided_by": context.principal.user}
        expires = now + KEPT.get(status, KEPT_OPEN + MAX_SNOOZE)
        try:
            return own.put(KIND, entry.id, body, expected_version=entry.version, expires_at=expires)
        except ConflictError:
            entry = own.get(KIND, entry.id)
            if entry.body["status"] not in OPEN:
                raise _gone(entry) from None
            raise

    exhausted = ConflictError("The suggestion was changed by many at once", suggestion="Try again.")
    return retrying(_TRIES, save, exhausted)


def _put_back(own: OwnedEntries, entry: Entry, context: ToolContext) -> Entry:
    """The suggestion as it was before its call failed."""
    body = {name: value for name, value in entry.body.items() if name not in _DECISION}
    expires = context.clock.now() + KEPT_OPEN
    return own.put(KIND, entry.id, body | {"status": PENDING}, expected_version=entry.version, expires_at=expires)


def _told(own: OwnedEntries, entry: Entry, context: ToolContext) -> Suggestion:
    return to_suggestion(entry, context.now, is_shared=own is context.shared)


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
        subject = _subject(suggestion, context)
        if subject is None:
            return
        principal = context.principal
        case = Case(principal.tenant, principal.user, context.now, subject, context.ports.sensitive)
        action = str((suggestion.arguments or {}).get("activity_type") or suggestion.tool or suggestion.kind)
        for message in messages(principal.tenant, [accepted_chunk(case, suggestion.id, suggestion.text, action)]):
            queue.send(QUEUE, message)
    except AishaError as error:
        context.log(f"Memory was not told: {error.message}")


def _subject(suggestion: Suggestion, context: ToolContext) -> Record | None:
    """The lead, contact, account or deal that it is about; of an activity, the one that this is about."""
    kind, record_id = suggestion.entity["type"], suggestion.entity["id"]
    if kind == Activity.TYPE:
        activity = context.records.get(kind, record_id)
        assert isinstance(activity, Activity)  # noqa: S101 - the store keeps ids and types together
        kind, record_id = activity.related.type, activity.related.id
    if kind not in SUBJECT_TYPES:
        return None
    record = context.records.get(kind, record_id)
    return None if is_private_to_other(context.principal, record) else record
