"""Schemas of a user's notification settings."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from aisha.api.schemas.camel_model import CamelModel, StrictBody
from aisha.application.notifications.settings import DIGEST_HOUR, NotificationSettings
from aisha.application.requests.chat_request import FLOAT_AS_INT

ChannelName = Literal["in_app", "email", "webhook"]
WEBHOOK_URL = r"^https://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[1-9][0-9]{0,3})?(/[!-\"$-~]*)?$"
"""A pattern for the API description. Saving the settings checks a URL completely."""
# The channel `webhook` requires a URL.
WEBHOOK_NEEDS_URL: dict[str, Any] = {
    "anyOf": [
        {"properties": {"channel": {"enum": ["in_app", "email"]}}},
        {"required": ["webhookUrl"], "properties": {"webhookUrl": {"type": "string"}}},
    ]
}


class NotificationSettingsBody(StrictBody):
    """The new settings; omitted members get their defaults."""

    model_config = ConfigDict(json_schema_extra=WEBHOOK_NEEDS_URL)

    channel: ChannelName = "in_app"
    digest: bool = Field(True, description="Send a daily digest of what the sweep found.")
    digest_hour: Annotated[int, Field(ge=0, le=23), FLOAT_AS_INT] = Field(
        DIGEST_HOUR, description="Hour of the digest, in the user's time zone."
    )
    webhook_url: (
        Annotated[str, Field(min_length=1, max_length=500, json_schema_extra={"pattern": WEBHOOK_URL})] | None
    ) = Field(
        None, description="https://<host>/<path>, without a user or a fragment. Required by the channel `webhook`."
    )


class NotificationSettingsJson(CamelModel):
    """The current settings. `zone` and `email` come from the token; `webhookSecret` is sent only when it is new."""

    success: bool
    channel: ChannelName
    digest: bool
    digest_hour: int
    zone: str
    email: str | None = None
    webhook_url: str | None = None
    webhook_secret: str | None = None


def new_settings(body: NotificationSettingsBody) -> NotificationSettings:
    """Return the settings of a request."""
    return NotificationSettings(body.channel, body.digest, body.digest_hour, webhook_url=body.webhook_url)


def settings_json(settings: NotificationSettings, *, with_secret: bool = False) -> NotificationSettingsJson:
    """Return stored settings, with the webhook's secret only on request."""
    secret = settings.webhook_secret if with_secret else None
    return NotificationSettingsJson.from_attributes(settings, success=True, webhook_secret=secret)
