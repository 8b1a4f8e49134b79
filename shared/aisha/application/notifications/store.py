"""Notifications of a user. A notification can carry a callback, a tool call that the user runs from it once."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.idempotency.keys import Attempt
from aisha.application.memory.turn_chunks import remember_call
from aisha.application.notifications import reminders
from aisha.application.notifications.delivery import schedule_delivery
from aisha.application.notifications.due import (
    ACTIVITY_SHOWN_FOR,
    DISMISSED_ACTIVITY,
    NOTIFICATION,
    PENDING,
    DueItem,
    to_due_item,
)
from aisha.application.redaction.safe_text import safe_text
from aisha.application.tenants.profile import rules_of
from aisha.application.tooling import ToolRegistry, decide
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.execution import execute_gated, raise_rejection, refuse_to_ask
from aisha.application.tooling.gate.policy import count_records
from aisha.application.tooling.gate.visibility import missing_record, readable
from aisha.domain.crm.records import Activity
from aisha.domain.entries import Entry
from aisha.domain.errors import (
    AishaError,
    ConflictError,
    GoneError,
    InvalidInputError,
    NotFoundError,
    PermissionDeniedError,
)
from aisha.domain.tools import ToolCall, ToolStatus

KIND = NOTIFICATION
EXECUTED, DISMISSED = "executed", "dismissed"
USER = "user"
"""The `asked_by` of a callback that the user asked for. A write of any other callback needs the user's confirmation."""
PENDING_RETENTION = timedelta(days=90)
"""The time for which a notification is kept after it is due."""
CLOSED_RETENTION = timedelta(days=7)
"""The time for which a closed notification is kept, so that requests for it get 410 (gone) instead of 404."""


class NewNotification(Struct, frozen=True):
    """A notification to create. `due_at` None means at once."""

    title: str
    body: str = ""
    due_at: datetime | None = None
    channel: str = "in_app"
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None


def create_notification(
    new: NewNotification, context: ToolContext, registry: ToolRegistry, operation: str, bulk_threshold: int = 10
) -> tuple[str, DueItem]:
    """Check the callback, store the notification and return its state and the item that it will show.

    The same `operation` (a ULID) stores it once. Raises `InvalidInputError` for a callback that no tool accepts or that
    would need a confirmation, and `PermissionDeniedError` for one that the user may not run.
    """
    if new.tool is not None:
        callback = {"tool": new.tool, "arguments": dict(new.arguments or {})}
        _check_callback(callback, context, registry, bulk_threshold)
    return store_notification(new, context, operation)


def store_notification(
    new: NewNotification, context: ToolContext, operation: str, asked_by: str = USER
) -> tuple[str, DueItem]:
    """Store the notification without checking its callback, and schedule its delivery over the user's channel."""
    due_at = new.due_at or context.now
    body: dict[str, Any] = {
        "title": safe_text(new.title),
        "body": safe_text(new.body),
        "channel": new.channel,
        "due_at": due_at.isoformat(),
        "state": PENDING,
        "asked_by": asked_by,
    }
    if new.tool is not None:
        body["callback"] = {"tool": new.tool, "arguments": dict(new.arguments or {})}
    entry_id = f"{KIND}_{operation}"
    expires = max(due_at, context.clock.now()) + PENDING_RETENTION
    try:
        entry = context.own.put(KIND, entry_id, body, expected_version=0, expires_at=expires)
    except ConflictError:
        # An earlier try of the same request has stored it.
        entry = context.own.get(KIND, entry_id)
    item = to_due_item(entry)
    # Also in a repetition: the first try may have been cut off before this.
    schedule_delivery(context.ports.entries, context.principal.tenant, context.principal.user, entry_id, item.due_at)
    return entry.body["state"], item


def _check_callback(
    callback: Mapping[str, Any], context: ToolContext, registry: ToolRegistry, bulk_threshold: int
) -> None:
    # Without audit, as this call is only checked and never runs.
    call = registry.create_call(callback["tool"], callback["arguments"], replace(context, audit=None))
    error = _error_of(call)
    if isinstance(error, PermissionDeniedError):
        raise error
    if error is not None:
        is_unknown = call.result.status is ToolStatus.NOT_FOUND
        pointer = (error.pointer or "") or (f"/{name}" if (name := getattr(error, "field", None)) else "")
        raise InvalidInputError(
            error.message,
            pointer="/callback/tool" if is_unknown else f"/callback/arguments{pointer}",
            tool=call.name[:100],
            detail=error.detail,
            suggestion="GET /api/ai/tools lists the tools and their parameters.",
        )
    assert call.spec is not None  # noqa: S101 - a call without a spec has an error
    decision = decide(
        context.principal,
        call.spec,
        records_written=count_records(call),
        bulk_threshold=bulk_threshold,
        rules=rules_of(context),
    )
    if decision.error is not None:
        raise decision.error
    if decision.verdict == "ask":
        raise InvalidInputError(
            f"{call.name} does not run from a notification: {decision.reason}.",
            pointer="/callback/tool",
            tool=call.name,
            suggestion="Leave the callback out, and ask for it in the chat when the notification comes.",
        )
    if (missing := missing_record(context.principal, context.records, call.arguments)) is not None:
        raise InvalidInputError(missing.message, pointer="/callback/arguments", tool=call.name)


