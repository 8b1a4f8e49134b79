"""What a tenant has booked: its plan, with what was agreed besides, read from its profile at most once a minute.

The usage plans of API Gateway have the same names; they hold the bursts, these the documented limits and the budget.
"""

import logging
import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.domain.errors import UnavailableError
from aisha.domain.limits import RateLimits

if TYPE_CHECKING:
    # The ports know every record type, which a function without records does not load.
    from aisha.domain.ports import Clock, EntryRepository

PROFILE = "profile"
"""Kind and id of the tenant's one profile entry, whose members `plan`, `limits` and `provider` are read here."""
KEPT = timedelta(seconds=60)
MOST_TENANTS = 1000
_LOGGER = logging.getLogger(__name__)


class Plan(Struct, frozen=True):
    """`budget_usd` is what models may cost the tenant in a calendar month (UTC).

    `provider` is the one whose models alone the tenant is served with; None for the chains of the models file.
    """

    name: str
    rates: RateLimits
    budget_usd: float
    provider: str | None = None


FREE = Plan("free", RateLimits(user_per_minute=20, tenant_per_hour=100), 5.0)
ENTERPRISE = Plan("enterprise", RateLimits(user_per_minute=300, tenant_per_hour=20_000), 2000.0)
PLAN_NAMES = ("free", "standard", "enterprise")


def plan_of(profile: Mapping[str, Any], standard: Plan) -> Plan:
    """The plan that a profile names, `standard` for another name, with its own `limits` over it.

    `limits` may have `user_per_minute`, `tenant_per_hour` and `budget_usd`; what is no sensible number is left out.
    """
    plan = next((one for one in (FREE, ENTERPRISE) if one.name == profile.get("plan")), standard)
    agreed = profile.get("limits")
    agreed = agreed if isinstance(agreed, Mapping) else {}
    rates = {name: int(agreed[name]) for name in ("user_per_minute", "tenant_per_hour") if _fits(agreed.get(name), 1)}
    budget = float(agreed["budget_usd"]) if _fits(agreed.get("budget_usd"), 0) else plan.budget_usd
    provider = profile.get("provider")
    return replace(
        plan, rates=replace(plan.rates, **rates), budget_usd=budget, provider=str(provider) if provider else None
    )


def _fits(value: Any, least: int) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and value >= least


class TenantPlans:
    """The tenants' plans. A change is seen within a minute; a tenant whose profile can't be read has its last one.

    One of whom nothing is known yet has the standard plan until its profile can be read.
    """

    def __init__(self, entries: "EntryRepository", clock: "Clock", standard: Plan) -> None:
        self._entries, self._clock, self._standard = entries, clock, standard
        self._known: dict[str, tuple[datetime, Plan]] = {}

    def of(self, tenant: str) -> Plan:
        """The tenant's plan, or the standard one."""
        try:
            return self._current(tenant)
        except UnavailableError:
            return self._standard

    def provider_of(self, tenant: str) -> str | None:
        """Whose models alone the tenant is served with. Raises `UnavailableError` when nobody can say."""
        return self._current(tenant).provider

    def _current(self, tenant: str) -> Plan:
        now = self._clock.now()
        known = self._known.get(tenant)
        if known is not None and abs(now - known[0]) < KEPT:
            return known[1]
        try:
            entry = self._entries.find(tenant, None, PROFILE, PROFILE)
            plan = plan_of(entry.body, self._standard) if entry else self._standard
        except UnavailableError:
            _LOGGER.warning("the tenant's plan can't be read", extra={"tenant": tenant, "known": known is not None})
            if known is None:
                raise
            plan = known[1]
        if len(self._known) >= MOST_TENANTS:
            self._known.clear()
        self._known[tenant] = now, plan
        return plan
