"""The choice between JSON and Server-Sent Events by the header `Accept` (RFC 9110, section 12.5.1)."""

from aisha.api.operation import JSON
from aisha.renderers.server_sent_events import CONTENT_TYPE


def wants_event_stream(accept: str) -> bool | None:
    """Return whether an `Accept` header prefers Server-Sent Events to JSON; None when it names neither."""
    weights: dict[str, float] = {}
    for entry in accept.lower().split(","):
        name, *parameters = (part.strip() for part in entry.split(";"))
        weights[name] = next((_weight(text[2:]) for text in parameters if text.startswith("q=")), 1.0)
    # `*/*` counts as neither: many clients send it without any preference.
    if CONTENT_TYPE not in weights and JSON not in weights:
        return None
    stream = weights.get(CONTENT_TYPE, 0.0)
    return stream > 0 and stream >= weights.get(JSON, 0.0)


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
