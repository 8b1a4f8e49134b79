"""Contract of `RateLimiter` and `SpendingLedger`: on moto, on DynamoDB Local, and in memory."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest

from aisha.adapters.dynamodb.rate_limits import DynamoDBRateLimiter
from aisha.adapters.dynamodb.spending import DynamoDBSpendingLedger
from aisha.adapters.dynamodb.tables import TTL_ATTRIBUTE
from aisha.domain.errors import UnavailableError
from aisha.domain.ports import RateLimiter, SpendingLedger
from aisha.domain.rate_limits import RateCount, RateLimits
from tests.contract.conftest import DynamoDB
from tests.fakes.stores.rate_limits import InMemoryRateLimiter, InMemorySpendingLedger

NOW = datetime(2026, 3, 2, 9, 59, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
SMALL_LIMITS = RateLimits(user_per_minute=3, tenant_per_hour=7)
CLIENTS = 32


@pytest.fixture(params=[pytest.param("dynamodb", marks=pytest.mark.slow), "in_memory"])
def limiter(request: pytest.FixtureRequest, dynamodb: DynamoDB) -> RateLimiter:
    if request.param == "in_memory":
        return InMemoryRateLimiter()
    return DynamoDBRateLimiter(dynamodb.entries_table, region=dynamodb.region, endpoint=dynamodb.endpoint)


@pytest.fixture(params=[pytest.param("dynamodb", marks=pytest.mark.slow), "in_memory"])
def ledger(request: pytest.FixtureRequest, dynamodb: DynamoDB) -> SpendingLedger:
    if request.param == "in_memory":
        return InMemorySpendingLedger()
    return DynamoDBSpendingLedger(dynamodb.entries_table, region=dynamodb.region, endpoint=dynamodb.endpoint)


def count_allowed(
    limiter: RateLimiter, times: int, user: str = "alice", now: datetime = NOW, tenant: str = "demo"
) -> int:
    """Send this many requests and return how many are allowed."""
    return sum(limiter.take(tenant, user, SMALL_LIMITS, now).allowed for _ in range(times))


# --- requests


def test_a_user_has_a_minutes_requests_and_no_more(limiter: RateLimiter) -> None:
    assert [limiter.take("demo", "alice", SMALL_LIMITS, NOW) for _ in range(4)] == [
        RateCount(True, 1, 1),
        RateCount(True, 2, 2),
        RateCount(True, 3, 3),
        RateCount(False, 3, 3),
    ]


def test_users_count_apart_and_for_their_tenant_together(limiter: RateLimiter) -> None:
    assert [count_allowed(limiter, 5, user) for user in ("alice", "bob", "carol", "dan")] == [3, 3, 1, 0]
    assert limiter.take("demo", "eve", SMALL_LIMITS, NOW) == RateCount(False, 0, 7)


def test_tenants_count_apart_whatever_their_names(limiter: RateLimiter) -> None:
    names = ("demo", "demo#c", "demo#c#rate", "démo", "demo%23c")
    assert [count_allowed(limiter, 9, tenant=name) for name in names] == [3] * len(names)


@pytest.mark.parametrize("user", ["alice.b", "alice#b", "#alice", "alice b@c.example", "ä" * 128, "0"])
def test_any_user_can_be_counted(limiter: RateLimiter, user: str) -> None:
    assert (count_allowed(limiter, 5, user), count_allowed(limiter, 5, f"{user}x")) == (3, 3)


def test_a_new_minute_begins_anew_for_the_user_and_goes_on_for_the_tenant(limiter: RateLimiter) -> None:
    before = NOW - 2 * MINUTE
    assert count_allowed(limiter, 5, now=before) == 3
    assert limiter.take("demo", "alice", SMALL_LIMITS, before + MINUTE) == RateCount(True, 1, 4)
    assert count_allowed(limiter, 5, now=before + 2 * MINUTE) == 3
    assert limiter.take("demo", "bob", SMALL_LIMITS, before + 2 * MINUTE) == RateCount(False, 0, 7)


def test_a_new_hour_begins_anew_for_both(limiter: RateLimiter) -> None:
    assert [count_allowed(limiter, 5, user) for user in ("alice", "bob", "carol")] == [3, 3, 1]
    assert limiter.take("demo", "carol", SMALL_LIMITS, NOW + MINUTE) == RateCount(True, 1, 1)


def test_a_refused_request_takes_nothing_from_the_others(limiter: RateLimiter) -> None:
    assert count_allowed(limiter, 50) == 3
    assert count_allowed(limiter, 3, "bob") == 3


def test_a_lower_limit_holds_from_the_next_request_on(limiter: RateLimiter) -> None:
    assert count_allowed(limiter, 3) == 3
    assert not limiter.take("demo", "bob", RateLimits(user_per_minute=3, tenant_per_hour=3), NOW).allowed


@pytest.mark.parametrize(
    ("requests", "limits", "users", "expected"),
    [
        pytest.param(
            1000, RateLimits(user_per_minute=100, tenant_per_hour=500), 8, 500, id="a tenant", marks=pytest.mark.slow
        ),
        pytest.param(40, RateLimits(user_per_minute=100, tenant_per_hour=20), 8, 20, id="a small tenant"),
        pytest.param(40, RateLimits(user_per_minute=20, tenant_per_hour=500), 1, 20, id="a user"),
        pytest.param(
            200, RateLimits(user_per_minute=5, tenant_per_hour=500), 32, 160, id="many users", marks=pytest.mark.slow
        ),
    ],
)
def test_many_at_once_never_pass_a_limit_by_one(
    limiter: RateLimiter, requests: int, limits: RateLimits, users: int, expected: int
) -> None:
    def ask(number: int) -> tuple[str, bool]:
        user = f"user-{number % users}"
        return user, limiter.take("demo", user, limits, NOW).allowed

    with ThreadPoolExecutor(CLIENTS) as clients:
        answers = list(clients.map(ask, range(requests)))
    by_user = Counter(user for user, allowed in answers if allowed)
    assert sum(by_user.values()) == expected
    assert max(by_user.values()) <= limits.user_per_minute


def test_many_at_once_at_the_turn_of_a_minute_all_count(limiter: RateLimiter) -> None:
    limits = RateLimits(user_per_minute=100, tenant_per_hour=60)
    start = NOW - 10 * MINUTE

    def ask(number: int) -> tuple[int, bool]:
        minute = number // 40
        return minute, limiter.take("demo", "alice", limits, start + minute * MINUTE).allowed

    with ThreadPoolExecutor(CLIENTS) as clients:
        answers = list(clients.map(ask, range(80)))
    assert sum(allowed for _, allowed in answers) == 60


# --- items of DynamoDB


@pytest.fixture
def stored(dynamodb: DynamoDB) -> DynamoDBRateLimiter:
    return DynamoDBRateLimiter(dynamodb.entries_table, region=dynamodb.region, endpoint=dynamodb.endpoint)


def items(dynamodb: DynamoDB) -> list[dict[str, Any]]:
    client = boto3.client("dynamodb", region_name=dynamodb.region, endpoint_url=dynamodb.endpoint)
    return list(client.scan(TableName=dynamodb.entries_table)["Items"])


def test_counters_expire_after_their_hour(stored: DynamoDBRateLimiter, dynamodb: DynamoDB) -> None:
    stored.take("demo", "alice", SMALL_LIMITS, NOW)
    (item,) = items(dynamodb)
    end = datetime.fromtimestamp(int(item[TTL_ATTRIBUTE]["N"]), UTC)
    assert NOW + timedelta(minutes=1) < end <= NOW + timedelta(hours=2)


def test_only_the_users_of_the_latest_minute_are_kept(stored: DynamoDBRateLimiter, dynamodb: DynamoDB) -> None:
    limits, start = RateLimits(100, 500), NOW - 30 * MINUTE
    for number in range(20):
        stored.take("demo", f"user-{number}", limits, start + number * MINUTE)
    (item,) = items(dynamodb)
    assert (item["total"], len(item["users"]["M"])) == ({"N": "20"}, 1)
    assert "user-19" not in str(item), "a user's name is stored as a hash"


def test_a_clock_that_is_behind_counts_in_the_latest_minute(stored: DynamoDBRateLimiter) -> None:
    assert stored.take("demo", "alice", SMALL_LIMITS, NOW).allowed
    assert [stored.take("demo", "alice", SMALL_LIMITS, NOW - MINUTE).allowed for _ in range(3)] == [True, True, False]


def test_counters_that_do_not_answer_say_so(dynamodb: DynamoDB) -> None:
    nowhere = DynamoDBRateLimiter("no-such-table", region=dynamodb.region, endpoint=dynamodb.endpoint)
    with pytest.raises(UnavailableError):
        nowhere.take("demo", "alice", SMALL_LIMITS, NOW)


# --- spending


def test_what_is_reserved_and_settled_adds_up(ledger: SpendingLedger) -> None:
    assert ledger.spent("demo", "2026-03") == 0
    assert ledger.reserve("demo", "2026-03", 60, 100)
    assert not ledger.reserve("demo", "2026-03", 41, 100)
    ledger.adjust("demo", "2026-03", -50)
    assert ledger.reserve("demo", "2026-03", 90, 100)
    assert ledger.spent("demo", "2026-03") == 100
    assert not ledger.reserve("demo", "2026-03", 1, 100)


def test_months_and_tenants_spend_apart(ledger: SpendingLedger) -> None:
    assert all(
        ledger.reserve(tenant, month, 100, 100)
        for tenant in ("demo", "rival", "demo#c")
        for month in ("2026-03", "2026-04")
    )


def test_more_than_everything_never_fits(ledger: SpendingLedger) -> None:
    assert not ledger.reserve("demo", "2026-03", 101, 100)
    assert not ledger.reserve("demo", "2026-03", 1, 0)
    assert ledger.spent("demo", "2026-03") == 0


def test_reservations_at_once_never_pass_the_budget(ledger: SpendingLedger) -> None:
    with ThreadPoolExecutor(CLIENTS) as clients:
        fits = list(clients.map(lambda _: ledger.reserve("demo", "2026-03", 7, 500), range(200)))
    assert sum(fits) == 71
    assert ledger.spent("demo", "2026-03") == 497
