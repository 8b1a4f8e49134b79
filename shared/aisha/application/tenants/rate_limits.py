"""Rate limits of requests, per user and minute and per tenant and hour (A-145, A-146)."""

import logging
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from aisha.application.tenants.plans import TenantPlans
from aisha.domain.errors import RateLimitedError, UnavailableError
from aisha.domain.principal import Principal
from aisha.domain.rate_limits import HOUR, MINUTE, RateCount, RateLimits

if TYPE_CHECKING:
    # The ports import all record types, which a function without records does not load.
    from aisha.domain.ports import Clock, RateLimiter

_LOGGER = logging.getLogger(__name__)


class Window(Struct, frozen=True):
    """The state of one limit: of `quota` requests in `seconds`, `remaining` are left.

    The window ends in `resets_in` whole seconds, at least 1.
    """

    name: str
    quota: int
    seconds: int
    remaining: int
    resets_in: int


class Admission(Struct, frozen=True):
    """The decision about a request. `windows` is empty when the request could not be counted."""

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
        """Count the request and decide on it. It is admitted when the counters do not answer.

        Paid models have the budget besides, which fails closed.
        """
        rates, now = self._plans.of(principal.tenant).rates, self._clock.now()
        try:
            count = self._limiter.take(principal.tenant, principal.user, rates, now)
        except UnavailableError:
            _LOGGER.warning("requests can't be counted and are admitted", extra={"tenant": principal.tenant})
            return Admission()
        windows = _windows(rates, count, now)
        return Admission(windows, None if count.allowed else _refusal(windows))


def _windows(rates: RateLimits, count: RateCount, now: datetime) -> tuple[Window, ...]:
    since_hour = now.minute * 60 + now.second
    return (
        _window("user", rates.user_per_minute, MINUTE, count.user, since_hour),
        _window("tenant", rates.tenant_per_hour, HOUR, count.tenant, since_hour),
    )


def _window(name: str, quota: int, seconds: int, used: int, since_hour: int) -> Window:
    # Windows begin at full minutes and hours of the clock, not at the first request.
    return Window(name, quota, seconds, max(0, quota - used), seconds - since_hour % seconds)


def _refusal(windows: tuple[Window, ...]) -> RateLimitedError:
    """Return the error for the limit that takes longest to reset of those used up."""
    exhausted = max((window for window in windows if not window.remaining), key=lambda window: window.resets_in)
    subject = "You have" if exhausted.name == "user" else "Your organization has"
    span = "minute" if exhausted.seconds == MINUTE else "hour"
    return RateLimitedError(
        f"{subject} used all {exhausted.quota} requests of this {span}.",
        retry_after=exhausted.resets_in,
        detail={
            "limit": exhausted.name,
            "quota": exhausted.quota,
            "window_seconds": exhausted.seconds,
            "retry_after": exhausted.resets_in,
        },
        suggestion=f"Try again in {exhausted.resets_in} seconds.",
    )
