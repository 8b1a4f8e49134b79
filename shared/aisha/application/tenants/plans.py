"""The tenants' plans, with the limits that a tenant's profile sets besides.

The usage plans of API Gateway have the same names: they limit bursts, these have the documented limits and the budget.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.domain.errors import UnavailableError
from aisha.domain.rate_limits import RateLimits


class Plan(Struct, frozen=True):
    """A plan. `budget_usd` is the tenant's limit of model costs in a calendar month (UTC).

    With `provider`, the tenant is served by this provider's models only; None for the chains of the models file.
    """

    name: str
    rates: RateLimits
    budget_usd: float
    provider: str | None = None


FREE = Plan("free", RateLimits(user_per_minute=20, tenant_per_hour=100), 5.0)
ENTERPRISE = Plan("enterprise", RateLimits(user_per_minute=300, tenant_per_hour=20_000), 2000.0)
PLAN_NAMES = ("free", "standard", "enterprise")


def plan_of(profile: Mapping[str, Any], standard: Plan) -> Plan:
    """Return the plan that a profile names, `standard` for any other name, with the profile's own `limits`.

    `limits` may have `user_per_minute`, `tenant_per_hour` and `budget_usd`; invalid numbers are ignored.
    """
    plan = next((plan for plan in (FREE, ENTERPRISE) if plan.name == profile.get("plan")), standard)
    limits = profile.get("limits")
    limits = limits if isinstance(limits, Mapping) else {}
    names = ("user_per_minute", "tenant_per_hour")
    rates = {name: int(limits[name]) for name in names if _is_number(limits.get(name), minimum=1)}
    budget = float(limits["budget_usd"]) if _is_number(limits.get("budget_usd"), minimum=0) else plan.budget_usd
    provider = profile.get("provider")
    return replace(
        plan, rates=replace(plan.rates, **rates), budget_usd=budget, provider=str(provider) if provider else None
    )


def _is_number(value: Any, minimum: int) -> bool:
    # `True` is an int in Python, and NaN and infinity are floats: none of them is a limit.
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= minimum


class TenantPlans:
    """The plans by tenant. A tenant has the standard plan as long as its profile was never read."""

    def __init__(self, profiles: Callable[[str], Mapping[str, Any]], standard: Plan) -> None:
        self._profiles, self._standard = profiles, standard

    def of(self, tenant: str) -> Plan:
        """Return the tenant's plan, or the standard one."""
        try:
            return self._current(tenant)
        except UnavailableError:
            return self._standard

    def provider_of(self, tenant: str) -> str | None:
        """Return the tenant's only provider, or None. Raises `UnavailableError` when the profile can't be read."""
        # No fallback as in `of`: without the profile, a tenant bound to one provider might be served by another.
        return self._current(tenant).provider

    def _current(self, tenant: str) -> Plan:
        return plan_of(self._profiles(tenant), self._standard)
