"""The rate limits of a request and the headers that report them.

Source: draft-ietf-httpapi-ratelimit-headers-11, whose values are lists of structured fields (RFC 9651).
"""

from typing import TYPE_CHECKING

from aisha.domain.principal import Principal
from aisha.observability import log_admission

if TYPE_CHECKING:
    # Cold start: a function without limited operations does not import them.
    from aisha.application.tenants.rate_limits import Admission, RequestLimits


def count_request(principal: Principal, limits: "RequestLimits", headers: dict[str, str]) -> None:
    """Count a request and add the headers of the limits to `headers`. Raises `RateLimitedError` beyond a limit."""
    admission = limits.admit(principal)
    headers.update(rate_limit_headers(admission))
    log_admission(admission, principal.tenant)
    # After the headers: a refused client learns from them when to come back.
    if admission.refusal:
        raise admission.refusal


def rate_limit_headers(admission: "Admission") -> dict[str, str]:
    """Return the headers of the limits; none for a request that could not be counted.

    `RateLimit-Policy` has each limit's quota and window in seconds, `RateLimit` what is left of both.
    """
    if not admission.is_counted:
        return {}
    return {
        "ratelimit-policy": ", ".join(
            f'"{window.name}";q={window.quota};w={window.seconds}' for window in admission.windows
        ),
        "ratelimit": ", ".join(
            f'"{window.name}";r={window.remaining};t={window.resets_in}' for window in admission.windows
        ),
    }
