"""How often a user and a tenant may ask: fixed windows of the clock, a minute for a user, an hour for a tenant."""

from msgspec import Struct

MINUTE, HOUR = 60, 3600
"""The windows in seconds. An hour ends together with a minute: who is refused for the hour loses nothing of the next."""


class RateLimits(Struct, frozen=True):
    """Requests a user may make in a minute, and all of a tenant's users together in an hour; at least 1."""

    user_per_minute: int = 100
    tenant_per_hour: int = 500


class RateCount(Struct, frozen=True):
    """Requests let in by the running windows, this one included if it is `allowed`. A refused one is not counted."""

    allowed: bool
    user: int
    tenant: int
