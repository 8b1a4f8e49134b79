"""The order in which the model of a chain's entry is wrapped."""

from typing import Any, NamedTuple, cast

import pytest

from aisha.application.models.budget import BudgetedModel, Tariff
from aisha.application.models.failover import ChainEntry
from aisha.application.models.response_cache import CachedModel, ResponseCache
from aisha.application.models.wrapping import ModelWrapper
from aisha.domain.ports import ChatModel
from tests.fakes.models.scripted_model import ScriptedModel


class Terms(NamedTuple):
    price: Tariff | None = None
    max_output: int = 100


class Observed:
    def __init__(self, model: ChatModel, provider: str, name: str) -> None:
        self.model, self.called = model, f"{provider}:{name}"

    def stream(self, request: Any) -> Any:
        return self.model.stream(request)


class Tokens:
    def cost(self, fresh: int, output: int, cached: int = 0, written: int = 0) -> float:
        return 1.0


def wrapped(terms: Terms, responses: ResponseCache | None = None) -> ChatModel:
    wrapper = ModelWrapper(lambda _: terms, lambda: cast(Any, None), Observed, responses)
    return wrapper.wrap(ChainEntry("openai", "a", ScriptedModel)).chat()


def test_a_model_with_a_price_is_asked_within_the_budget_and_observed_around_it() -> None:
    model = wrapped(Terms(Tokens()))
    assert isinstance(model, Observed)
    assert (type(model.model), model.called) == (BudgetedModel, "openai:a")


def test_a_model_without_a_price_needs_no_budget() -> None:
    model = wrapped(Terms())
    assert isinstance(model, Observed)
    assert isinstance(model.model, ScriptedModel)


def test_the_cache_of_answers_stands_around_all_of_it() -> None:
    assert isinstance(wrapped(Terms(Tokens()), ResponseCache(60)), CachedModel)


def test_one_entry_has_one_model_whichever_chains_it_stands_in() -> None:
    wrapper = ModelWrapper(lambda _: Terms(), lambda: cast(Any, None), Observed)
    entry = ChainEntry("openai", "a", ScriptedModel)
    assert wrapper.wrap(entry) is wrapper.wrap(entry)
    assert wrapper.wrap(entry).chat() is wrapper.wrap(entry).chat()


def test_terms_that_can_not_be_had_stop_it_before_a_model_is_made() -> None:
    def unknown(_: ChainEntry) -> Terms:
        raise ValueError("no price")

    with pytest.raises(ValueError, match="no price"):
        ModelWrapper(unknown, lambda: cast(Any, None), Observed).wrap(ChainEntry("openai", "a", ScriptedModel))
