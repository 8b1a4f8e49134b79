"""The user's notifications: POST and GET /api/ai/notifications, /{id}/execute, /{id}/dismiss and /settings."""

from datetime import datetime, timedelta
from typing import Any

from aisha.api.params import parse_moment
from aisha.api.schemas.crm.notification_settings import (
    NotificationSettingsBody,
    NotificationSettingsJson,
    new_settings,
    settings_json,
)
from aisha.api.schemas.crm.notifications import (
    CreatedJson,
    DismissedJson,
    ExecutedJson,
    NotificationBody,
    NotificationsJson,
    NotificationsQuery,
    notification_json,
    tool_call_json,
)
from aisha.api.tool_app import ToolApp
from aisha.application.notifications.due import due_notifications
from aisha.application.notifications.settings import save_settings, settings_of
from aisha.application.notifications.store import (
    NewNotification,
    create_notification,
    dismiss_notification,
    execute_notification,
)
from aisha.application.tenants.sweep_enrolment import enrol
from aisha.domain.errors import InvalidInputError

MAX_DELAY = timedelta(days=5 * 366)
ID = {"id": "The notification's id."}


app = ToolApp()


@app.operation(
    "POST",
    "/api/ai/notifications",
    "createNotification",
    summary="Create a notification",
    description="Creates a notification for the user, which is listed from `dueAt` on. A `callback` is validated "
    "now and runs when the user executes the notification.",
    errors=(403, 409, 503),
    idempotent=True,
)
def create(body: NotificationBody) -> CreatedJson:
    operation = app.operation_ulid()
    # The callback is checked now, and again when it runs: rights may change meanwhile.
    context = app.tool_context(operation)
    callback = body.callback
    new = NewNotification(
        title=body.title,
        body=body.body,
        due_at=_due_at(body.due_at, context.now),
        channel=body.channel,
        tool=callback.tool if callback else None,
        arguments=callback.arguments if callback else None,
    )
    threshold = app.services.settings.bulk_confirmation_threshold
    state, item = create_notification(new, context, app.services.tools, operation, threshold)
    return CreatedJson(success=True, id=item.id, status=state, notification=notification_json(item))


@app.operation(
    "GET",
    "/api/ai/notifications",
    "listNotifications",
    summary="List pending notifications",
    description="Notifications and sticky notes that are due, and the user's activities that became due within the "
    "last day.",
    errors=(422, 503),
)
def pending(query: NotificationsQuery) -> NotificationsJson:
    context = app.tool_context("listNotifications")
    items, truncated = due_notifications(context, include_coming=query.include_coming)
    notifications = [notification_json(item) for item in items]
    return NotificationsJson(success=True, notifications=notifications, truncated=truncated)


@app.operation(
    "POST",
    "/api/ai/notifications/{id}/execute",
    "executeNotification",
    summary="Run a notification's call",
    description="Runs the callback, only once even if several requests come at the same time. A call that needs "
    "the user's confirmation gets 409 `needs_confirmation`, and the notification stays pending.",
    errors=(403, 404, 409, 410, 422, 503),
    idempotent=True,
    path_parameters=ID,
)
def execute(id: str) -> ExecutedJson:
    # The notification's id is the operation of its call, so that repeated requests write the same records.
    attempt, threshold = app.attempt, app.services.settings.bulk_confirmation_threshold
    call = execute_notification(id, app.tool_context(id), app.services.tools, threshold, attempt)
    return ExecutedJson(
        success=call.result.ok, id=id, status="executed", tool_call=tool_call_json(call, app.request_id)
    )


@app.operation(
    "POST",
    "/api/ai/notifications/{id}/dismiss",
    "dismissNotification",
    summary="Dismiss a notification",
    description="Removes it from the list. A sticky note is resolved; an activity's reminder is not listed again.",
    response=DismissedJson,
    errors=(403, 404, 409, 503),
    idempotent=True,
    path_parameters=ID,
)
def dismiss(id: str) -> dict[str, Any]:
    state = dismiss_notification(id, app.tool_context(id))
    return {"success": True, "id": id, "status": state}


@app.operation(
    "GET",
    "/api/ai/notifications/settings",
    "getNotificationSettings",
    summary="Get the notification settings",
    errors=(503,),
)
def read_settings() -> NotificationSettingsJson:
    principal = app.principal()
    return settings_json(settings_of(app.services.entries, principal.tenant, principal.user))


@app.operation(
    "POST",
    "/api/ai/notifications/settings",
    "saveNotificationSettings",
    summary="Save the notification settings",
    description="All notifications are listed in the app. With the channel `email` they also go to the address in "
    "the token, with `webhook` to `webhookUrl`, signed as Standard Webhooks with the secret, which is sent only in "
    "the response to a new URL. From then on the tenant's records are swept every day.",
    errors=(503,),
    idempotent=True,
)
def change_settings(body: NotificationSettingsBody) -> NotificationSettingsJson:
    principal, entries = app.principal(), app.services.entries
    previous = settings_of(entries, principal.tenant, principal.user)
    # Only for local servers: a webhook carries what the user may read.
    allow_http = app.services.settings.webhooks_to_private
    saved = save_settings(entries, principal, new_settings(body), allow_http=allow_http)
    # The sweep, which delivers notifications, visits only enrolled tenants.
    enrol(entries, principal.tenant)
    return settings_json(saved, with_secret=saved.webhook_secret != previous.webhook_secret)


def _due_at(text: str | None, now: datetime) -> datetime | None:
    """Return the aware time of a text. Raises `InvalidInputError`, also for more than five years ahead."""
    due_at = parse_moment(text, now, "/dueAt")
    if due_at is not None and due_at > now + MAX_DELAY:
        raise InvalidInputError("dueAt is more than five years ahead. Choose an earlier time.", pointer="/dueAt")
    return due_at


handler = app.resolve
