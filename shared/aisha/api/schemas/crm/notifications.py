"""Schemas of notifications."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field

from aisha.api.schemas.camel_model import CamelModel, StrictBody
from aisha.api.schemas.conversations.chat import EntityRefJson, ToolCallJson
from aisha.application.notifications.due import DueItem
from aisha.application.redaction.summaries import line
from aisha.domain.tools import ToolCall
from aisha.renderers.json_response import call_json


class CallbackJson(StrictBody):
    """The tool call that executing the notification runs."""

    tool: Annotated[str, Field(min_length=1, max_length=100)]
    arguments: dict[str, Any] = Field(default_factory=dict)


class NotificationBody(StrictBody):
    """A new notification for the user."""

    title: Annotated[str, Field(min_length=1, max_length=200)]
    body: Annotated[str, Field(max_length=4000)] = ""
    due_at: Annotated[str, Field(min_length=1, max_length=100)] | None = Field(
        None,
        # `when` is what clients of the first version send.
        validation_alias=AliasChoices("dueAt", "when", "due_at"),
        description="ISO 8601, or words in the user's time zone, e.g. `tomorrow at 9am`. Default: now. Alias: `when`.",
    )
    # Further channels are a setting of the user, for all notifications.
    channel: Literal["in_app"] = "in_app"
    callback: CallbackJson | None = None


class NotificationJson(CamelModel):
    """A notification. `source` is the kind of object that it comes from; a `callback` can be executed once."""

    id: str
    source: Literal["notification", "sticky_note", "activity"]
    title: str
    body: str
    due_at: datetime
    channel: Literal["in_app"] = "in_app"
    callback: CallbackJson | None = None
    entity: EntityRefJson | None = None


class CreatedJson(CamelModel):
    """The stored notification."""

    success: bool
    id: str
    status: Literal["pending", "executed", "dismissed"]
    notification: NotificationJson


class NotificationsQuery(CamelModel):
    """Filter of the notifications to list."""

    # An empty value, as in `?includeComing=`, counts as false.
    include_coming: Annotated[bool, BeforeValidator(lambda value: value or False)] = Field(
        False, description="Include notifications that are not due yet."
    )


class NotificationsJson(CamelModel):
    """Pending notifications, the earliest first.

    `truncated` is true if there are more than 500; then only the 500 newest are considered.
    """

    success: bool
    notifications: list[NotificationJson]
    truncated: bool


class ExecutedJson(CamelModel):
    """The call ran. `success` is false if the tool failed; then `toolCall.error` has the reason."""

    success: bool
    id: str
    status: Literal["executed"]
    tool_call: ToolCallJson


class DismissedJson(CamelModel):
    """The notification is no longer pending: it was dismissed, now or earlier, or executed."""

    success: bool
    id: str
    status: Literal["dismissed", "executed"]


def notification_json(item: DueItem) -> NotificationJson:
    """Return a notification."""
    return NotificationJson.from_attributes(
        item,
        channel="in_app",
        callback=item.callback or None,
        entity=item.entity or None,
    )


def tool_call_json(call: ToolCall, request_id: str) -> ToolCallJson:
    """Return a call that ran, with its outcome."""
    return ToolCallJson.model_validate(call_json(call, line(call), request_id))
