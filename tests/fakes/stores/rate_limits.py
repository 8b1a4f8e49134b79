"""Counters in memory, and counters that are unavailable."""

import threading
from collections import Counter
from datetime import datetime

from aisha.domain.errors import UnavailableError
from aisha.domain.rate_limits import RateCount, RateLimits


class InMemoryRateLimiter:
    """A `RateLimiter` that never drops a count."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, ...]] = Counter()
        self._lock = threading.Lock()

    def take(self, tenant: str, user: str, limits: RateLimits, now: datetime) -> RateCount:
        hour, minute = (tenant, f"{now:%Y-%m-%dT%H}"), (tenant, user, f"{now:%Y-%m-%dT%H:%M}")
        with self._lock:
            allowed = self._counts[hour] < limits.tenant_per_hour and self._counts[minute] < limits.user_per_minute
            self._counts.update([hour, minute] if allowed else [])
            return RateCount(allowed, self._counts[minute], self._counts[hour])


class InMemorySpendingLedger:
    """A `SpendingLedger` in memory."""

    def __init__(self) -> None:
        self._spent: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def reserve(self, tenant: str, month: str, amount: int, most: int) -> bool:
        with self._lock:
            fits = self._spent[tenant, month] + amount <= most
            self._spent[tenant, month] += amount if fits else 0
            return fits

    def adjust(self, tenant: str, month: str, difference: int) -> None:
        with self._lock:
            self._spent[tenant, month] += difference

    def spent(self, tenant: str, month: str) -> int:
        return self._spent[tenant, month]


class BrokenCounters:
    """A `RateLimiter` and `SpendingLedger` whose store does not answer."""

    def take(self, tenant: str, user: str, limits: RateLimits, now: datetime) -> RateCount:
        raise UnavailableError("The counters do not answer.")

    def reserve(self, tenant: str, month: str, amount: int, most: int) -> bool:
        raise UnavailableError("The counters do not answer.")

    def adjust(self, tenant: str, month: str, difference: int) -> None:
        raise UnavailableError("The counters do not answer.")

    def spent(self, tenant: str, month: str) -> int:
        raise UnavailableError("The counters do not answer.")
