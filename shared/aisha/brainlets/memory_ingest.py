"""A brainlet that sends a turn's writes to memory's queue (A-121), so that storing them does not delay the turn."""

from collections.abc import Mapping
from typing import Any

from aisha.application.memory.turn_chunks import remember_writes
from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet


def has_written(turn: BrainletView) -> bool:
    """Return whether a call of the turn has written anything."""
    return any(call.has_written for call in turn.calls)


@brainlet(stage="post", applies=has_written, options=BrainletOptions(seconds=3.0), keeps_turn=True, counts_memory=True)
def memory_ingest(outputs: Mapping[str, Any], turn: BrainletView) -> None:
    """Store the turn's writes and their outcomes as memories for later turns."""
    remember_writes(turn.executed_calls)
