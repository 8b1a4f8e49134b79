"""What models cost where the models file does not say: `assets/prices.json`, which `make prices` writes.

It has what the library genai-prices knows of our providers. The library itself stays out of the layer: importing it
takes a tenth of a second and 5 MB, these few kilobytes a millisecond.
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
    """What a provider's model costs on a day (UTC); None when nobody knows, or it is not paid by the token."""
    return next(
        (_on(known["prices"], day) for known in _models(provider) if re.search(known["match"], model.lower())), None
    )


@lru_cache(maxsize=1)
def _providers() -> Mapping[str, list[dict[str, Any]]]:
    providers: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))["providers"]
    return providers


def _models(provider: str) -> list[dict[str, Any]]:
    return _providers().get(provider, [])


def _on(prices: list[dict[str, Any]], day: date) -> Price | None:
    """The last price that has begun; a first one without a date always has."""
    begun = [one for one in prices if day.isoformat() >= one.get("from", "")] or prices[:1]
    return _price(begun[-1]) if begun else None


def _price(rates: Mapping[str, Any]) -> Price:
    longer = tuple((int(start), _price(dearer)) for start, dearer in rates.get("above", {}).items())
    return Price(**{name: rates[name] for name in _RATES if name in rates}, above=longer)
