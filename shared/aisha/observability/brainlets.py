"""Brainlets whose time is measured."""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from msgspec.structs import replace

from aisha.application.turn.brainlets.registry import Brainlets
from aisha.application.turn.brainlets.spec import Brainlet, BrainletView
from aisha.observability.metrics import measure


def timed(brainlets: Brainlets) -> Brainlets:
    """The same, each of whose runs is a value of `BrainletLatency`, that of one that failed too."""
    return Brainlets(replace(one, run=_timed(one)) for one in brainlets.ordered)


def _timed(one: Brainlet) -> Callable[[Mapping[str, Any], BrainletView], Any]:
    def run(outputs: Mapping[str, Any], turn: BrainletView) -> Any:
        start = perf_counter()
        try:
            return one.run(outputs, turn)
        finally:
            measure("BrainletLatency", (perf_counter() - start) * 1000, brainlet=one.name)

    return run
