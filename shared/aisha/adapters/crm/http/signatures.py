"""Verification of CRMs' webhooks."""

import base64
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

MAX_FORM_FIELDS, MAX_FORM_DEPTH = 5000, 10


def content_of(headers: Mapping[str, str], body: bytes) -> Any:
    """Return a webhook's JSON, or its form as such: `deals[add][0][id]=7` is a list of deals below `add`.

    Raises ValueError.
    """
    if not headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return from_json(body)
    form: dict[str, Any] = {}
    for name, text in parse_qsl(body.decode(), max_num_fields=MAX_FORM_FIELDS):
        outer, *inner = name.split("[")
        *path, last = [outer, *(part.rstrip("]") for part in inner)]
        if len(path) >= MAX_FORM_DEPTH:
            raise ValueError(f"{outer} has more than {MAX_FORM_DEPTH} levels")
        place = form
        for part in path:
            if not isinstance(place.setdefault(part, {}), dict):
                raise ValueError(f"{part} is a value and a group")
            place = place[part]
        place[last] = text
    return _with_lists(form)


def _with_lists(value: Any) -> Any:
    """Return the value with lists in the place of objects whose members are numbered."""
    if not isinstance(value, dict):
        return value
    members = {name: _with_lists(inner) for name, inner in value.items()}
    return list(members.values()) if members and all(name.isdecimal() for name in members) else members


def verify(
    signature: Signature, secret: str, headers: Mapping[str, str], method: str, url: str, body: bytes, now: datetime
) -> None:
    """Check a webhook's signature and age. `headers` have lower-case names. Raises `UnauthenticatedError`."""
    sent = headers.get(signature.header.lower(), "")
    if signature.type == "basic":
        expected = f"Basic {base64.b64encode(secret.encode()).decode()}"
        # Compared in constant time: the time of an answer must not tell how much of a guess was right.
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
    digest = hmac.new(secret.encode(), signed, signature.algorithm).digest()
    expected = digest.hex() if signature.encoding == "hex" else base64.b64encode(digest).decode()
    if not hmac.compare_digest(match["signature"].encode(), expected.encode()):
        raise UnauthenticatedError("The webhook's signature is wrong.")
    # A time that the signature does not cover proves nothing.
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
