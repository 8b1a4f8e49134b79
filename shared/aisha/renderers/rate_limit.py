"""The header fields that tell a client how much it may still ask.

Source: draft-ietf-httpapi-ratelimit-headers-11, whose values are lists of structured fields (RFC 9651).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aisha.application.tenants.limits import Admission


def rate_limit_headers(admission: "Admission") -> dict[str, str]:
    """`RateLimit-Policy` with each limit's quota and window, `RateLimit` with what is left of it and for how long.

    Nothing when the request could not be counted.
    """
    if not admission.is_counted:
        return {}
    return {
        "ratelimit-policy": ", ".join(f'"{one.name}";q={one.quota};w={one.seconds}' for one in admission.windows),
        "ratelimit": ", ".join(f'"{one.name}";r={one.remaining};t={one.resets_in}' for one in admission.windows),
    }
