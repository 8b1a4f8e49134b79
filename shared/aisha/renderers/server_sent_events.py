"""The framing of Server-Sent Events in all our streams."""

import json
from typing import Any

import msgspec

CONTENT_TYPE = "text/event-stream"
DONE = "data: [DONE]\n\n"
COMMENT = ": still here\n\n"
"""Ignored by readers; it keeps proxies and load balancers from closing a silent connection."""


_encode = msgspec.json.Encoder(enc_hook=str).encode
_encode_any_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode


def data(value: Any) -> str:
    """Return one event with a JSON value."""
    try:
        text = _encode(value).decode()
    except UnicodeEncodeError:
        # Half a surrogate pair, which msgspec refuses; it becomes a question mark where the stream is encoded.
        text = _encode_any_text(value)
    return f"data: {text}\n\n"
