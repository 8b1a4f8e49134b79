"""Sends what a turn did to memory's queue (A-121). Keeping it is nothing that a user waits for."""

from collections.abc import Mapping
from typing import Any

from aisha.application.turn.brainlets.registry import BrainletOptions, brainlet
from aisha.application.turn.brainlets.view import BrainletTurn
from aisha.application.turn.remember import remember_turn


def has_written(turn: BrainletTurn) -> bool:
    """Whether a call changed anything."""
    return any(call.has_written for call in turn.calls)


@brainlet(stage="post", applies=has_written, options=BrainletOptions(seconds=3.0))
def memory_ingest(outputs: Mapping[str, Any], turn: BrainletTurn) -> None:
    """What was done to records in this turn, and how it ended, for later turns to learn from."""
    remember_turn(turn.state)
