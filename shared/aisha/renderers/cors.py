"""Header fields that let pages of other origins read an answer (the Fetch standard's CORS protocol)."""

from collections.abc import Sequence

ANYONE = "*"
EXPOSED = (
    "x-request-id, retry-after, ratelimit, ratelimit-policy, idempotent-replayed, location, www-authenticate, "
    "mcp-session-id, etag"
)


def cors_headers(origin: str | None, allowed: Sequence[str]) -> dict[str, str]:
    """Return the header fields for the request's `Origin`; `*` among the `allowed` ones is every origin.

    The browser's credentials are never allowed: tokens are no cookies.
    """
    if not allowed:
        return {}
    # With `*` the answer is the same for every origin, so caches may share it.
    varies = {} if ANYONE in allowed else {"vary": "Origin"}
    # Refusals vary by origin, too: a cache must not serve one to an origin that is allowed.
    if origin is None or not {origin, ANYONE} & set(allowed):
        return varies
    allow_origin = ANYONE if ANYONE in allowed else origin
    return varies | {"access-control-allow-origin": allow_origin, "access-control-expose-headers": EXPOSED}
