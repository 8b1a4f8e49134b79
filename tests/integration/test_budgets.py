"""Money over whole turns: a provider that charges, a tenant with a budget, and the planner when it is spent."""

from collections.abc import Iterator
from typing import Any

import pytest

from aisha import bootstrap
from aisha.application.budget import NANO
from aisha.application.plans import PROFILE
from aisha.domain.records import Record
from aisha.settings import read_settings
from tests.fakes.api_gateway import assert_problem, call, chat
from tests.fakes.limits import BrokenCounters
from tests.fakes.model_server import Answer, ModelServer
from tests.fakes.world import ALICE, RIVAL, World

MONTH = "2026-03"
QUESTION = {"message": "Show me my warm leads"}


@pytest.fixture
def provider(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Answers everything asked of OpenAI's model, which has a price."""
    with ModelServer(play=lambda _: Answer("You have one warm lead.", usage=(2000, 300))) as server:
        made = read_settings({"OPENAI_API_KEY": "sk-test", "AISHA_OPENAI_BASE_URL": server.url})
        monkeypatch.setattr(bootstrap, "settings", lambda: made)
        yield server


def budget(world: World, dollars: float) -> None:
    world.entries.put("demo", None, PROFILE, PROFILE, {"limits": {"budget_usd": dollars}})


def said(answer: Any) -> dict[str, Any]:
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.json
    return body


def test_what_a_turn_costs_is_what_the_tenant_spent(provider: ModelServer, world: World) -> None:
    answer = said(chat(QUESTION, ALICE))
    assert (answer["provider"], answer["degraded"]) == ("openai", False)
    assert world.ledger.spent("demo", MONTH) / NANO >= answer["usage"]["costUsd"] > 0
    assert world.ledger.spent("rival", MONTH) == 0


def test_every_answer_is_capped_so_that_its_price_is(provider: ModelServer) -> None:
    chat(QUESTION, ALICE)
    assert provider.requests
    assert {body["max_completion_tokens"] for body in provider.requests} <= {200, 8192}  # the router's, the answer's


def test_when_the_month_is_spent_the_planner_answers_and_says_why(
    provider: ModelServer, world: World, crm: dict[str, Record]
) -> None:
    budget(world, 0.0001)
    answer = said(chat(QUESTION, ALICE))
    assert (answer["provider"], answer["degraded"]) == ("offline", True)
    assert "Jack Russel" in answer["response"]
    assert any("model budget of $0.00 is used up" in warning for warning in answer["warnings"])
    assert not provider.requests
    assert said(chat(QUESTION, RIVAL))["provider"] == "openai", "another tenant has its own money"


def test_when_nobody_knows_what_is_left_the_planner_answers(
    provider: ModelServer, world: World, crm: dict[str, Record]
) -> None:
    world.ledger = BrokenCounters()
    answer = said(chat(QUESTION, ALICE))
    assert (answer["provider"], answer["degraded"], provider.requests) == ("offline", True, [])
    assert "Jack Russel" in answer["response"]


def test_no_spoken_conversation_is_opened_without_money(provider: ModelServer, world: World) -> None:
    budget(world, 0)
    problem = assert_problem(call("realtime", "GET", "/api/ai/realtime", ALICE), 402, "budget_exceeded")
    assert problem["retryable"] is False
    assert not provider.requests
