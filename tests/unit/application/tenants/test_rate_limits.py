"""Rate limits and plans: windows, refusals and profiles."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from aisha.api.rate_limit import rate_limit_headers
from aisha.application.tenants.plans import Plan, TenantPlans, plan_of
from aisha.application.tenants.profile_cache import TenantProfiles
from aisha.application.tenants.rate_limits import RequestLimits, Window
from aisha.domain.entries import PROFILE, Entry
from aisha.domain.errors import RateLimitedError, UnavailableError
from aisha.domain.ports import RateLimiter
from aisha.domain.principal import Principal
from aisha.domain.rate_limits import RateLimits
from aisha.renderers.problem import problem
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository
from tests.fakes.stores.rate_limits import BrokenCounters, InMemoryRateLimiter

ALICE, BOB = Principal("demo", "alice"), Principal("demo", "bob")
STANDARD = Plan("standard", RateLimits(2, 3), 10.0)


class World:
    def __init__(self, limiter: RateLimiter | None = None) -> None:
        self.clock = FixedClock(datetime(2026, 3, 2, 9, 58, 45, tzinfo=UTC))
        self.entries = InMemoryEntryRepository(self.clock)
        self.plans = TenantPlans(TenantProfiles(self.entries, self.clock), STANDARD)
        self.limits = RequestLimits(limiter or InMemoryRateLimiter(), self.plans, self.clock)

    def refused(self, principal: Principal) -> RateLimitedError:
        refusal = self.limits.admit(principal).refusal
        assert refusal is not None
        return refusal

    def profile(self, **body: Any) -> None:
        self.entries.put("demo", None, PROFILE, PROFILE, body)


def test_every_answer_has_the_state_of_both_limits() -> None:
    world = World()
    assert world.limits.admit(ALICE).windows == (Window("user", 2, 60, 1, 15), Window("tenant", 3, 3600, 2, 75))
    assert rate_limit_headers(world.limits.admit(ALICE)) == {
        "ratelimit-policy": '"user";q=2;w=60, "tenant";q=3;w=3600',
        "ratelimit": '"user";r=0;t=15, "tenant";r=1;t=75',
    }


def test_a_refusal_names_the_limit_and_the_time_to_wait() -> None:
    world = World()
    for _ in range(2):
        assert world.limits.admit(ALICE).refusal is None
    status, headers, body = problem(world.refused(ALICE), "id")
    assert (status, headers["retry-after"]) == (429, "15")
    assert '"code": "rate_limited"' in body
    assert '"limit": "user"' in body


def test_of_two_limits_the_one_that_holds_longer_is_named() -> None:
    world = World()
    for principal in (ALICE, BOB, BOB):
        assert world.limits.admit(principal).refusal is None
    refusal = world.refused(BOB)
    assert (refusal.detail["limit"], refusal.retry_after) == ("tenant", 75)
    assert world.refused(ALICE).detail["limit"] == "tenant"


def test_a_request_after_the_time_to_wait_is_admitted() -> None:
    world = World()
    for principal in (ALICE, ALICE):
        world.limits.admit(principal)
    world.clock.advance(timedelta(seconds=world.refused(ALICE).retry_after))
    assert world.limits.admit(ALICE).refusal is None
    world.clock.advance(timedelta(seconds=world.refused(ALICE).retry_after))
    assert world.limits.admit(ALICE).refusal is None


def test_counters_that_do_not_answer_lock_nobody_out() -> None:
    admission = World(BrokenCounters()).limits.admit(ALICE)
    assert (admission.refusal, admission.is_counted, rate_limit_headers(admission)) == (None, False, {})


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ({}, STANDARD),
        ({"plan": "standard"}, STANDARD),
        ({"plan": "unheard-of"}, STANDARD),
        ({"plan": "free"}, Plan("free", RateLimits(20, 100), 5.0)),
        ({"plan": "enterprise", "limits": {"budget_usd": 12.5}}, Plan("enterprise", RateLimits(300, 20_000), 12.5)),
        ({"limits": {"user_per_minute": 7, "budget_usd": 0}}, Plan("standard", RateLimits(7, 3), 0.0)),
        ({"limits": {"tenant_per_hour": 9000}}, Plan("standard", RateLimits(2, 9000), 10.0)),
        ({"limits": {"user_per_minute": 0, "tenant_per_hour": "many", "budget_usd": -1}}, STANDARD),
        ({"limits": {"user_per_minute": True, "budget_usd": float("nan")}}, STANDARD),
        ({"limits": ["user_per_minute"]}, STANDARD),
    ],
    ids=str,
)
def test_a_profile_determines_the_plan(profile: dict[str, Any], expected: Plan) -> None:
    assert plan_of(profile, STANDARD) == expected


def test_a_change_of_plan_is_seen_within_a_minute() -> None:
    world = World()
    assert world.plans.of("demo") == STANDARD
    world.profile(plan="free")
    assert world.plans.of("demo") == STANDARD
    world.clock.advance(timedelta(seconds=60))
    assert world.plans.of("demo").name == "free"
    assert world.plans.of("rival") == STANDARD


def test_a_plan_that_could_not_be_read_once_is_read_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(*_: Any) -> Entry | None:
        raise UnavailableError("The entries do not answer.")

    world = World()
    world.profile(plan="free", provider="anthropic")
    with monkeypatch.context() as patch:
        patch.setattr(world.entries, "find", find)
        assert world.plans.of("demo") == STANDARD
        with pytest.raises(UnavailableError):
            world.plans.provider_of("demo")
    assert (world.plans.of("demo").name, world.plans.provider_of("demo")) == ("free", "anthropic")


def test_a_tenants_own_limits_hold() -> None:
    world = World()
    world.profile(limits={"user_per_minute": 1})
    assert world.limits.admit(ALICE).refusal is None
    assert world.refused(ALICE).detail["quota"] == 1


def test_a_plan_that_cannot_be_read_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(*_: Any) -> Entry | None:
        raise UnavailableError("The entries do not answer.")

    world = World()
    world.profile(plan="free")
    assert world.plans.of("demo").name == "free"
    monkeypatch.setattr(world.entries, "find", find)
    world.clock.advance(timedelta(minutes=5))
    assert world.plans.of("demo").name == "free"
    assert world.plans.of("rival") == STANDARD
