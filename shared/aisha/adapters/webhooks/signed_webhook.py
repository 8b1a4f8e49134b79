"""Webhooks by the Standard Webhooks specification 1.0 (standardwebhooks.com): signed with HMAC-SHA256 and a timestamp.

A receiver joins `webhook-id`, `webhook-timestamp` and the body by full stops, and compares its own signature with
`webhook-signature`; it refuses old timestamps, and recognizes a repeated message by its id.
"""

import base64
import binascii
import hashlib
import hmac
from datetime import datetime
from urllib.parse import urlsplit

from aisha.adapters.http.http_client import HttpClient, HttpRequest, failures_of
from aisha.application.notifications.settings import SECRET_PREFIX
from aisha.domain.errors import InvalidInputError, PermissionDeniedError, UnavailableError

SECONDS = 10.0
MAX_BYTES = 64 * 1024
_TEMPORARY = frozenset((408, 425, 429))


class SignedWebhookSender:
    """A `WebhookSender`. Redirects are not followed; private addresses and http are for tests and local servers."""

    def __init__(self, *, allow_private: bool = False, client: HttpClient | None = None) -> None:
        self._allow_private = allow_private
        self._client = client or HttpClient()

    def send(self, url: str, secret: str, message_id: str, body: bytes, at: datetime) -> None:
        parts = urlsplit(url)
        if parts.scheme != "https" and not self._allow_private:
            raise PermissionDeniedError("A webhook's address must begin with https://")
        timestamp = str(int(at.timestamp()))
        headers = {
            "host": parts.netloc,
            "content-type": "application/json",
            "content-length": str(len(body)),
            "user-agent": "AiSHA",
            "webhook-id": message_id,
            "webhook-timestamp": timestamp,
            "webhook-signature": signature(secret, message_id, timestamp, body),
        }
        request = HttpRequest("POST", url, headers, body, SECONDS, MAX_BYTES, self._allow_private)
        with failures_of("The webhook"):
            answer = self._client.send(request)
        # The queue repeats only what may succeed later.
        if answer.status >= 500 or answer.status in _TEMPORARY:
            raise UnavailableError(f"The webhook answered {answer.status}", suggestion="Try again later.")
        if not 200 <= answer.status < 300:
            raise InvalidInputError(f"The webhook refused the message: it answered {answer.status}")


def signature(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    """Return `v1,<base64 of the HMAC-SHA256>`. Raises `InvalidInputError` for a secret that is not base64."""
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except binascii.Error:
        raise InvalidInputError("The webhook's secret is not base64") from None
    signed = b".".join((message_id.encode(), timestamp.encode(), body))
    return f"v1,{base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}"
