"""The wrappers of each model in a chain: the tenant's budget, observation, the cache of answers."""

from collections.abc import Callable
from functools import cache
from typing import Protocol

from msgspec.structs import replace

from aisha.application.models.budget import BudgetedModel, Budgets, Tariff
from aisha.application.models.failover import ChainEntry
from aisha.application.models.response_cache import CachedModel, ResponseCache
from aisha.domain.ports import ChatModel


class Terms(Protocol):
    """The part of a model's terms that is used; a `price` of None means it costs nothing."""

    @property
    def price(self) -> Tariff | None: ...

    @property
    def max_output(self) -> int: ...


class ModelWrapper:
    """Wraps the models of chains, from the inside out: budget, observation, cache of answers.

    The budget is innermost, so that a refusal is observed and a cached answer costs nothing. `observe` gets a model,
    its provider and its name. An entry is wrapped once, and its model is made once for all chains that contain it.
    """

    def __init__(
        self,
        terms: Callable[[ChainEntry], Terms],
        budgets: Callable[[], Budgets],
        observe: Callable[[ChatModel, str, str], ChatModel],
        responses: ResponseCache | None = None,
    ) -> None:
        self._terms, self._budgets, self._observe, self._responses = terms, budgets, observe, responses
        self._wrapped: dict[ChainEntry, ChainEntry] = {}

    def wrap(self, entry: ChainEntry) -> ChainEntry:
        """Return the entry with its model wrapped when that is made. Raises what `terms` raises."""
        # A model may be in several chains: its connections and its circuit are shared.
        if entry not in self._wrapped:
            terms = self._terms(entry)
            # Made at the first call only: importing an SDK and creating its client is slow.
            self._wrapped[entry] = replace(entry, chat=cache(lambda: self._wrapped_model(entry, terms)))
        return self._wrapped[entry]

    def _wrapped_model(self, entry: ChainEntry, terms: Terms) -> ChatModel:
        model = entry.chat()
        if terms.price is not None:
            model = BudgetedModel(model, self._budgets(), terms.price, terms.max_output)
        model = self._observe(model, entry.provider, entry.model)
        return model if self._responses is None else CachedModel(entry.name, model, self._responses)
