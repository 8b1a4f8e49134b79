"""Rate limits: at every operation that costs money or writes, and over the gateway with simultaneous clients."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from aisha.api.operation import Operation
from aisha.application.tenants.plans import TenantPlans
from aisha.application.tenants.profile_cache import TenantProfiles
from aisha.application.tenants.rate_limits import RequestLimits
from aisha.domain.entries import PROFILE
from infra.local.server.server import LocalServer
from infra.openapi import examples_of
from tests.fakes.aws.api_gateway import Answer, assert_problem, call, chat, declared, function
from tests.fakes.local import token
from tests.fakes.stores.in_memory import FixedClock
from tests.fakes.stores.rate_limits import BrokenCounters
from tests.fakes.world import ALICE, BOB, RIVAL, World

pytestmark = pytest.mark.slow

CLIENTS = 32
LIMITED = [(name, operation) for name, operation in declared() if operation.is_limited]
DOORS = pytest.mark.parametrize(("name", "operation"), LIMITED, ids=[operation.id for _, operation in LIMITED])


def ask(name: str, operation: Operation, caller: dict[str, str] = ALICE) -> Answer:
    """Send the example of an operation's description and return the answer."""
    ids = {"id": "confirm_01JD3Q8S5V0W8Y2Z6T4R9K7M1N", "type": "lead", "mode": "brief"}
    path = operation.path.format_map(ids)
    example = examples_of(operation).get("request")
    if hasattr(function(name), "OPERATIONS"):
        return chat(example or "", caller, method=operation.method, path=path, app=function(name).app)
    body = json.dumps(example) if example else None
    return call(name, operation.method, path, caller, body)


def set_limits(world: World, tenant: str = "demo", **limits: float) -> None:
    world.entries.put(tenant, None, PROFILE, PROFILE, {"limits": limits})


# --- each door


def test_what_costs_money_or_writes_is_limited() -> None:
    assert {operation.path for _, operation in LIMITED} >= {
        "/api/ai/chat",
        "/api/ai/flow-chat",
        "/api/ai/suggest",
        "/api/ai/singleturn",
        "/api/ai/embedding",
        "/api/ai/speech",
        "/api/ai/realtime",
        "/api/ai/realtime/tools",
        "/api/ai/confirmations/{id}",
        "/v1/chat/completions",
        "/api/ai/suggestions/{id}/accept",
        "/api/ai/documents/{id}",
        "/api/crm/{type}/{id}",
    }


@DOORS
def test_every_answer_tells_what_is_left(world: World, name: str, operation: Operation) -> None:
    answer = ask(name, operation)
    assert answer.status != 429
    assert answer.headers["ratelimit-policy"] == '"user";q=100;w=60, "tenant";q=500;w=3600'
    assert answer.headers["ratelimit"] == '"user";r=99;t=60, "tenant";r=499;t=3600'


@DOORS
def test_a_user_over_the_limit_is_refused_until_the_next_minute(world: World, name: str, operation: Operation) -> None:
    set_limits(world, user_per_minute=1)
    world.clock.advance(timedelta(seconds=18))
    assert ask(name, operation).status != 429
    refused = ask(name, operation)
    assert (refused.status, refused.headers["retry-after"]) == (429, "42")
    assert (refused.json["code"], refused.json["data"]["limit"]) == ("rate_limited", "user")
    assert refused.headers["ratelimit"] == '"user";r=0;t=42, "tenant";r=499;t=3582'
    assert ask(name, operation, BOB).status != 429
    world.clock.advance(timedelta(seconds=42))
    assert ask(name, operation).status != 429


@DOORS
def test_without_counters_it_answers_and_the_metric_says_so(
    world: World, capsys: pytest.CaptureFixture[str], name: str, operation: Operation
) -> None:
    world.use(rate_limiter=BrokenCounters())
    answer = ask(name, operation)
    assert answer.status != 429
    assert "ratelimit" not in answer.headers
    assert '"RateLimiterUnavailable":[1.0]' in capsys.readouterr().out.replace(" ", "")


@DOORS
def test_a_request_that_is_not_authenticated_is_not_counted(world: World, name: str, operation: Operation) -> None:
    assert ask(name, operation, {}).status == 401
    assert "r=99;" in ask(name, operation).headers["ratelimit"]


# --- all doors together


def test_one_user_has_one_count_for_all_doors(world: World) -> None:
    left = [ask(name, operation).headers["ratelimit"].partition(",")[0] for name, operation in LIMITED]
    assert left == [f'"user";r={99 - number};t=60' for number in range(len(LIMITED))]


