"""Prices of models that the models file does not price: `assets/prices.json`, which `make prices` writes.

The file has the prices of our providers from the library genai-prices. The library itself stays out of the layer:
importing it takes a tenth of a second and 5 MB, these few kilobytes a millisecond.
"""

import json
import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from aisha.adapters.llm.terms import Price

FILE = Path(__file__).parents[2] / "assets" / "prices.json"
_RATES = ("input", "output", "cached_input", "cache_write")


def known_price(provider: str, model: str, day: date) -> Price | None:
    """Return the price of a provider's model on a day (UTC); None when it is unknown or not paid by the token."""
    return next(
        (_on(entry["prices"], day) for entry in _models(provider) if re.search(entry["match"], model.lower())), None
    )


@lru_cache(maxsize=1)
def _providers() -> Mapping[str, list[dict[str, Any]]]:
    providers: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))["providers"]
    return providers


def _models(provider: str) -> list[dict[str, Any]]:
    return _providers().get(provider, [])


def _on(prices: list[dict[str, Any]], day: date) -> Price | None:
    """Return the last price that applies by that day, or the first one when the day is before all of them."""
    begun = [price for price in prices if day.isoformat() >= price.get("from", "")] or prices[:1]
    return _price(begun[-1]) if begun else None


def _price(rates: Mapping[str, Any]) -> Price:
    above = tuple((int(start), _price(higher)) for start, higher in rates.get("above", {}).items())
    return Price(**{name: rates[name] for name in _RATES if name in rates}, above=above)
