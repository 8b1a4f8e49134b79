"""Lets a request in or refuses it: by the user's minute and the tenant's hour (A-145, A-146)."""

import logging
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from aisha.application.tenants.plans import TenantPlans
from aisha.domain.errors import RateLimitedError, UnavailableError
from aisha.domain.limits import HOUR, MINUTE, RateCount, RateLimits
from aisha.domain.principal import Principal

if TYPE_CHECKING:
    # The ports know every record type, which a function without records does not load.
    from aisha.domain.ports import Clock, RateLimiter

_LOGGER = logging.getLogger(__name__)


class Window(Struct, frozen=True):
    """One limit as it stands: `quota` requests in `seconds`, of which `remaining` are left until it begins anew.

    `resets_in` is in whole seconds, at least 1.
    """

    name: str
    quota: int
    seconds: int
    remaining: int
    resets_in: int


class Admission(Struct, frozen=True):
    """What was decided about a request. Without `windows` nobody could count it."""

    windows: tuple[Window, ...] = ()
    refusal: RateLimitedError | None = None

    @property
    def is_counted(self) -> bool:
        return bool(self.windows)


class RequestLimits:
    """The limits of all tenants, each by its plan."""

    def __init__(self, limiter: "RateLimiter", plans: TenantPlans, clock: "Clock") -> None:
        self._limiter, self._plans, self._clock = limiter, plans, clock

    def admit(self, principal: Principal) -> Admission:
        """Counts the request. When the counters can't be reached it is let in: nobody is locked out by our outage.

        What costs money has the budget besides, which fails closed.
        """
        rates, now = self._plans.of(principal.tenant).rates, self._clock.now()
        try:
            count = self._limiter.take(principal.tenant, principal.user, rates, now)
        except UnavailableError:
            _LOGGER.warning("requests can't be counted and are let in", extra={"tenant": principal.tenant})
            return Admission()
        windows = _windows(rates, count, now)
        return Admission(windows, None if count.allowed else _refusal(windows))


def _windows(rates: RateLimits, count: RateCount, now: datetime) -> tuple[Window, ...]:
    since = now.minute * 60 + now.second
    return (
        _window("user", rates.user_per_minute, MINUTE, count.user, since),
        _window("tenant", rates.tenant_per_hour, HOUR, count.tenant, since),
    )


def _window(name: str, quota: int, seconds: int, used: int, since_hour: int) -> Window:
    return Window(name, quota, seconds, max(0, quota - used), seconds - since_hour % seconds)


def _refusal(windows: tuple[Window, ...]) -> RateLimitedError:
    """Names the limit that holds longest of those that are used up."""
    hit = max((one for one in windows if not one.remaining), key=lambda one: one.resets_in)
    whose = "You have" if hit.name == "user" else "Your organization has"
    span = "minute" if hit.seconds == MINUTE else "hour"
    return RateLimitedError(
        f"{whose} used all {hit.quota} requests of this {span}.",
        retry_after=hit.resets_in,
        detail={"limit": hit.name, "quota": hit.quota, "window_seconds": hit.seconds, "retry_after": hit.resets_in},
        suggestion=f"Try again in {hit.resets_in} seconds.",
    )
