"""Cached profiles of tenants: one entry each with plan, limits, provider, persona, rules and masking."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from aisha.domain.entries import PROFILE
from aisha.domain.errors import UnavailableError

if TYPE_CHECKING:
    # The ports import all record types, which a function without records does not load.
    from aisha.domain.ports import Clock, EntryRepository

CACHE_TTL = timedelta(seconds=60)
MAX_TENANTS = 1000
_LOGGER = logging.getLogger(__name__)

Profile = Mapping[str, Any]
"""The body of a tenant's profile entry, empty without one."""


class TenantProfiles:
    """A cache of profiles, or of another `kind` of which a tenant has one entry. A change shows within a minute."""

    def __init__(self, entries: "EntryRepository", clock: "Clock", kind: str = PROFILE) -> None:
        self._entries, self._clock, self._kind = entries, clock, kind
        # Not a TTLCache: an expired profile still serves while the store does not answer.
        self._profiles: LRUCache[str, tuple[datetime, Profile]] = LRUCache(MAX_TENANTS)
        self._lock = Lock()

    def __call__(self, tenant: str) -> Profile:
        """Return the tenant's profile, or the last one read while the store does not answer.

        Raises `UnavailableError` when the store does not answer and no profile of the tenant was read before.
        """
        now = self._clock.now()
        with self._lock:
            read_at, last = self._profiles.get(tenant, (None, None))
        # `abs`, so that a clock that was set back does not prolong the cache.
        if last is not None and read_at is not None and abs(now - read_at) < CACHE_TTL:
            return last
        try:
            entry = self._entries.find(tenant, None, self._kind, self._kind)
            profile: Profile = entry.body if entry else {}
        except UnavailableError:
            _LOGGER.warning("the tenant's profile can't be read", extra={"tenant": tenant, "known": last is not None})
            if last is None:
                raise
            profile = last
        # Also after a failed read: the store that does not answer is asked once a minute, not by every request.
        with self._lock:
            self._profiles[tenant] = now, profile
        return profile

    def forget(self, tenant: str) -> None:
        """Read the tenant's profile anew at its next use: this process has just changed it."""
        with self._lock:
            # Other instances read it anew within `CACHE_TTL`.
            self._profiles.pop(tenant, None)
