"""The rate limit of a request, and the header fields that tell a client about it.

Source: draft-ietf-httpapi-ratelimit-headers-11, whose values are lists of structured fields (RFC 9651).
"""

from typing import TYPE_CHECKING

from aisha.domain.principal import Principal
from aisha.observability import log_admission

if TYPE_CHECKING:
    # A function without limited operations does not load them.
    from aisha.application.tenants.limits import Admission, RequestLimits


def take(principal: Principal, limits: "RequestLimits", headers: dict[str, str]) -> None:
    """Count a request, and put the header fields of the limits into `headers`.

    Raises `RateLimitedError` when no request is left.
    """
    admission = limits.admit(principal)
    headers.update(rate_limit_headers(admission))
    log_admission(admission, principal.tenant)
    if admission.refusal:
        raise admission.refusal


def rate_limit_headers(admission: "Admission") -> dict[str, str]:
    """Return `RateLimit-Policy` with each limit's quota and window, `RateLimit` with what is left of it and for how long.

    Nothing when the request could not be counted.
    """
    if not admission.is_counted:
        return {}
    return {
        "ratelimit-policy": ", ".join(f'"{one.name}";q={one.quota};w={one.seconds}' for one in admission.windows),
        "ratelimit": ", ".join(f'"{one.name}";r={one.remaining};t={one.resets_in}' for one in admission.windows),
    }
