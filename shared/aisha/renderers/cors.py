"""The header fields that let pages of other origins read an answer (the Fetch standard's CORS protocol)."""

from collections.abc import Sequence

ANYONE = "*"
EXPOSED = "x-request-id, retry-after, ratelimit, ratelimit-policy, idempotent-replayed, location, www-authenticate, mcp-session-id"


def cors_headers(origin: str | None, allowed: Sequence[str]) -> dict[str, str]:
    """For the request's `Origin`; without what lets it in for one that is not `allowed`, of which `*` is everyone.

    Credentials of the browser are never let in: tokens are no cookies.
    """
    if not allowed:
        return {}
    varies = {} if ANYONE in allowed else {"vary": "Origin"}
    if origin is None or not {origin, ANYONE} & set(allowed):
        return varies
    shown = ANYONE if ANYONE in allowed else origin
    return varies | {"access-control-allow-origin": shown, "access-control-expose-headers": EXPOSED}
