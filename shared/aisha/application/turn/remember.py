"""Tells memory what executed writes did, whichever door they came through. Keeping it is nothing that a user waits for."""

import importlib
import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from aisha.application.tooling.context import ToolContext, ToolPorts
from aisha.domain.errors import AishaError
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall

if TYPE_CHECKING:
    from aisha.application.turn.state import TurnState

_NOT_SAID = re.compile(r"\((spoken|through MCP)\)")
"""What begins a message that stands for a user's words where there were none."""


class ExecutedCalls(Struct, frozen=True):
    """Calls that were made, by whom and when. `name` is how the ids of their operations begin; None: told otherwise.

    `question` is what the user said, empty where there were no words.
    """

    calls: Sequence[ToolCall]
    principal: Principal
    ports: ToolPorts
    now: datetime
    name: str | None
    question: str = ""


def remember_writes(done: ExecutedCalls) -> None:
    """Sends to memory's queue, where there is one, what the writes leave to keep and to forget; the same again changes nothing.

    Raises `UnavailableError` when the queue or the records do not answer.
    """
    if not any(call.has_written for call in done.calls) or (queue := done.ports.queue()) is None:
        return
    # Imported by the first write: most turns only read.
    found = importlib.import_module("aisha.application.memory.turn_chunks").memory_of(done)
    ingest = importlib.import_module("aisha.application.memory.ingest")
    for message in ingest.messages(done.principal.tenant, found.chunks, found.forget):
        queue.send(ingest.QUEUE, message)


def remember_turn(state: "TurnState") -> None:
    """The writes of a turn, with what the user asked for. Raises as `remember_writes` does."""
    name = state.settled or state.message_id
    remember_writes(ExecutedCalls(state.calls, state.principal, state.deps.ports, state.now, name, _question(state)))


def remember_call(call: ToolCall, context: ToolContext, *, is_told: bool = True) -> None:
    """A call that ran outside of a turn, with its context. A queue that does not answer takes nothing back: it is logged.

    Unless `is_told`, the call as a whole is remembered otherwise: only the notes, activities and endings are kept.
    """
    name = context.operation_id if is_told else None
    try:
        remember_writes(ExecutedCalls((call,), context.principal, context.ports, context.now, name))
    except AishaError as error:
        context.log(f"Memory was not told: {error.message}")


def _question(state: "TurnState") -> str:
    """The user's words; after a "yes" those that it confirms."""
    if state.settled is None:
        said = [state.request.message]
    else:
        said = [message.content for message in state.session.messages if message.role == "user"]
    return "" if not said or _NOT_SAID.match(said[-1]) else " ".join(said[-1].split())
