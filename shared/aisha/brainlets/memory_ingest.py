"""Sends what a turn did to memory's queue (A-121). Keeping it is nothing that a user waits for."""

from collections.abc import Mapping
from typing import Any

from aisha.application.memory.turn_chunks import remember_writes
from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet


def has_written(turn: BrainletView) -> bool:
    """Whether a call changed anything."""
    return any(call.has_written for call in turn.calls)


@brainlet(stage="post", applies=has_written, options=BrainletOptions(seconds=3.0), keeps_turn=True, counts_memory=True)
def memory_ingest(outputs: Mapping[str, Any], turn: BrainletView) -> None:
    """What was done to records in this turn, and how it ended, for later turns to learn from."""
    remember_writes(turn.executed_calls)
