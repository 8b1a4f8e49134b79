"""What a tenant may spend on models in a month (UTC): reserved by the worst case before a call, settled after it.

A call that does not fit is not made: the next model of the chain is asked, a cheaper one may fit, and in a chat the
offline planner answers in the end, `degraded` and with a warning. So it is when nobody can say what is left: no paid
model is asked. The calls at once can't pass the budget together; what one of them costs beyond its worst case, which
the cap on its answer rules out but for a provider that miscounts, is all that can.
"""

import logging
from collections.abc import Generator
from typing import Protocol

from msgspec import Struct

from aisha.application.models.completion import closing_events
from aisha.application.tenants.plans import TenantPlans
from aisha.application.tooling.registry import openai_function
from aisha.domain.errors import BudgetError, BudgetExceededError, ModelUnavailableError, UnavailableError
from aisha.domain.models import ModelEvent, ModelRequest, TextChunk, Usage
from aisha.domain.ports import ChatModel, Clock, SpendingLedger
from aisha.domain.tools import ToolSpec

NANO = 1_000_000_000
"""Billionths of a dollar in a dollar: a token of the cheapest models costs a hundred of them."""
BYTES_PER_TOKEN = 2
"""Fewer than any text has: English has more than four, Chinese three a character. The worst case counts with it."""
USUAL_BYTES_PER_TOKEN = 4
OVERHEAD_TOKENS = 50
"""Of a request beside its messages and tools; each of those has a few of its own."""
MESSAGE_TOKENS = 8
_LOGGER = logging.getLogger(__name__)


class Tariff(Protocol):
    """What tokens cost at a model."""

    def cost(self, fresh: int, output: int, cached: int = 0, written: int = 0) -> float:
        """In USD, for tokens read for the first time, written as the answer, read from the cache and put into it."""
        ...


class Reservation(Struct, frozen=True):
    """`amount` is in billionths of a dollar."""

    tenant: str
    month: str
    amount: int


class Budgets:
    """The budgets of all tenants, each by its plan."""

    def __init__(self, ledger: SpendingLedger, plans: TenantPlans, clock: Clock) -> None:
        self._ledger, self._plans, self._clock = ledger, plans, clock

    def reserve(self, tenant: str, worst: float) -> Reservation:
        """Sets `worst` dollars aside.

        Raises `BudgetExceededError`, and `BudgetError` when nobody knows what is left.
        """
        budget, month = self._plans.of(tenant).budget_usd, f"{self._clock.now():%Y-%m}"
        amount = round(worst * NANO)
        try:
            fits = self._ledger.reserve(tenant, month, amount, round(budget * NANO))
        except UnavailableError as error:
            raise BudgetError("Nobody can say what is left of the model budget: no paid model is asked") from error
        if not fits:
            raise _exceeded(budget)
        return Reservation(tenant, month, amount)

    def settle(self, reserved: Reservation, cost: float) -> None:
        """Puts the cost in the reservation's place. If that fails the worst case stays counted."""
        if difference := round(cost * NANO) - reserved.amount:
            try:
                self._ledger.adjust(reserved.tenant, reserved.month, difference)
            except UnavailableError:
                _LOGGER.warning("a model call's cost could not be settled", extra={"tenant": reserved.tenant})

    def check(self, tenant: str) -> None:
        """For what nobody can set aside anything for. Raises as `reserve` when nothing is left."""
        self.reserve(tenant, 1 / NANO)


def _exceeded(budget: float) -> BudgetExceededError:
    return BudgetExceededError(
        f"This month's model budget of ${budget:,.2f} is used up",
        detail={"budget_usd": budget},
        suggestion="Ask your admin for a higher budget, or wait for next month.",
    )


class BudgetedModel:
    """`model`, asked only when what the call costs at most fits in the tenant's budget."""

    def __init__(self, model: ChatModel, budgets: Budgets, tariff: Tariff, most_output: int) -> None:
        self._model, self._budgets, self._tariff, self._most_output = model, budgets, tariff, most_output
        self._tool_bytes: dict[str, tuple[ToolSpec, int]] = {}

    def stream(self, request: ModelRequest) -> Generator[ModelEvent]:
        """As `model`; raises `BudgetError` and `BudgetExceededError`, too, before it is asked."""
        size = self._size(request)
        reserved = self._budgets.reserve(request.caller.principal.tenant, self._worst(request, size))
        cost = self._tariff.cost(_tokens(request, size, USUAL_BYTES_PER_TOKEN), 0)
        try:
            for event in closing_events(self._model.stream(request)):
                if isinstance(event, TextChunk):
                    cost += self._tariff.cost(0, -(-len(event.text.encode()) // USUAL_BYTES_PER_TOKEN))
                elif event.usage != Usage():
                    cost = event.usage.cost_usd
                yield event
        except ModelUnavailableError as error:
            cost = 0.0 if was_refused(error) else cost
            raise
        finally:
            self._budgets.settle(reserved, cost)

    def _worst(self, request: ModelRequest, size: int) -> float:
        """An answer as long as it may be, to a prompt that all goes into the provider's cache if that costs more."""
        prompt, tariff = _tokens(request, size, BYTES_PER_TOKEN), self._tariff
        return max(tariff.cost(prompt, self._most_output), tariff.cost(0, self._most_output, written=prompt))

    def _size(self, request: ModelRequest) -> int:
        """Bytes of text, of calls, and of the tools as they are written for a model."""
        messages = sum(
            len(message.content.encode())
            + sum(len(call.name) + len(call.arguments.encode()) for call in message.tool_calls)
            for message in request.messages
        )
        return messages + sum(self._tool_size(spec) for spec in request.tools)

    def _tool_size(self, spec: ToolSpec) -> int:
        known = self._tool_bytes.get(spec.name)
        if known is None or known[0] is not spec:
            known = self._tool_bytes[spec.name] = (spec, len(str(openai_function(spec)).encode()))
        return known[1]


def _tokens(request: ModelRequest, size: int, bytes_per_token: int) -> int:
    return size // bytes_per_token + MESSAGE_TOKENS * len(request.messages) + OVERHEAD_TOKENS


def was_refused(error: UnavailableError) -> bool:
    """The provider said a status in place of an answer: it charges nothing for that."""
    return isinstance(error.detail, dict) and "status" in error.detail
