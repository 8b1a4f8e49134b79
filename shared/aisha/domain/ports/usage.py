"""Ports that count what tenants and users use: requests and spending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from aisha.domain.rate_limits import RateCount, RateLimits


class RateLimiter(Protocol):
    """Counts requests in fixed windows of minutes and hours."""

    # One call for both windows: two would count a request that the other one refuses.
    def take(self, tenant: str, user: str, limits: RateLimits, now: datetime) -> RateCount:
        """Count one request in the user's minute and the tenant's hour, or in neither when one is used up.

        Concurrent requests can't exceed a limit. Raises `UnavailableError`.
        """
        ...


class SpendingLedger(Protocol):
    """The spending of tenants by month, e.g. `2026-03`, in billionths of a US dollar. All raise `UnavailableError`."""

    # Before the call: its cost is known only afterwards, and many calls may run at once.
    def reserve(self, tenant: str, month: str, amount: int, limit: int) -> bool:
        """Add `amount` and return True, unless more than `limit` would be spent. Concurrent calls can't exceed it."""
        ...

    def adjust(self, tenant: str, month: str, difference: int) -> None:
        """Add the difference between the cost and its reservation."""
        ...

    def spent(self, tenant: str, month: str) -> int:
        """Return the spending, including reservations."""
        ...
