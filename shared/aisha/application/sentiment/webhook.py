"""Delivery of a turn's mood to the deployment's webhook, for example a light or a display."""

import json
from collections.abc import Callable
from datetime import datetime

from msgspec import Struct

from aisha.domain.conversations.events import MoodChanged
from aisha.domain.ports import WebhookSender

SECRET = "mood_webhook_secret"  # noqa: S105 - its name among the deployment's secrets
EVENT_TYPE = "mood.changed"


class SignedMoodWebhook(Struct, frozen=True):
    """A `MoodWebhook` with its address and signing secret, `whsec_<base64>`, which is read at each delivery."""

    sender: WebhookSender
    url: str
    secret: Callable[[], str]

    def push(self, mood: MoodChanged, tenant: str, user: str, message_id: str, at: datetime) -> None:
        data = {"tenant": tenant, "user": user, "sentiment": mood.sentiment, "emoji": mood.emoji, "color": mood.color}
        message = {"type": EVENT_TYPE, "timestamp": at.isoformat(), "data": data}
        body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
        self.sender.send(self.url, self.secret(), f"mood_{message_id}", body, at)
