"""Generate shared/aisha/assets/prices.json from the library genai-prices. usage: python -m infra.prices [--check]

With --check nothing is written: the exit code is 1 when the file is not what the library says. To get newer prices,
take a newer library (`make lock`) and run this again.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

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
    ModelInfo,
    ModelPrice,
    StartDateConstraint,
    TieredPrices,
)

from infra.generated import ROOT, write_or_check

FILE = ROOT / "shared/aisha/assets/prices.json"
LIBRARY = "genai-prices"
NAMES = {"openai": "openai", "anthropic": "anthropic", "groq": "groq", "gemini": "google", "bedrock": "aws"}
"""Our paid providers, with their names in the library."""
RATES = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cached_input": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
}


def document() -> dict[str, Any]:
    """Return by provider each model's lower-case names as a regular expression, and its prices in USD a million tokens.

    The first that matches counts. A model that is not paid by the token has no prices.
    """
    providers = {provider.id: provider for provider in get_snapshot().providers}
    return {
        "library": f"{LIBRARY} {version(LIBRARY)}",
        "providers": {ours: [_model(model) for model in providers[theirs].models] for ours, theirs in NAMES.items()},
    }


def _model(model: ModelInfo) -> dict[str, Any]:
    dated: list[tuple[Any, ModelPrice]]
    if isinstance(model.prices, ModelPrice):
        dated = [(None, model.prices)]
    else:
        dated = [(period.constraint, period.prices) for period in model.prices]
    priced = [(constraint, price) for constraint, price in dated if price.input_mtok is not None]
    return {"match": pattern(model.match), "prices": [_dated(*entry) for entry in priced]}


def _dated(constraint: Any, price: ModelPrice) -> dict[str, Any]:
    if constraint is None:
        return _rates(price)
    if isinstance(constraint, StartDateConstraint):
        return {"from": constraint.start_date.isoformat(), **_rates(price)}
    raise ValueError(f"a price that holds only at times, which aisha.adapters.llm.prices can't read: {constraint}")


def _rates(price: ModelPrice) -> dict[str, Any]:
    rates = {ours: rate for ours, theirs in RATES.items() if (rate := getattr(price, theirs)) is not None}
    starts = sorted({tier.start for rate in rates.values() if isinstance(rate, TieredPrices) for tier in rate.tiers})
    # A tier applies to prompts with more tokens than its start.
    above = {str(start): _at(rates, start + 1) for start in starts}
    return _at(rates, 0) | ({"above": above} if above else {})


def _at(rates: Mapping[str, Any], prompt: int) -> dict[str, float]:
    """Return the rates of a call with this many prompt tokens. The output of an embedding model is free."""
    return {"output": 0.0} | {name: float(_tier(rate, prompt)) for name, rate in rates.items()}


def _tier(rate: Any, prompt: int) -> Any:
    if not isinstance(rate, TieredPrices):
        return rate
    return next((tier.price for tier in reversed(rate.tiers) if prompt > tier.start), rate.base)


def pattern(match: MatchLogic) -> str:
    """Return the library's match rule as a pattern of lower-case model names, for `re.search`."""
    match match:
        case ClauseEquals(text):
            return rf"\A{re.escape(text.lower())}\Z"
        case ClauseStartsWith(text):
            return rf"\A{re.escape(text.lower())}"
        case ClauseEndsWith(text):
            return rf"{re.escape(text.lower())}\Z"
        case ClauseContains(text):
            return re.escape(text.lower())
        case ClauseRegex(text):
            return text
        case ClauseOr(clauses):
            return "|".join(f"(?:{pattern(clause)})" for clause in clauses)
        case ClauseAnd(clauses):
            # One lookahead for each clause, all from the start: every clause must match, in any order.
            return r"\A" + "".join(rf"(?=[\s\S]*?(?:{pattern(clause)}))" for clause in clauses)


def text(prices: Mapping[str, Any]) -> str:
    """Return the document as JSON with one line a model, so that a changed price is one changed line."""
    providers = ",\n".join(
        f"  {json.dumps(name)}: [\n{_lines(models)}\n  ]" for name, models in prices["providers"].items()
    )
    return f'{{\n "library": {json.dumps(prices["library"])},\n "providers": {{\n{providers}\n }}\n}}\n'


def _lines(models: Iterable[Mapping[str, Any]]) -> str:
    return ",\n".join(f"   {json.dumps(model)}" for model in models)


def main() -> int:
    return write_or_check(FILE, text(document()), LIBRARY, "infra.prices")


if __name__ == "__main__":
    sys.exit(main())
