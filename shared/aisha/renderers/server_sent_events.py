"""The framing of Server-Sent Events in all our streams."""

import json
from typing import Any

CONTENT_TYPE = "text/event-stream"
DONE = "data: [DONE]\n\n"
COMMENT = ": still here\n\n"
"""Ignored by readers; it keeps proxies and load balancers from closing a silent connection."""


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode


def data(value: Any) -> str:
    """Return one event with a JSON value."""
    return f"data: {_encode(value)}\n\n"
