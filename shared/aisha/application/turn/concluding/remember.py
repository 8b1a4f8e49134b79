"""The calls of a turn for memory, together with the user's words that asked for them."""

import re

from aisha.application.memory.chunks import ADVICE_TOOL
from aisha.application.memory.turn_chunks import ExecutedCalls, remember_writes
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import TurnInput

_NOT_TYPED = re.compile(r"\((spoken|through MCP)\)")
"""The beginning of a placeholder message, for a request without words of the user."""


def executed_calls(turn_input: TurnInput, record: TurnRecord) -> ExecutedCalls:
    """Return the calls of a turn so far."""
    return ExecutedCalls(
        calls=record.calls,
        principal=turn_input.principal,
        ports=turn_input.deps.ports,
        now=turn_input.now,
        case_id=record.settled or turn_input.message_id,
        question=_question(turn_input, record),
        advised=_advised(turn_input),
    )


def _advised(turn_input: TurnInput) -> frozenset[str]:
    """Return the ids of the records on which the last answer advised."""
    last = next((message for message in reversed(turn_input.session.messages) if message.role == "assistant"), None)
    calls = last.tool_calls if last is not None else ()
    return frozenset(str(call.arguments.get("entity_id")) for call in calls if call.name == ADVICE_TOOL)


def remember_turn(turn_input: TurnInput, record: TurnRecord) -> None:
    """Send the writes of a turn to memory's queue. Raises the errors of `remember_writes`."""
    remember_writes(executed_calls(turn_input, record))


def _question(turn_input: TurnInput, record: TurnRecord) -> str:
    """Return the user's words; after a confirmation, the words that asked for the confirmed call."""
    # The message of a confirmation ("yes") says nothing about the call. The words that asked for it came before.
    if record.settled is None:
        texts = [turn_input.request.message]
    else:
        texts = [message.content for message in turn_input.session.messages if message.role == "user"]
    return "" if not texts or _NOT_TYPED.match(texts[-1]) else " ".join(texts[-1].split())
