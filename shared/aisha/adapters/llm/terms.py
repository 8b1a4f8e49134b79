"""The terms of one model: its price and the options that it accepts."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field


class Price(Struct, frozen=True):
    """Prices in USD for a million tokens. Tokens without a price of their own cost as much as other input.

    `above` has, by a number of tokens, the prices of calls whose prompt is longer than that, the smallest number first.
    """

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None
    above: tuple[tuple[int, "Price"], ...] = ()

    def cost(self, fresh: int, output: int, cached: int = 0, written: int = 0) -> float:
        """Return the cost in USD of tokens read for the first time, answered, read from the cache and written to it."""
        if self.above and (longer := [price for start, price in self.above if fresh + cached + written > start]):
            return longer[-1].cost(fresh, output, cached, written)
        cached_price = self.input if self.cached_input is None else self.cached_input
        write = self.input if self.cache_write is None else self.cache_write
        return (fresh * self.input + output * self.output + cached * cached_price + written * write) / 1_000_000


class ModelTerms(Struct, frozen=True):
    """`options` go into every request unchanged. `max_output` is the longest answer in tokens, thoughts included."""

    price: Price | None = None
    takes_temperature: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    max_output: int = 8192

    def output_tokens(self, requested: int | None) -> int:
        """Return the maximum tokens of one answer; a request may ask for fewer."""
        return self.max_output if requested is None else min(requested, self.max_output)
