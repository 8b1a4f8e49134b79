"""The choice between JSON and Server-Sent Events by the header `Accept` (RFC 9110, section 12.5.1)."""

from aisha.api.operation import JSON
from aisha.renderers.server_sent_events import CONTENT_TYPE


def wants_event_stream(accept: str) -> bool | None:
    """Return whether an `Accept` header prefers Server-Sent Events to JSON; None when it names neither."""
    weights: dict[str, float] = {}
    for entry in accept.lower().split(","):
        name, *parameters = (part.strip() for part in entry.split(";"))
        weights[name] = next((_weight(one[2:]) for one in parameters if one.startswith("q=")), 1.0)
    stream, plain = weights.get(CONTENT_TYPE), weights.get(JSON)
    if stream is None and plain is None:
        return None
    return bool(stream) and (stream or 0) >= (plain or 0)


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
