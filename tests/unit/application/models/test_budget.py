"""Money: what a tenant may spend, whoever asks at once, and who answers when it is spent."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from time import monotonic

import pytest
from msgspec.structs import replace

from aisha.adapters.llm.terms import Price
from aisha.application.models.budget import NANO, BudgetedModel, Budgets
from aisha.application.models.failover import ChainEntry, FailoverModel
from aisha.application.tenants.plans import Plan, TenantPlans
from aisha.application.tenants.profile_cache import TenantProfiles
from aisha.domain.errors import BudgetError, BudgetExceededError, ModelUnavailableError
from aisha.domain.models import Caller, ModelEvent, ModelFinished, ModelMessage, ModelRequest, TextChunk, Usage
from aisha.domain.ports import ChatModel, SpendingLedger
from aisha.domain.principal import Principal
from aisha.domain.rate_limits import RateLimits
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository
from tests.fakes.stores.rate_limits import BrokenCounters, InMemorySpendingLedger

PRICE = Price(input=1.0, output=10.0)
CALL = PRICE.cost(1000, 500)
MAX_OUTPUT = 1000
START = datetime(2026, 3, 31, 23, 0, tzinfo=UTC)


class PaidModel:
    """Answers in two pieces and counts 1,000 tokens in and 500 out, unless it fails."""

    def __init__(self, failure: ModelUnavailableError | None = None, usage: Usage | None = None) -> None:
        self.asked, self._failure = 0, failure
        self._usage = Usage(1000, 500, CALL) if usage is None else usage

    def stream(self, _: ModelRequest) -> Iterator[ModelEvent]:
        self.asked += 1
        if self._failure:
            raise self._failure
        yield TextChunk("Hello ")
        yield TextChunk("Alice.")
        yield ModelFinished("paid", "one", usage=self._usage)


class Bank:
    """A tenant with a budget in dollars."""

    def __init__(self, budget: float, ledger: SpendingLedger | None = None) -> None:
        self.clock, self.ledger = FixedClock(START), ledger or InMemorySpendingLedger()
        standard = Plan("standard", RateLimits(), budget)
        plans = TenantPlans(TenantProfiles(InMemoryEntryRepository(self.clock), self.clock), standard)
        self.budgets = Budgets(self.ledger, plans, self.clock)

    def model(self, model: ChatModel, price: Price = PRICE) -> BudgetedModel:
        return BudgetedModel(model, self.budgets, price, MAX_OUTPUT)

    def spent(self, month: str = "2026-03", tenant: str = "demo") -> float:
        return self.ledger.spent(tenant, month) / NANO


def request(tenant: str = "demo", characters: int = 4000) -> ModelRequest:
    caller = Caller(Principal(tenant, "alice"), START)
    return ModelRequest([ModelMessage("user", "x" * characters)], (), caller, monotonic() + 10)


def worst(characters: int = 4000) -> float:
    return PRICE.cost(characters // 2 + 8 + 50, MAX_OUTPUT)


def test_a_call_costs_what_the_model_counted() -> None:
    bank = Bank(1.0)
    assert len(list(bank.model(PaidModel()).stream(request()))) == 3
    assert bank.spent() == pytest.approx(CALL)


def test_the_worst_case_is_set_aside_while_the_call_runs() -> None:
    bank = Bank(1.0)
    events = bank.model(PaidModel()).stream(request())
    next(events)
    assert bank.spent() == pytest.approx(worst())


def test_a_call_that_may_not_fit_is_not_made() -> None:
    bank, paid = Bank(worst() * 0.99), PaidModel()
    with pytest.raises(BudgetExceededError, match="used up") as raised:
        list(bank.model(paid).stream(request()))
    assert (raised.value.code, raised.value.retryable, paid.asked) == ("budget_exceeded", False, 0)
    assert bank.spent() == 0


def test_calls_at_once_never_spend_more_than_there_is() -> None:
    bank = Bank(budget := 10 * worst())
    paid = PaidModel()

    def ask(_: int) -> bool:
        try:
            return len(list(bank.model(paid).stream(request()))) == 3
        except BudgetExceededError:
            return False

    with ThreadPoolExecutor(32) as clients:
        answered = sum(clients.map(ask, range(300)))
    assert answered == paid.asked
    assert bank.spent() == pytest.approx(answered * CALL)
    assert budget - worst() < bank.spent() <= budget, "it is used, and never passed"


class HeldModel(PaidModel):
    """A model that answers after `go`, and counts the requests that wait."""

    def __init__(self, usage: Usage | None = None) -> None:
        super().__init__(usage=usage)
        self.go, self.waiting, self._lock = threading.Event(), 0, threading.Lock()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        with self._lock:
            self.waiting += 1
        assert self.go.wait(20)
        yield from super().stream(request)


def test_of_32_calls_in_flight_at_once_only_those_run_that_all_fit() -> None:
    fitting, clients = 5, 32
    bank = Bank(budget := worst() * (fitting + 0.5))
    held = HeldModel(Usage(1000, 500, worst()))
    model, refused = bank.model(held), threading.Semaphore(0)

    def ask(_: int) -> bool:
        try:
            return len(list(model.stream(request()))) == 3
        except BudgetExceededError:
            refused.release()
            return False

    with ThreadPoolExecutor(clients) as threads:
        asked = [threads.submit(ask, number) for number in range(clients)]
        everybody = all(refused.acquire(timeout=10) for _ in range(clients - fitting))
        waiting, meanwhile = held.waiting, bank.spent()
        held.go.set()
        answered = sum(one.result() for one in asked)
    assert everybody, "while the others run, the rest is refused, and waits for nobody"
    assert (waiting, answered) == (fitting, fitting)
    assert meanwhile == pytest.approx(fitting * worst()), "all that may come is set aside before it does"
    assert meanwhile <= budget
    assert bank.spent() == pytest.approx(fitting * worst())


def test_a_new_month_has_a_new_budget() -> None:
    bank = Bank(worst())
    list(bank.model(PaidModel()).stream(request()))
    with pytest.raises(BudgetExceededError):
        list(bank.model(PaidModel()).stream(request()))
    bank.clock.advance(timedelta(hours=1))
    list(bank.model(PaidModel()).stream(request()))
    assert bank.spent("2026-04") == pytest.approx(CALL)


def test_tenants_spend_their_own_money() -> None:
    bank = Bank(worst())
    for tenant in ("demo", "rival"):
        list(bank.model(PaidModel()).stream(request(tenant)))
    assert bank.spent(tenant="rival") == bank.spent(tenant="demo")


def test_a_refused_call_costs_nothing() -> None:
    bank = Bank(1.0)
    refused = ModelUnavailableError("paid did not answer", detail={"status": 429})
    with pytest.raises(ModelUnavailableError):
        list(bank.model(PaidModel(refused)).stream(request()))
    assert bank.spent() == 0


def test_a_call_nobody_answered_costs_its_prompt() -> None:
    bank = Bank(1.0)
    with pytest.raises(ModelUnavailableError):
        list(bank.model(PaidModel(ModelUnavailableError("it took too long"))).stream(request()))
    assert 0 < bank.spent() < worst()


def test_an_answer_that_nobody_waits_for_is_paid_as_far_as_it_came() -> None:
    bank = Bank(1.0)
    with closing(bank.model(PaidModel()).stream(request())) as events:
        next(events)
    prompt = PRICE.cost(1000 + 8 + 50, 0)
    assert bank.spent() == pytest.approx(prompt + PRICE.cost(0, 2))


def test_an_answer_without_a_count_is_estimated() -> None:
    bank = Bank(1.0)
    list(bank.model(PaidModel(usage=Usage())).stream(request()))
    assert 0 < bank.spent() < worst()


@pytest.mark.parametrize("cost", [0.75, 1e30, -1e30, float("nan"), float("inf")])
def test_a_cost_that_cannot_be_true_counts_as_the_dearest_that_can(cost: float) -> None:
    bank = Bank(1.0)
    list(bank.model(PaidModel(usage=Usage(10**9, 10**9, cost))).stream(request()))
    assert bank.spent() == pytest.approx(worst() + PRICE.cost(0, len("Hello Alice.")))


def test_when_nobody_knows_what_is_left_no_paid_model_is_asked() -> None:
    paid = PaidModel()
    with pytest.raises(BudgetError) as raised:
        list(Bank(1.0, BrokenCounters()).model(paid).stream(request()))
    assert (raised.value.code, paid.asked) == ("budget_unavailable", 0)


def test_a_cost_that_cannot_be_settled_stays_at_the_worst_case(monkeypatch: pytest.MonkeyPatch) -> None:
    bank = Bank(1.0)
    monkeypatch.setattr(bank.ledger, "adjust", BrokenCounters().adjust)
    assert len(list(bank.model(PaidModel()).stream(request()))) == 3
    assert bank.spent() == pytest.approx(worst())


def test_what_may_go_into_the_providers_cache_is_reserved_at_that_price() -> None:
    bank, price = Bank(1.0), replace(PRICE, cache_write=1.25)
    events = bank.model(PaidModel(), price).stream(request())
    next(events)
    assert bank.spent() == pytest.approx(price.cost(0, MAX_OUTPUT, written=2058))


# --- in a chain


class Free:
    """The model at the end of a chain."""

    def stream(self, _: ModelRequest) -> Iterator[ModelEvent]:
        yield TextChunk("For free.")
        yield ModelFinished("offline", "planner")


class RecordingBreaker:
    """A circuit breaker that never opens and records the names of those that failed."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def check(self, name: str) -> None:
        """No-op."""

    def record(self, name: str, error: ModelUnavailableError | None) -> None:
        self.failed.extend([name] if error else [])


