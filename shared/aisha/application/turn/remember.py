"""The calls of a turn as memory takes them: with the user's words that asked for them."""

import re

from aisha.application.memory.turn_chunks import ExecutedCalls, remember_writes
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import TurnInput

_NOT_TYPED = re.compile(r"\((spoken|through MCP)\)")
"""The beginning of a message that stands for a user's words where there were none."""


def executed_calls(turn_input: TurnInput, record: TurnRecord) -> ExecutedCalls:
    """Return the calls of a turn so far."""
    return ExecutedCalls(
        calls=record.calls,
        principal=turn_input.principal,
        ports=turn_input.deps.ports,
        now=turn_input.now,
        case_id=record.settled or turn_input.message_id,
        question=_question(turn_input, record),
    )


def remember_turn(turn_input: TurnInput, record: TurnRecord) -> None:
    """Send what a turn has written to memory's queue. Raises as `remember_writes` does."""
    remember_writes(executed_calls(turn_input, record))


def _question(turn_input: TurnInput, record: TurnRecord) -> str:
    """Return the user's words; after a "yes" those that it confirms."""
    if record.settled is None:
        texts = [turn_input.request.message]
    else:
        texts = [message.content for message in turn_input.session.messages if message.role == "user"]
    return "" if not texts or _NOT_TYPED.match(texts[-1]) else " ".join(texts[-1].split())