def _error_of(call: ToolCall) -> AishaError | None:
    error = call.result.exception
    return error if isinstance(error, AishaError) else None


def execute_notification(
    entry_id: str,
    context: ToolContext,
    registry: ToolRegistry,
    bulk_threshold: int,
    attempt: Attempt | None = None,
) -> ToolCall:
    """Run the notification's callback, at most once, and return the call; a failure of the tool is in its result.

    A retry of the same `attempt` may run a notification that the first try marked as executed: that try may have been
    cut off before the call. Raises `NotFoundError`, `GoneError` when it was executed or dismissed, `ConflictError` when
    it has no callback or the call needs a confirmation, and the errors of the gate.
    """
    claim = {"closed_in": attempt.operation} if attempt else {}
    entry = _find_pending(entry_id, context, claim)
    callback = entry.body.get("callback")
    if callback is None:
        raise ConflictError(
            "This notification has nothing to run.", entity_type=KIND, entity_id=entry_id, suggestion="Dismiss it."
        )
    call = registry.create_call(callback["tool"], callback["arguments"], context, entry_id)
    if (error := _error_of(call)) is not None:
        raise error

    def claim_entry() -> None:
        if entry.body["state"] == PENDING:
            _close(entry, context, EXECUTED, claim)

    execute_gated(
        call,
        context.principal,
        rules_of(context),
        doubt="" if entry.body.get("asked_by") == USER else "it did not come from you",
        bulk_threshold=bulk_threshold,
        ask=refuse_to_ask(call, "notification"),
        claim=claim_entry,
    )
    raise_rejection(call)
    remember_call(call, context)
    return call


def dismiss_notification(entry_id: str, context: ToolContext) -> str:
    """Dismiss a due item and return its state; dismissing it again changes nothing. Raises `NotFoundError`.

    A reminder is resolved; an activity is left as it is and not shown again.
    """
    kind = next((kind for kind in _DISMISS if entry_id.startswith(f"{kind}_")), KIND)
    return _DISMISS[kind](entry_id, context)


def _dismiss_stored(entry_id: str, context: ToolContext) -> str:
    entry = context.own.get(KIND, entry_id)
    if entry.body["state"] == PENDING:
        try:
            _close(entry, context, DISMISSED)
        except GoneError:
            return str(context.own.get(KIND, entry_id).body["state"])
        return DISMISSED
    return str(entry.body["state"])


def _resolve_reminder(entry_id: str, context: ToolContext) -> str:
    reminder = reminders.get_reminder(context.own, entry_id)
    reminders.resolve_reminder(context.own, reminder, context.clock.now())
    return DISMISSED


def _dismiss_activity(entry_id: str, context: ToolContext) -> str:
    readable(context.principal, context.records, Activity.TYPE, entry_id)
    # Activities are shown for a day only, so the dismissal may expire after it.
    context.own.put(DISMISSED_ACTIVITY, entry_id, {}, expires_at=context.clock.now() + 2 * ACTIVITY_SHOWN_FOR)
    return DISMISSED


_DISMISS: dict[str, Callable[[str, ToolContext], str]] = {
    KIND: _dismiss_stored,
    reminders.KIND: _resolve_reminder,
    Activity.TYPE: _dismiss_activity,
}


def _find_pending(entry_id: str, context: ToolContext, claim: Mapping[str, str]) -> Entry:
    """Return the notification if it is pending or was executed under this `claim`."""
    if entry_id.startswith((f"{reminders.KIND}_", f"{Activity.TYPE}_")):
        raise ConflictError("This has nothing to run.", suggestion="Dismiss it.")
    entry = context.own.find(KIND, entry_id)
    if entry is None:
        raise NotFoundError("There is no such notification.", entity_type=KIND, entity_id=entry_id[:200])
    # A retry finds its own claim in the entry. An empty claim must not match, although it is part of every entry.
    if entry.body["state"] != PENDING and not (claim and claim.items() <= entry.body.items()):
        raise _gone(entry_id, entry.body["state"])
    return entry


def _close(entry: Entry, context: ToolContext, state: str, claim: Mapping[str, str] | None = None) -> None:
    """Store the new state. Raises `GoneError` when another request has closed it meanwhile."""
    now = context.clock.now()
    body = {**entry.body, "state": state, "closed_at": now.isoformat(), **(claim or {})}
    try:
        context.own.put(KIND, entry.id, body, expected_version=entry.version, expires_at=now + CLOSED_RETENTION)
    except ConflictError:
        raise _gone(entry.id, "executed or dismissed") from None


def _gone(entry_id: str, state: str) -> GoneError:
    return GoneError(f"This notification was {state} already.", entity_type=KIND, entity_id=entry_id)
