"""Model budgets over whole turns: a provider with prices, a tenant with a budget, and the planner when it is spent."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from aisha.application.models.budget import NANO
from aisha.domain.crm.records import Record
from aisha.domain.entries import PROFILE
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import assert_problem, call, chat
from tests.fakes.models.model_server import Answer, ModelServer
from tests.fakes.stores.rate_limits import BrokenCounters, InMemorySpendingLedger
from tests.fakes.systems.customer_api import CustomerApi, Reply, Request
from tests.fakes.world import ALICE, RIVAL, World

MONTH = "2026-03"
QUESTION = {"message": "Show me my warm leads"}


@pytest.fixture
def provider(world: World) -> Iterator[ModelServer]:
    """Serve OpenAI's model, which has a price, to the functions."""
    with ModelServer(play=lambda _: Answer("You have one warm lead.", usage=(2000, 300))) as server:
        config = read_settings({"OPENAI_API_KEY": "sk-test", "AISHA_OPENAI_BASE_URL": server.url})
        world.use(settings=config)
        yield server
        world.close()


def budget(world: World, dollars: float) -> None:
    world.entries.put("demo", None, PROFILE, PROFILE, {"limits": {"budget_usd": dollars}})


def body_of(answer: Any) -> dict[str, Any]:
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.json
    return body


def test_what_a_turn_costs_is_what_the_tenant_spent(provider: ModelServer, world: World) -> None:
    answer = body_of(chat(QUESTION, ALICE))
    assert (answer["provider"], answer["degraded"]) == ("openai", False)
    assert world.ledger.spent("demo", MONTH) / NANO >= answer["usage"]["costUsd"] > 0
    assert world.ledger.spent("rival", MONTH) == 0


def test_every_answer_is_capped_so_that_its_price_is(provider: ModelServer) -> None:
    chat(QUESTION, ALICE)
    assert provider.requests
    assert {body["max_completion_tokens"] for body in provider.requests} <= {200, 8192}, "the router's and the answer's"


def test_when_the_month_is_spent_the_planner_answers_and_says_why(
    provider: ModelServer, world: World, crm: dict[str, Record]
) -> None:
    budget(world, 0.0001)
    answer = body_of(chat(QUESTION, ALICE))
    assert (answer["provider"], answer["degraded"]) == ("offline", True)
    assert "Jack Russel" in answer["response"]
    assert any("model budget of $0.00 is used up" in warning for warning in answer["warnings"])
    assert not provider.requests
    assert body_of(chat(QUESTION, RIVAL))["provider"] == "openai", "another tenant has its own money"


def test_without_the_ledger_the_planner_answers(provider: ModelServer, world: World, crm: dict[str, Record]) -> None:
    world.use(spending_ledger=BrokenCounters())
    answer = body_of(chat(QUESTION, ALICE))
    assert (answer["provider"], answer["degraded"], provider.requests) == ("offline", True, [])
    assert "Jack Russel" in answer["response"]


def test_no_spoken_conversation_is_opened_without_money(provider: ModelServer, world: World) -> None:
    budget(world, 0)
    problem = assert_problem(call("realtime", "GET", "/api/ai/realtime", ALICE), 402, "budget_exceeded")
    assert problem["retryable"] is False
    assert not provider.requests


# --- simultaneous turns


class WatchedLedger(InMemorySpendingLedger):
    """A ledger that records its highest total, every amount asked for, and how many reservations were decided."""

    def __init__(self) -> None:
        super().__init__()
        self.peak, self.amounts, self.decided = 0, list[int](), threading.Semaphore(0)

    def reserve(self, tenant: str, month: str, amount: int, most: int) -> bool:
        fits = super().reserve(tenant, month, amount, most)
        self.amounts.append(amount)
        self.peak = max(self.peak, self.spent(tenant, month))
        self.decided.release()
        return fits


def test_32_clients_at_once_never_have_more_in_flight_than_is_left(provider: ModelServer, world: World) -> None:
    ledger = WatchedLedger()
    world.use(spending_ledger=ledger)
    provider.play = lambda _: Answer("You have one warm lead.", usage=(10, 10))
    assert body_of(chat(QUESTION, RIVAL))["provider"] == "openai"
    first, fitting, clients = ledger.amounts[0], 3, 32
    left, requests_before = round(first * (fitting + 0.5)), len(provider.requests)
    budget(world, left / NANO)
    go, waiting = threading.Event(), threading.Semaphore(0)

    def hold(_: dict[str, Any]) -> Answer:
        waiting.release()
        assert go.wait(20)
        return Answer("You have one warm lead.", usage=(10, 10))

    provider.play = hold
    ledger.decided, ledger.peak = threading.Semaphore(0), 0
    with ThreadPoolExecutor(clients) as threads:
        answers = [threads.submit(chat, QUESTION, ALICE) for _ in range(clients)]
        all_decided = all(ledger.decided.acquire(timeout=10) for _ in range(clients))
        all_asking = all(waiting.acquire(timeout=10) for _ in range(fitting))
        in_flight = len(provider.requests) - requests_before
        go.set()
        bodies = [body_of(answer.result()) for answer in answers]
    assert (all_decided, all_asking, in_flight) == (True, True, fitting)
    assert ledger.peak <= left
    assert ledger.spent("demo", MONTH) <= left
    assert {body["provider"] for body in bodies if not body["degraded"]} <= {"openai"}
    assert "offline" in {body["provider"] for body in bodies}, "those that came while the money was reserved"


# --- vectors


@pytest.fixture
def vectors(world: World) -> Iterator[CustomerApi]:
    """Serve OpenAI's embeddings to functions with `AISHA_EMBEDDER=openai`."""

    def embed(request: Request) -> Reply:
        data = [
            {"object": "embedding", "index": place, "embedding": [1.0] + [0.0] * 1535}
            for place, _ in enumerate(request.body["input"])
        ]
        usage = {"prompt_tokens": 5000, "total_tokens": 5000}
        return Reply({"object": "list", "data": data, "model": request.body["model"], "usage": usage})

    with CustomerApi(embed) as api:
        config = read_settings(
            {"OPENAI_API_KEY": "sk-test", "AISHA_OPENAI_BASE_URL": f"{api.url}/v1", "AISHA_EMBEDDER": "openai"}
        )
        world.use(settings=config)
        yield api
        world.close()


def embed(*texts: str) -> Any:
    return call("embedding", "POST", "/api/ai/embedding", ALICE, json.dumps({"input": texts}))


def test_vectors_cost_the_tenant_what_the_provider_counted(vectors: CustomerApi, world: World) -> None:
    answer = body_of(embed("Jack Russel", "Lunch"))
    assert (len(answer["embeddings"]), answer["model"]) == (2, "openai:text-embedding-3-small")
    assert world.ledger.spent("demo", MONTH) / NANO == pytest.approx(5000 * 0.02 / 1e6)


def test_without_money_no_vector_is_made(vectors: CustomerApi, world: World) -> None:
    budget(world, 0)
    problem = assert_problem(embed("Jack Russel"), 402, "budget_exceeded")
    assert problem["retryable"] is False
    assert vectors.requests == []


def test_the_provider_of_vectors_gets_no_number_of_a_card(vectors: CustomerApi, world: World) -> None:
    assert embed("Pay with 4111 1111 1111 1111").status == 200
    assert "[card ending 1111]" in json.dumps(vectors.requests[0].body)
    assert "4111 1111" not in json.dumps(vectors.requests[0].body)
