"""The log of turns: after each one the server records its cost, times and calls, without the texts of the user.

A turn is a command of the tenant's analytics, whether or not a client records any. Arguments are shortened; receipts
are in the audit log, and texts only in the conversation, which nobody but its user can read.
"""

from contextlib import suppress
from time import monotonic
from typing import Any

from aisha.application.audit.size import fit_arguments
from aisha.application.conversations.analytics import TURN, record_command
from aisha.application.knowledge import on_demand_context as more_info
from aisha.application.redaction.summaries import line, without_sensitive
from aisha.application.turn.state import Turn
from aisha.domain.errors import AishaError
from aisha.domain.tools import ToolCall

CHAT = "chat"
"""The name of the command of a turn that used no tool."""
MAX_CALLS = 32
_MAX_ARGUMENT_BYTES = 4000


def log_turn(turn: Turn, status: str, error: AishaError | None) -> None:
    """Record a finished turn. The entry is lost if the store does not answer; the turn itself is not affected."""
    principal, deps = turn.input.principal, turn.input.deps
    with suppress(AishaError):
        record_command(
            deps.entries, deps.clock, principal, turn.input.message_id.removeprefix("msg_"), _entry(turn, status, error)
        )


def _entry(turn: Turn, status: str, error: AishaError | None) -> dict[str, Any]:
    timings, calls = turn.timings, turn.record.calls
    total = round((monotonic() - timings.started) * 1000, 1)
    used = [call.name for call in calls if call.result.ok]
    # What only attaches context tells nothing of what the user asked for.
    command = next((name for name in used if name != more_info.NAME), CHAT)
    return {
        "command_name": command,
        "command_type": TURN,
        "execution_time_ms": total,
        "success": error is None and status != "abandoned",
        "error_message": error.message if error else "The client went away." if status == "abandoned" else None,
        "total_ms": total,
        "llm_ms": round(timings.seconds["models"] * 1000, 1),
        "tools_used": list(dict.fromkeys(used)),
        "provider": timings.provider,
        "model": timings.model,
        "turn": {
            "status": status,
            "door": turn.input.principal.door,
            "conversation_id": turn.input.session.conversation.id,
            "mode": turn.input.mode,
            "degraded": timings.degraded,
            "iterations": timings.iterations,
            "input_tokens": timings.usage.input_tokens,
            "output_tokens": timings.usage.output_tokens,
            "cost_usd": round(timings.usage.cost_usd, 6),
            "prompt_tokens": timings.prompt_tokens,
            "steps_ms": {name: round(seconds * 1000, 1) for name, seconds in timings.seconds.items()},
            "calls": [_call(call) for call in calls[:MAX_CALLS]],
            "warnings": list(turn.record.warnings),
            "asked": turn.record.question.tool if turn.record.question else None,
        },
    }


def _call(call: ToolCall) -> dict[str, Any]:
    return {
        "id": call.id,
        "name": call.name,
        "status": str(call.result.status),
        "line": line(call),
        "arguments": fit_arguments(without_sensitive(call.arguments, call.sensitive), _MAX_ARGUMENT_BYTES),
        "error": (call.result.error or {}).get("message"),
        "duration_ms": round(call.result.duration_ms, 1),
    }
