"""A tenant's monthly budget for models (UTC): the worst case is reserved before a call and settled after it.

A call that does not fit is not made: the next model of the chain is asked, a cheaper one may fit, and in a chat the
offline planner answers in the end, `degraded` and with a warning. The same holds when the rest of the budget can't be
read: no paid model is asked. Calls at the same time can't exceed the budget together; only a provider that ignores the
cap on its answer could make a call cost more than its worst case, by as much as it answered.
"""

import logging
from collections.abc import Generator, Iterator
from typing import Protocol

from msgspec import Struct

from aisha.application.models.completion import closing_events
from aisha.application.tenants.plans import TenantPlans
from aisha.application.tooling.formats import openai_function
from aisha.domain.errors import AishaError, BudgetError, BudgetExceededError, ModelUnavailableError, UnavailableError
from aisha.domain.models import ModelEvent, ModelRequest, TextChunk, Usage
from aisha.domain.ports import ChatModel, Clock, SpendingLedger
from aisha.domain.tools import ToolSpec

NANO = 1_000_000_000
"""Billionths of a dollar in a dollar: a token of the cheapest models costs a hundred of them."""
BYTES_PER_TOKEN = 2
"""The worst case, fewer than in any text: English has more than four, Chinese three per character."""
USUAL_BYTES_PER_TOKEN = 4
OVERHEAD_TOKENS = 50
"""Tokens of a request's JSON besides its messages and tools."""
MESSAGE_TOKENS = 8
_LOGGER = logging.getLogger(__name__)


class Tariff(Protocol):
    """The price of a model's tokens."""

    def cost(self, fresh: int, output: int, cached: int = 0, written: int = 0) -> float:
        """Return the cost in USD of tokens read for the first time, answered, read from the cache and written to it."""
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
        """Reserve `worst` dollars.

        Raises `BudgetExceededError`, and `BudgetError` when the rest of the budget can't be read.
        """
        budget, month = self._plans.of(tenant).budget_usd, f"{self._clock.now():%Y-%m}"
        amount = round(worst * NANO)
        try:
            fits = self._ledger.reserve(tenant, month, amount, round(budget * NANO))
        except UnavailableError as error:
            raise BudgetError("The model budget can't be read right now, so no paid model was asked.") from error
        if not fits:
            raise _exceeded(budget)
        return Reservation(tenant, month, amount)

    def settle(self, reservation: Reservation, cost: float) -> None:
        """Replace the reservation by the cost. If that fails the worst case stays counted."""
        if difference := round(cost * NANO) - reservation.amount:
            try:
                self._ledger.adjust(reservation.tenant, reservation.month, difference)
            except UnavailableError:
                _LOGGER.warning("a model call's cost could not be settled", extra={"tenant": reservation.tenant})

    def check(self, tenant: str) -> None:
        """Raise as `reserve` does when nothing is left; for calls whose worst case is not known."""
        self.reserve(tenant, 1 / NANO)


def _exceeded(budget: float) -> BudgetExceededError:
    return BudgetExceededError(
        f"This month's model budget of ${budget:,.2f} is used up",
        detail={"budget_usd": budget},
        suggestion="Ask your admin for a higher budget, or wait for next month.",
    )


def at_cost_of_text(pieces: Iterator[bytes], tenant: str, cost: float, budgets: Budgets) -> Iterator[bytes]:
    """Yield the pieces of a text's audio, whose cost in USD is reserved before the first one.

    A provider that fails before it charges nothing. Raises as `Budgets.reserve` does.
    """
    reservation = budgets.reserve(tenant, cost)
    try:
        first = next(pieces, b"")
    except AishaError:
        budgets.settle(reservation, 0.0)
        raise
    yield first
    yield from pieces


class BudgetedModel:
    """A `ChatModel` that asks `model` only when the call's maximum cost fits in the tenant's budget."""

    def __init__(self, model: ChatModel, budgets: Budgets, tariff: Tariff, max_output: int) -> None:
        self._model, self._budgets, self._tariff, self._max_output = model, budgets, tariff, max_output
        self._tool_bytes: dict[str, tuple[ToolSpec, int]] = {}

    def stream(self, request: ModelRequest) -> Generator[ModelEvent]:
        """Yield the model's events. Raises `BudgetError` and `BudgetExceededError` before the model is asked."""
        size = self._size(request)
        max_cost = self._worst(request, size)
        reservation = self._budgets.reserve(request.caller.principal.tenant, max_cost)
        # An estimate, for an answer that breaks off or whose tokens are not reported.
        cost = self._tariff.cost(_tokens(request, size, USUAL_BYTES_PER_TOKEN), 0)
        try:
            for event in closing_events(self._model.stream(request)):
                if isinstance(event, TextChunk):
                    length = len(event.text.encode(errors="replace"))
                    cost += self._tariff.cost(0, -(-length // USUAL_BYTES_PER_TOKEN))
                    max_cost += self._tariff.cost(0, length)
                elif event.usage != Usage():
                    # A figure that can't be true is the provider's mistake, which must not use up the month.
                    cost = event.usage.cost_usd if 0 <= event.usage.cost_usd <= max_cost else max_cost
                yield event
        except ModelUnavailableError as error:
            cost = 0.0 if was_refused(error) else cost
            raise
        finally:
            # Also reached when the reader stops in the middle of an answer.
            self._budgets.settle(reservation, cost)

    def _worst(self, request: ModelRequest, size: int) -> float:
        """Return the cost of the longest answer to a prompt that is written to the cache, if that costs more."""
        prompt, tariff = _tokens(request, size, BYTES_PER_TOKEN), self._tariff
        return max(tariff.cost(prompt, self._max_output), tariff.cost(0, self._max_output, written=prompt))

    def _size(self, request: ModelRequest) -> int:
        """Return the bytes of text, of calls, and of the tools as they are written for a model."""
        messages = sum(
            len(message.content.encode())
            + sum(len(call.name) + len(call.arguments.encode()) for call in message.tool_calls)
            for message in request.messages
        )
        return messages + sum(self._tool_size(spec) for spec in request.tools)

    def _tool_size(self, spec: ToolSpec) -> int:
        # By name and checked by identity, because a spec has dicts and is not hashable.
        entry = self._tool_bytes.get(spec.name)
        if entry is None or entry[0] is not spec:
            entry = self._tool_bytes[spec.name] = (spec, len(str(openai_function(spec)).encode()))
        return entry[1]


def _tokens(request: ModelRequest, size: int, bytes_per_token: int) -> int:
    return size // bytes_per_token + MESSAGE_TOKENS * len(request.messages) + OVERHEAD_TOKENS


def was_refused(error: UnavailableError) -> bool:
    """Return whether the provider answered with an error status: it charges nothing for that."""
    return isinstance(error.detail, dict) and "status" in error.detail
