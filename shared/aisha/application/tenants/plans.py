"""What a tenant has booked: its plan, with what was agreed besides, as its profile says.

The usage plans of API Gateway have the same names; they hold the bursts, these the documented limits and the budget.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.domain.errors import UnavailableError
from aisha.domain.limits import RateLimits


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
    """The tenants' plans. A tenant whose profile was never read has the standard plan until it can be."""

    def __init__(self, profiles: Callable[[str], Mapping[str, Any]], standard: Plan) -> None:
        self._profiles, self._standard = profiles, standard

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
        return plan_of(self._profiles(tenant), self._standard)