def test_the_tenants_limit_names_itself(world: World) -> None:
    set_limits(world, tenant_per_hour=2)
    body = {"message": "Hello"}
    assert [chat(body, caller).status for caller in (ALICE, BOB)] == [200, 200]
    problem = assert_problem(chat(body, ALICE), 429, "rate_limited")
    assert problem["data"] == {"limit": "tenant", "quota": 2, "window_seconds": 3600, "retry_after": 3600}
    assert problem["retryable"] is True
    assert chat(body, RIVAL).status == 200


def test_an_error_keeps_its_own_headers_and_tells_what_is_left(world: World) -> None:
    answer = chat(b"{", ALICE)
    assert_problem(answer, 400, "malformed_request")
    assert "r=99;" in answer.headers["ratelimit"]


def test_what_costs_nothing_is_not_counted(world: World) -> None:
    set_limits(world, user_per_minute=1)
    for _ in range(3):
        assert call("crm", "GET", "/api/crm/lead", ALICE).status == 200
        assert chat(b"", ALICE, method="GET", path="/v1/models", app=function("openai").app).status == 200
    answer = chat({"message": "Hello"}, ALICE)
    assert (answer.status, answer.headers["ratelimit-policy"].partition(",")[0]) == (200, '"user";q=1;w=60')


def test_the_limits_of_one_answer_are_not_another_ones(world: World) -> None:
    assert "ratelimit" in ask(*next(door for door in LIMITED if door[1].id == "openRealtimeSession")).headers
    assert "ratelimit" not in call("realtime", "GET", "/api/ai/unknown", ALICE).headers


def test_a_stream_tells_what_is_left(world: World) -> None:
    body = {"messages": [{"role": "user", "content": "Hello"}], "stream": True, "model": "aisha"}
    answer = chat(body, ALICE, path="/v1/chat/completions", app=function("openai").app)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "r=99;" in answer.headers["ratelimit"]


# --- over the gateway, with 32 simultaneous clients


@pytest.fixture
def clock(server: LocalServer) -> FixedClock:
    """Stop the server's clock, so that no new minute begins during a test."""
    fixed = FixedClock(datetime.now(UTC).replace(second=10, microsecond=0))
    services = server.services
    services.clock = fixed
    services.tenant_profiles = TenantProfiles(services.entries, fixed)
    services.tenant_plans = TenantPlans(services.tenant_profiles, services.tenant_plans.of("nobody"))
    services.request_limits = RequestLimits(services.rate_limiter, services.tenant_plans, fixed)
    server.services.entries.delete("demo", None, PROFILE, PROFILE)
    return fixed


def statuses(server: LocalServer, users: tuple[str, ...], times: int) -> dict[str, Counter[int]]:
    """Send this many requests by 32 clients and return the count of each status by user."""
    headers = {user: {"authorization": f"Bearer {token(server, user)}"} for user in users}
    url = f"{server.url}/api/ai/confirmations/confirm_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"

    with httpx.Client(trust_env=False, timeout=60, limits=httpx.Limits(max_connections=CLIENTS)) as client:

        def send(number: int) -> tuple[str, int]:
            user = users[number % len(users)]
            return user, client.post(url, headers=headers[user], json={"decision": "approve"}).status_code

        with ThreadPoolExecutor(CLIENTS) as clients:
            answers = list(clients.map(send, range(times)))
    return {user: Counter(status for name, status in answers if name == user) for user in users}


@pytest.mark.slow
def test_of_many_at_once_exactly_a_users_minute_gets_through(server: LocalServer, clock: FixedClock) -> None:
    assert statuses(server, ("alice",), 300)["alice"] == {404: 100, 429: 200}


@pytest.mark.slow
def test_of_many_at_once_exactly_a_tenants_hour_gets_through(server: LocalServer, clock: FixedClock) -> None:
    clock.advance(timedelta(hours=1))
    profile: dict[str, Any] = {"limits": {"tenant_per_hour": 120}}
    server.services.entries.put("demo", None, PROFILE, PROFILE, profile)
    counts = statuses(server, ("alice", "bob"), 300)
    assert counts["alice"][404] + counts["bob"][404] == 120
    assert max(count[404] for count in counts.values()) <= 100
    assert sum(counts.values(), Counter()) == {404: 120, 429: 180}


def test_a_refused_chat_says_when_to_come_back(server: LocalServer, clock: FixedClock) -> None:
    clock.advance(timedelta(hours=2))
    server.services.entries.put("demo", None, PROFILE, PROFILE, {"limits": {"user_per_minute": 1}})
    headers = {"authorization": f"Bearer {token(server)}"}
    answers = [
        httpx.post(f"{server.url}/api/ai/chat", headers=headers, json={"message": "Hello"}, trust_env=False, timeout=60)
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert answers[1].headers["content-type"] == "application/problem+json"
    assert answers[1].headers["retry-after"] == "50"
    assert answers[1].json()["suggestion"] == "Try again in 50 seconds."
