"""What is particular to one model: what it costs, what it takes."""

from collections.abc import Mapping
from typing import Any, Self

from msgspec import Struct, field


class Price(Struct, frozen=True):
    """In USD for a million tokens. What has no price of its own costs what other input does.

    `above` has what all tokens of a call cost whose prompt has more than so many tokens, the fewest first.
    """

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None
    above: tuple[tuple[int, Self], ...] = ()

    def cost(self, fresh: int, output: int, cached: int = 0, written: int = 0) -> float:
        """In USD, for tokens read for the first time, written as the answer, read from the cache and put into it."""
        if self.above and (longer := [price for start, price in self.above if fresh + cached + written > start]):
            return longer[-1].cost(fresh, output, cached, written)
        read = self.input if self.cached_input is None else self.cached_input
        write = self.input if self.cache_write is None else self.cache_write
        return (fresh * self.input + output * self.output + cached * read + written * write) / 1_000_000


class ModelTerms(Struct, frozen=True):
    """`options` go into every request as they are. `max_output` is the most tokens of an answer, thoughts included."""

    price: Price | None = None
    takes_temperature: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    max_output: int = 8192

    def output_tokens(self, wanted: int | None) -> int:
        """The most tokens of one answer, which a request may ask to be shorter."""
        return self.max_output if wanted is None else min(wanted, self.max_output)
