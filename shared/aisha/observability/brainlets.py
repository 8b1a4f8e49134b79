"""Metrics of the time that brainlets take."""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from msgspec.structs import replace

from aisha.application.turn.brainlets.registry import Brainlets
from aisha.application.turn.brainlets.spec import Brainlet, BrainletView
from aisha.observability.metrics import measure


def timed(brainlets: Brainlets) -> Brainlets:
    """Return the brainlets with every run measured as `BrainletLatency`, also one that fails."""
    return Brainlets(replace(brainlet, run=_timed(brainlet)) for brainlet in brainlets.ordered)


def _timed(brainlet: Brainlet) -> Callable[[Mapping[str, Any], BrainletView], Any]:
    def run(outputs: Mapping[str, Any], turn: BrainletView) -> Any:
        start = perf_counter()
        try:
            return brainlet.run(outputs, turn)
        finally:
            measure("BrainletLatency", (perf_counter() - start) * 1000, brainlet=brainlet.name)

    return run
