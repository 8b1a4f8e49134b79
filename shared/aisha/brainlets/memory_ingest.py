"""Sends what a turn did to memory's queue (A-121). Keeping it is nothing that a user waits for."""

from collections.abc import Mapping
from typing import Any

from aisha.application.brainlets import BrainletOptions, BrainletTurn, brainlet
from aisha.application.ingest import QUEUE, messages
from aisha.application.turn_memory import memory_of_turn


@brainlet(stage="post", options=BrainletOptions(seconds=3.0))
def memory_ingest(outputs: Mapping[str, Any], turn: BrainletTurn) -> None:
    """What was done to records in this turn, and how it ended, for later turns to learn from."""
    state = turn.state
    if (queue := state.deps.ports.queue()) is None:
        return
    found = memory_of_turn(state)
    for message in messages(state.principal.tenant, found.chunks, found.forget):
        queue.send(QUEUE, message)