@pytest.mark.parametrize("bank", [Bank(0.0), Bank(1.0, BrokenCounters())], ids=["spent", "unreachable"])
def test_without_money_the_next_that_needs_none_answers_and_says_why(bank: Bank) -> None:
    breaker = RecordingBreaker()
    links = [ChainEntry("paid", "one", lambda: bank.model(PaidModel())), ChainEntry("offline", "planner", Free)]
    *_, finished = FailoverModel(links, breaker).stream(request())
    assert isinstance(finished, ModelFinished)
    assert (finished.provider, finished.degraded) == ("offline", True)
    assert "budget" in finished.warnings[0]
    assert not breaker.failed, "one tenant's money says nothing about the provider"


def test_a_cheaper_model_that_fits_answers() -> None:
    bank = Bank(worst() / 2)
    cheap = Price(0.1, 1.0)
    links = [
        ChainEntry("paid", "dear", lambda: bank.model(PaidModel())),
        ChainEntry(
            "paid", "cheap", lambda: bank.model(PaidModel(usage=Usage(1000, 500, cheap.cost(1000, 500))), cheap)
        ),
    ]
    *_, finished = FailoverModel(links).stream(request())
    assert isinstance(finished, ModelFinished)
    assert finished.degraded
    assert bank.spent() == pytest.approx(cheap.cost(1000, 500))


def test_when_only_money_is_missing_the_error_says_so() -> None:
    bank = Bank(0.0)
    links = [ChainEntry("paid", name, lambda: bank.model(PaidModel())) for name in ("one", "two")]
    with pytest.raises(BudgetExceededError):
        list(FailoverModel(links).stream(request()))
