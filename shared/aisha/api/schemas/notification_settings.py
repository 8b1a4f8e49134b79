"""How a user is notified, as the API takes and shows it."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from aisha.api.schemas.chat import CamelModel
from aisha.application.notifications.settings import DIGEST_HOUR, NotificationSettings
from aisha.application.requests.chat_request import WHOLE

ChannelName = Literal["in_app", "email", "webhook"]
WEB_ADDRESS = r"^https://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[1-9][0-9]{0,3})?(/[!-\"$-~]*)?$"
"""For the API's description; what a webhook's URL may be in full is checked when it is saved."""
REACHABLE: dict[str, Any] = {
    "anyOf": [
        {"properties": {"channel": {"enum": ["in_app", "email"]}}},
        {"required": ["webhookUrl"], "properties": {"webhookUrl": {"type": "string"}}},
    ]
}


class NotificationSettingsBody(CamelModel):
    """The settings as they shall be; what is left out is the usual."""

    model_config = ConfigDict(strict=True, json_schema_extra=REACHABLE)

    channel: ChannelName = "in_app"
    digest: bool = Field(True, description="Whether to be told in the morning what a sweep found.")
    digest_hour: Annotated[int, Field(ge=0, le=23), WHOLE] = Field(DIGEST_HOUR, description="In the user's zone.")
    webhook_url: (
        Annotated[str, Field(min_length=1, max_length=500, json_schema_extra={"pattern": WEB_ADDRESS})] | None
    ) = Field(None, description="https://<host>/<path>, without a user or a fragment; the channel `webhook` needs it.")


class NotificationSettingsJson(CamelModel):
    """The settings as they are. `zone` and `email` are the token's; the secret is told only when it is new."""

    success: bool
    channel: ChannelName
    digest: bool
    digest_hour: int
    zone: str
    email: str | None = None
    webhook_url: str | None = None
    webhook_secret: str | None = None


EXAMPLE_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="  # noqa: S105 - nobody's
SETTINGS_EXAMPLE = {
    "success": True,
    "channel": "webhook",
    "digest": True,
    "digestHour": 8,
    "zone": "America/New_York",
    "email": "alice@demo.example",
    "webhookUrl": "https://hooks.example.com/aisha",
}


def wanted_settings(body: NotificationSettingsBody) -> NotificationSettings:
    """What the user asks for."""
    return NotificationSettings(body.channel, body.digest, body.digest_hour, webhook_url=body.webhook_url)


def settings_json(kept: NotificationSettings, *, with_secret: bool = False) -> NotificationSettingsJson:
    """What is kept."""
    return NotificationSettingsJson(
        success=True,
        channel=kept.channel,
        digest=kept.digest,
        digest_hour=kept.digest_hour,
        zone=kept.zone,
        email=kept.email,
        webhook_url=kept.webhook_url,
        webhook_secret=kept.webhook_secret if with_secret else None,
    )
