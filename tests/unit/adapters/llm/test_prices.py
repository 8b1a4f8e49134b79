"""Prices of models that the models file does not price, as the library genai-prices has them."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import (
    ClauseAnd,
    ClauseContains,
    ClauseEndsWith,
    ClauseEquals,
    ClauseOr,
    ClauseRegex,
    ClauseStartsWith,
    MatchLogic,
    Provider,
    TieredPrices,
)

from aisha.adapters.llm.prices import known_price
from infra import prices

DAYS = (date(2024, 1, 1), date(2026, 11, 21), date(2030, 1, 1))
PROMPTS = (1, 100_000, 150_000, 250_000, 1_000_000)


def library(ours: str) -> Provider:
    return next(one for one in get_snapshot().providers if one.id == prices.NAMES[ours])


def names_in(match: MatchLogic) -> Iterator[str]:
    """Yield the names in the clauses, each also with a date appended."""
    if isinstance(match, ClauseOr | ClauseAnd):
        for one in match.or_ if isinstance(match, ClauseOr) else match.and_:
            yield from names_in(one)
    elif not isinstance(match, ClauseRegex):
        (text,) = vars(match).values()
        yield from (text, f"{text}-2026-10-01", f"models/{text}")


def rate(price: Any, prompt: int) -> float:
    if isinstance(price, TieredPrices):
        price = next((tier.price for tier in reversed(price.tiers) if prompt > tier.start), price.base)
    return float(price or 0)


@pytest.mark.parametrize("provider", prices.NAMES)
def test_a_call_costs_what_the_library_says(provider: str) -> None:
    theirs, compared = library(provider), 0
    asked = {name for model in theirs.models for name in (model.id, *names_in(model.match))}
    for name in sorted(asked):
        model = theirs.find_model(name)
        for day in DAYS:
            ours = known_price(provider, name, day)
            if model is None:
                assert ours is None, name
                continue
            rates = model.get_prices(datetime(day.year, day.month, day.day, tzinfo=UTC))
            if rates.input_mtok is None:
                assert ours is None, name
                continue
            assert ours is not None, name
            for prompt in PROMPTS:
                expected = prompt * rate(rates.input_mtok, prompt) + 1000 * rate(rates.output_mtok, prompt)
                assert ours.cost(prompt, 1000) == pytest.approx(expected / 1e6), (name, day, prompt)
                cached = rates.cache_read_mtok if rates.cache_read_mtok is not None else rates.input_mtok
                assert ours.cost(0, 0, cached=prompt) == pytest.approx(prompt * rate(cached, prompt) / 1e6), name
                written = rates.cache_write_mtok if rates.cache_write_mtok is not None else rates.input_mtok
                assert ours.cost(0, 0, written=prompt) == pytest.approx(prompt * rate(written, prompt) / 1e6), name
            compared += 1
    assert compared > 50


def test_a_long_prompt_costs_more_where_the_provider_says_so() -> None:
    price = known_price("openai", "gpt-6-luna", DAYS[1])
    assert price is not None
    assert price.cost(300_000, 0) > 300 * price.cost(1000, 0)


@pytest.mark.parametrize(("provider", "model"), [("openai", "acme-1"), ("openai", "whisper-1"), ("acme", "gpt-4o")])
def test_an_unknown_model_has_no_price(provider: str, model: str) -> None:
    assert known_price(provider, model, DAYS[1]) is None


@pytest.mark.parametrize(
    ("clause", "text"),
    [
        (ClauseEquals("gpt-6.1"), "gpt-6.1"),
        (ClauseStartsWith("gpt-6"), "gpt-6-luna"),
        (ClauseEndsWith("-luna"), "gpt-6-luna"),
        (ClauseContains("6-l"), "gpt-6-luna"),
        (ClauseRegex(r"^gpt-\d$"), "gpt-6"),
        (ClauseOr([ClauseEquals("a"), ClauseEquals("b")]), "b"),
        (ClauseAnd([ClauseStartsWith("gpt"), ClauseContains("luna")]), "gpt-6-luna"),
        (ClauseOr([ClauseAnd([ClauseStartsWith("a"), ClauseEndsWith("z")]), ClauseEquals("b")]), "a-z"),
    ],
)
def test_names_are_matched_as_the_library_does(clause: MatchLogic, text: str) -> None:
    for name in (text, f"x{text}", f"{text}x", "gpt-611", "gpt", "luna", "ab", "a", "z"):
        assert bool(re.search(prices.pattern(clause), name)) == clause.is_match(name), name


def test_the_file_is_what_the_installed_library_says() -> None:
    assert prices.FILE.read_text(encoding="utf-8") == prices.text(prices.document()), "run `make prices`"
