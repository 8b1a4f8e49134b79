"""Rate limits in fixed windows of the clock: a minute for a user, an hour for a tenant."""

from msgspec import Struct

MINUTE, HOUR = 60, 3600
"""The windows in seconds. An hour ends together with a minute, so that a refusal costs nothing of the next windows."""


class RateLimits(Struct, frozen=True):
    """The requests that a user may make in a minute, and all users of a tenant in an hour; at least 1."""

    user_per_minute: int = 100
    tenant_per_hour: int = 500


class RateCount(Struct, frozen=True):
    """The allowed requests of the current windows, including this one if it is `allowed`."""

    # False for a request that was refused: it is in neither count.
    allowed: bool
    user: int
    tenant: int
