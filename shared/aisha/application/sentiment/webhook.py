"""Where the mood of a turn goes besides the widget: one address of the deployment's, such as that of a light or a display."""

import json
from collections.abc import Callable
from datetime import datetime

from msgspec import Struct

from aisha.domain.events import MoodChanged
from aisha.domain.ports import WebhookSender

SECRET = "mood_webhook_secret"  # noqa: S105 - its name among the deployment's secrets
EVENT_TYPE = "mood.changed"


class SignedMoodWebhook(Struct, frozen=True):
    """A `MoodWebhook`: an address and the secret that it knows us by, `whsec_<base64>`; the secret is read when there is something to send."""

    sender: WebhookSender
    url: str
    secret: Callable[[], str]

    def push(self, mood: MoodChanged, tenant: str, user: str, message_id: str, at: datetime) -> None:
        """Sends whose mood it is and how it is shown, nothing of what was said. Raises as `WebhookSender.send` does."""
        data = {"tenant": tenant, "user": user, "sentiment": mood.sentiment, "emoji": mood.emoji, "color": mood.color}
        message = {"type": EVENT_TYPE, "timestamp": at.isoformat(), "data": data}
        body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
        self.sender.send(self.url, self.secret(), f"mood_{message_id}", body, at)
