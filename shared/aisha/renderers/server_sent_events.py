"""Server-Sent Events, as every stream of ours is framed."""

import json
from typing import Any

CONTENT_TYPE = "text/event-stream"
DONE = "data: [DONE]\n\n"
COMMENT = ": still here\n\n"
"""What readers skip; it keeps proxies and load balancers from closing a connection that is silent."""


def data(value: Any) -> str:
    """One event with a JSON value."""
    return f"data: {json.dumps(value, ensure_ascii=False, separators=(',', ':'), default=str)}\n\n"
