"""Verification of CRMs' webhooks."""

import base64
import hashlib
import hmac
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl

from pydantic_core import from_json

from aisha.adapters.crm.mapping_file.file import Signature
from aisha.adapters.crm.values import picked
from aisha.domain.errors import UnauthenticatedError

MAX_WEBHOOK_AGE = timedelta(minutes=5)
"""The limit that HubSpot demands of receivers (its page on request validation); others leave it open."""


def content_of(headers: Mapping[str, str], body: bytes) -> Any:
    """Return a webhook's JSON, or the fields of its form by name. Raises ValueError."""
    if headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return dict(parse_qsl(body.decode()))
    return from_json(body)


def verify(
    signature: Signature, secret: str, headers: Mapping[str, str], method: str, url: str, body: bytes, now: datetime
) -> None:
    """Check a webhook's signature and age. `headers` have lower-case names. Raises `UnauthenticatedError`."""
    sent = headers.get(signature.header.lower(), "")
    if signature.type == "basic":
        expected = f"Basic {base64.b64encode(secret.encode()).decode()}"
        if not hmac.compare_digest(sent.encode(), expected.encode()):
            raise UnauthenticatedError("The webhook is not signed in.")
        return
    if signature.type == "token":
        try:
            token = str(picked(signature.token, content_of(headers, body)) or "")
        except ValueError:
            token = ""
        if not hmac.compare_digest(token.encode(), secret.encode()):
            raise UnauthenticatedError("The webhook has not the connection's token.")
        return
    match = re.fullmatch(signature.pattern, sent)
    if match is None:
        raise UnauthenticatedError("The webhook has no signature.")
    timestamp = match.groupdict().get("timestamp") or headers.get((signature.timestamp_header or "").lower(), "")
    parts = {"method": method, "url": url, "timestamp": timestamp}
    before, _, after = signature.signed.partition("{body}")
    signed = _filled(before, parts) + body + _filled(after, parts)
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    expected = digest.hex() if signature.encoding == "hex" else base64.b64encode(digest).decode()
    if not hmac.compare_digest(match["signature"].encode(), expected.encode()):
        raise UnauthenticatedError("The webhook's signature is wrong.")
    if "{timestamp}" in signature.signed:
        _check_age(timestamp, signature, now)


def _filled(text: str, parts: Mapping[str, str]) -> bytes:
    return re.sub(r"\{(\w+)\}", lambda name: parts.get(name[1], ""), text).encode()


def _check_age(timestamp: str, signature: Signature, now: datetime) -> None:
    try:
        seconds = int(timestamp) / (1000 if signature.timestamp_unit == "ms" else 1)
    except ValueError:
        raise UnauthenticatedError("The webhook has no time.") from None
    if abs(now.timestamp() - seconds) > MAX_WEBHOOK_AGE.total_seconds():
        raise UnauthenticatedError("The webhook is too old.", suggestion="Check the clock, and send it again.")
