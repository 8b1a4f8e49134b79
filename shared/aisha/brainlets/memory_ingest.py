"""A brainlet that sends a turn's writes and advice to memory's queue, so that storing them delays nothing (A-121)."""

from collections.abc import Mapping
from typing import Any

from aisha.application.memory.turn_chunks import is_remembered, remember_writes
from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet


def has_memories(turn: BrainletView) -> bool:
    """Return whether a call of the turn has written anything or advised on a record."""
    return any(is_remembered(call) for call in turn.calls)


@brainlet(stage="post", applies=has_memories, options=BrainletOptions(seconds=3.0), keeps_turn=True, counts_memory=True)
def memory_ingest(outputs: Mapping[str, Any], turn: BrainletView) -> None:
    """Store the turn's writes with their outcomes, and its advice, as memories for later turns."""
    remember_writes(turn.executed_calls)
