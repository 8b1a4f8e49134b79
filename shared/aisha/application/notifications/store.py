"""Notifications of a user, some with a call that can be run from them once."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.idempotency.keys import Attempt
from aisha.application.memory.turn_chunks import remember_call
from aisha.application.notifications import reminders as sticky_notes
from aisha.application.notifications.delivery import schedule_delivery
from aisha.application.notifications.due import (
    DISMISSED_REMINDER,
    NOTIFICATION,
    PENDING,
    REMINDED,
    Due,
    due_of,
)
from aisha.application.tenants.preferences import rules_of
from aisha.application.tooling import ToolRegistry, decide
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.execution import execute_gated, raise_rejection, refuse_to_ask
from aisha.application.tooling.visibility import readable
from aisha.domain.entries import Entry
from aisha.domain.errors import (
    AishaError,
    ConflictError,
    GoneError,
    InvalidInputError,
    NotFoundError,
    PermissionDeniedError,
)
from aisha.domain.records import Activity
from aisha.domain.tools import ToolCall, ToolStatus

KIND = NOTIFICATION
EXECUTED, DISMISSED = "executed", "dismissed"
USER = "user"
"""Who asked for a callback. What anybody else asked for waits for the user when it writes."""
KEPT = timedelta(days=90)
"""How long one waits after it was due."""
KEPT_DONE = timedelta(days=7)
"""How long one that is done can still be told from one that never was."""


class NewNotification(Struct, frozen=True):
    """What is asked for; `due_at` None is at once."""

    title: str
    body: str = ""
    due_at: datetime | None = None
    channel: str = "in_app"
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None


def create_notification(
    new: NewNotification, context: ToolContext, registry: ToolRegistry, operation: str
) -> tuple[str, Due]:
    """Keeps a notification and returns its state and what it will tell. `operation` (a ULID) again makes it once.

    Raises `InvalidInputError` for a callback that no tool takes, `PermissionDeniedError` for one the user may not run.
    """
    if new.tool is not None:
        _check_callback({"tool": new.tool, "arguments": dict(new.arguments or {})}, context, registry)
    return store_notification(new, context, operation)


def store_notification(
    new: NewNotification, context: ToolContext, operation: str, asked_by: str = USER
) -> tuple[str, Due]:
    """Keeps it as `create_notification` does, with its callback unchecked, and sends it when it is due if the user wishes."""
    due_at = new.due_at or context.now
    body: dict[str, Any] = {
        "title": new.title,
        "body": new.body,
        "channel": new.channel,
        "due_at": due_at.isoformat(),
        "state": PENDING,
        "asked_by": asked_by,
    }
    if new.tool is not None:
        body["callback"] = {"tool": new.tool, "arguments": dict(new.arguments or {})}
    entry_id = f"{KIND}_{operation}"
    expires = max(due_at, context.clock.now()) + KEPT
    try:
        entry = context.own.put(KIND, entry_id, body, expected_version=0, expires_at=expires)
    except ConflictError:
        # An earlier try of the same request got this far.
        entry = context.own.get(KIND, entry_id)
    due = due_of(entry)
    schedule_delivery(context.ports.entries, context.principal.tenant, context.principal.user, entry_id, due.due_at)
    return entry.body["state"], due


def _check_callback(callback: Mapping[str, Any], context: ToolContext, registry: ToolRegistry) -> None:
    call = registry.create_call(callback["tool"], callback["arguments"], replace(context, audit=None))
    error = _error_of(call)
    if isinstance(error, PermissionDeniedError):
        raise error
    if error is not None:
        is_unknown = call.result.status is ToolStatus.NOT_FOUND
        place = (error.pointer or "") or (f"/{name}" if (name := getattr(error, "field", None)) else "")
        raise InvalidInputError(
            error.message,
            pointer="/callback/tool" if is_unknown else f"/callback/arguments{place}",
            tool=call.name[:100],
            detail=error.detail,
            suggestion="GET /api/ai/tools lists the tools and their parameters.",
        )
    if (
        call.spec is not None
        and (denial := decide(context.principal, call.spec, rules=rules_of(context)).error) is not None
    ):
        raise denial


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
    """Runs the notification's call, at most once for all who ask; the tool's own failure is in the call's result.

    What an `attempt` took, another try of it goes on with: the first may have been cut off before the call.

    Raises `NotFoundError`, `GoneError` when it was executed or dismissed, `ConflictError` when there is nothing to run or
    the call waits for a yes, and what the gate denies.
    """
    taker = {"closed_in": attempt.operation} if attempt else {}
    entry = _pending(entry_id, context, taker)
    callback = entry.body.get("callback")
    if callback is None:
        raise ConflictError(
            "This notification has nothing to run.", entity_type=KIND, entity_id=entry_id, suggestion="Dismiss it."
        )
    call = registry.create_call(callback["tool"], callback["arguments"], context, entry_id)
    if (error := _error_of(call)) is not None:
        raise error

    def take() -> None:
        if entry.body["state"] == PENDING:
            _close(entry, context, EXECUTED, taker)

    execute_gated(
        call,
        context.principal,
        rules_of(context),
        provenance="user" if entry.body.get("asked_by") == USER else "external",
        bulk_threshold=bulk_threshold,
        ask=refuse_to_ask(call, "notification"),
        claim=take,
    )
    raise_rejection(call)
    remember_call(call, context)
    return call


def dismiss_notification(entry_id: str, context: ToolContext) -> str:
    """Takes it off the list, whatever it is, and returns its state; doing so again changes nothing.

    A sticky note is resolved, a reminder of an activity is not shown again. Raises `NotFoundError`.
    """
    kind = next((known for known in _DISMISS if entry_id.startswith(f"{known}_")), KIND)
    return _DISMISS[kind](entry_id, context)


def _dismiss_own(entry_id: str, context: ToolContext) -> str:
    entry = context.own.get(KIND, entry_id)
    if entry.body["state"] == PENDING:
        try:
            _close(entry, context, DISMISSED)
        except GoneError:
            return str(context.own.get(KIND, entry_id).body["state"])
        return DISMISSED
    return str(entry.body["state"])


def _resolve_note(entry_id: str, context: ToolContext) -> str:
    sticky_notes.resolve(context.own, sticky_notes.note_of(context.own, entry_id), context.clock.now())
    return DISMISSED


def _dismiss_reminder(entry_id: str, context: ToolContext) -> str:
    readable(context.principal, context.records, Activity.TYPE, entry_id)
    context.own.put(DISMISSED_REMINDER, entry_id, {}, expires_at=context.clock.now() + 2 * REMINDED)
    return DISMISSED


_DISMISS: dict[str, Callable[[str, ToolContext], str]] = {
    KIND: _dismiss_own,
    sticky_notes.KIND: _resolve_note,
    Activity.TYPE: _dismiss_reminder,
}


def _pending(entry_id: str, context: ToolContext, taker: Mapping[str, str]) -> Entry:
    """One that is pending, or that the `taker` executed."""
    known = (sticky_notes.KIND, Activity.TYPE)
    if entry_id.startswith(tuple(f"{kind}_" for kind in known)):
        raise ConflictError("This has nothing to run.", suggestion="Dismiss it.")
    entry = context.own.find(KIND, entry_id)
    if entry is None:
        raise NotFoundError("There is no such notification.", entity_type=KIND, entity_id=entry_id[:200])
    if entry.body["state"] != PENDING and not (taker and taker.items() <= entry.body.items()):
        raise _gone(entry_id, entry.body["state"])
    return entry


def _close(entry: Entry, context: ToolContext, state: str, taker: Mapping[str, str] | None = None) -> None:
    """Raises `GoneError` when somebody else was faster."""
    now = context.clock.now()
    body = {**entry.body, "state": state, "closed_at": now.isoformat(), **(taker or {})}
    try:
        context.own.put(KIND, entry.id, body, expected_version=entry.version, expires_at=now + KEPT_DONE)
    except ConflictError:
        raise _gone(entry.id, "executed or dismissed") from None


def _gone(entry_id: str, state: str) -> GoneError:
    return GoneError(f"This notification was {state} already.", entity_type=KIND, entity_id=entry_id)
