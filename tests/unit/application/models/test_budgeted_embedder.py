"""Vectors that cost money: set aside before, settled after, refused when the tenant's month is spent."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from aisha.adapters.llm.terms import Price
from aisha.adapters.memory.embedded import EmbeddedMemoryStore
from aisha.application.memory.retrieval import recall, remember
from aisha.application.models.budget import NANO, Budgets
from aisha.application.models.embedding import BudgetedEmbedder, at_cost_of
from aisha.application.tenants.plans import Plan, TenantPlans
from aisha.application.tenants.profile_cache import TenantProfiles
from aisha.domain.errors import BudgetError, BudgetExceededError, UnavailableError
from aisha.domain.memory import MemoryChunk, MemoryQuery
from aisha.domain.ports import SpendingLedger
from aisha.domain.rate_limits import RateLimits
from tests.fakes.models.words_embedder import WordsEmbedder
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository
from tests.fakes.stores.rate_limits import BrokenCounters, InMemorySpendingLedger

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PRICE = Price(input=2.0, output=0.0)
TEXT = "x" * 1000


class Paid(WordsEmbedder):
    """Takes two texts at a time and counts a token for ten characters."""

    max_texts = 2

    def __init__(self, ledger: SpendingLedger) -> None:
        self.ledger, self.counts = ledger, True
        self.failure: UnavailableError | None = None
        self.asked: list[list[str]] = []
        self.held: list[int] = []

    def embed_counted(self, texts: Sequence[str]) -> tuple[list[list[float]], int | None]:
        self.asked.append(list(texts))
        if not isinstance(self.ledger, BrokenCounters):
            self.held.append(self.ledger.spent("demo", "2026-03"))
        if self.failure:
            raise self.failure
        return self.embed(texts), sum(map(len, texts)) // 10 if self.counts else None


class Bank:
    """A budget in dollars, and an embedder that is paid from it."""

    def __init__(self, budget: float, ledger: SpendingLedger | None = None) -> None:
        clock, self.ledger = FixedClock(NOW), ledger or InMemorySpendingLedger()
        plans = TenantPlans(
            TenantProfiles(InMemoryEntryRepository(clock), clock), Plan("standard", RateLimits(), budget)
        )
        self.paid = Paid(self.ledger)
        self.embedder = BudgetedEmbedder(self.paid, Budgets(self.ledger, plans, clock), PRICE)

    def embed(self, *texts: str, tenant: str = "demo") -> list[list[float]]:
        return at_cost_of(self.embedder, tenant).embed(texts)

    def spent(self, tenant: str = "demo") -> float:
        return self.ledger.spent(tenant, "2026-03") / NANO


def chunk(text: str, tenant: str = "demo") -> MemoryChunk:
    return MemoryChunk(f"mem_{tenant}_{text[:3]}", tenant, text, NOW, "alice")


def test_texts_cost_what_the_provider_counted() -> None:
    bank = Bank(1.0)
    assert bank.embed(TEXT, "Jack") == bank.paid.embed([TEXT, "Jack"])
    assert bank.spent() == pytest.approx(PRICE.cost(100, 0))
    assert bank.spent("rival") == 0


def test_a_token_for_each_byte_is_set_aside_meanwhile() -> None:
    bank = Bank(1.0)
    bank.embed("ü" * 500)
    assert bank.paid.held == [round(PRICE.cost(1000, 0) * NANO)]


def test_each_request_is_paid_by_itself() -> None:
    bank = Bank(1.0)
    assert len(bank.embed(*[TEXT] * 5)) == 5
    assert [len(texts) for texts in bank.paid.asked] == [2, 2, 1]
    assert bank.spent() == pytest.approx(PRICE.cost(500, 0))


def test_without_money_nobody_is_asked() -> None:
    bank = Bank(PRICE.cost(999, 0))
    with pytest.raises(BudgetExceededError, match="used up"):
        bank.embed(TEXT)
    assert (bank.paid.asked, bank.spent()) == ([], 0)


def test_when_nobody_knows_what_is_left_nobody_is_asked() -> None:
    bank = Bank(1.0, BrokenCounters())
    with pytest.raises(BudgetError):
        bank.embed(TEXT)
    assert bank.paid.asked == []


@pytest.mark.parametrize(("detail", "tokens"), [({"status": 429}, 0), (None, 250)], ids=["refused", "unanswered"])
def test_what_failed_costs_nothing_only_when_it_was_refused(detail: dict[str, int] | None, tokens: int) -> None:
    bank = Bank(1.0)
    bank.paid.failure = UnavailableError("OpenAI made no vector", detail=detail)
    with pytest.raises(UnavailableError):
        bank.embed(TEXT)
    assert bank.spent() == pytest.approx(PRICE.cost(tokens, 0))


def test_what_nobody_counted_is_estimated() -> None:
    bank = Bank(1.0)
    bank.paid.counts = False
    bank.embed(TEXT)
    assert bank.spent() == pytest.approx(PRICE.cost(250, 0))


def test_a_recall_is_the_tenant_s_that_asks(store: EmbeddedMemoryStore) -> None:
    bank = Bank(1.0)
    recall(store, bank.embedder, "rival", MemoryQuery(TEXT))
    assert bank.spent("rival") == pytest.approx(PRICE.cost(100, 0))
    assert bank.spent() == 0


def test_what_is_remembered_is_the_tenant_s_whose_it_is(store: EmbeddedMemoryStore) -> None:
    bank = Bank(1.0)
    texts = {"demo": "Jack likes boats", "rival": "Jane likes trains and planes"}
    assert remember(store, bank.embedder, [chunk(text, tenant) for tenant, text in texts.items()]) == 2
    assert bank.spent() == pytest.approx(PRICE.cost(1, 0))
    assert bank.spent("rival") == pytest.approx(PRICE.cost(2, 0))
    for tenant, text in texts.items():
        (hit,) = recall(store, bank.embedder, tenant, MemoryQuery(text))
        assert hit.chunk.text == text


def test_nothing_is_remembered_without_money(store: EmbeddedMemoryStore) -> None:
    with pytest.raises(UnavailableError):
        remember(store, Bank(0.0).embedder, [chunk("Jack likes boats")])
    assert recall(store, WordsEmbedder(), "demo", MemoryQuery("Jack likes boats")) == []


def test_an_embedder_that_costs_nothing_is_asked_as_it_is() -> None:
    free = WordsEmbedder()
    assert at_cost_of(free, "demo") is free


def test_making_a_store_s_vectors_anew_is_no_tenant_s_cost() -> None:
    bank = Bank(0.0)
    assert len(bank.embedder.embed([TEXT] * 3)) == 3
