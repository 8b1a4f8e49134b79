"""The chat response: a turn's events as one JSON object."""

from collections.abc import Iterable
from typing import Any

from msgspec import to_builtins

from aisha.domain.conversations.conversation import PendingConfirmation, SessionEntity
from aisha.domain.conversations.events import (
    Conclusions,
    ConfirmationNeeded,
    DataNeeded,
    EntitiesChanged,
    FollowUps,
    MoodChanged,
    ToolCallFinished,
    ToolCallStarted,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    UsageReported,
)
from aisha.domain.json_values import without_none
from aisha.domain.tools import FollowUp, ToolCall
from aisha.renderers.voice import spoken


def render(
    events: Iterable[TurnEvent], request_id: str, *, as_speech: bool = False, locale: str = "en"
) -> dict[str, Any]:
    """Return the response of a whole turn. Raises the error of a `TurnFailed`.

    `as_speech` makes its text plain and short, in the language of `locale`.
    """
    body: dict[str, Any] = {}
    calls: dict[ToolCall, dict[str, Any]] = {}
    for event in events:
        match event:
            case TurnStarted():
                body |= {"conversationId": event.conversation_id, "messageId": event.message_id}
                as_speech = as_speech or event.is_spoken
            case ToolCallStarted():
                calls[event.call] = {}  # Keeps the order: reads finish before writes.
            case ToolCallFinished():
                calls[event.call] = call_json(event.call, event.description, request_id)
            case EntitiesChanged():
                body["entities"] = [entity_json(entity) for entity in event.entities]
            case ConfirmationNeeded():
                body["confirmation"] = confirmation_json(event.pending)
            case DataNeeded():
                body["reqMoreInfo"] = event.request
            case Conclusions():
                body |= conclusions_json(event)
            case MoodChanged():
                body["mood"] = mood_json(event)
            case FollowUps():
                body["followUps"] = [follow_up_json(item) for item in event.items]
            case UsageReported():
                body |= usage_json(event)
            case TurnFinished():
                text = spoken(event.response, locale) if as_speech else event.response
                ending = {"warnings": list(event.warnings), "isReplaceable": event.is_replaceable}
                body |= {"status": event.status, "response": text, **ending}
            case TurnFailed():
                # The edge answers with the error's own status; what was done is in the audit log.
                raise event.error
    # A call that has not ended, such as that of a turn cut off, has nothing to show.
    finished = [call for call in calls.values() if call]
    used = list(dict.fromkeys(call.name for call in calls if call.result.ok))
    return {"success": True} | body | {"toolCalls": finished, "toolsUsed": used}


def conclusions_json(event: Conclusions) -> dict[str, Any]:
    """Return sources, insights, next steps and scans; the lists may be empty."""
    return {
        "sources": list(to_builtins(event.sources)),
        "insights": list(event.insights),
        "nextSteps": list(event.next_steps),
        "recommendedScans": list(event.recommended_scans),
    }


def mood_json(event: MoodChanged) -> dict[str, str]:
    """Return the mood for a widget."""
    mood: dict[str, str] = to_builtins(event)
    return mood


def follow_up_json(item: FollowUp) -> dict[str, Any]:
    """Return a next step without members that are not set."""
    return without_none(**to_builtins(item))


def confirmation_json(pending: PendingConfirmation) -> dict[str, Any]:
    """Return the call that waits for the user."""
    alternatives = list(to_builtins(pending.alternatives))
    return {
        "id": pending.id,
        "confirmationType": "select" if alternatives else "yes_no",
        "question": pending.question,
        "reason": pending.reason,
        "isDestructive": pending.is_destructive,
        "tool": pending.tool,
        "arguments": pending.arguments,
        "expiresAt": pending.expires_at.isoformat(),
    } | ({"alternatives": alternatives} if alternatives else {})


def usage_json(event: UsageReported) -> dict[str, Any]:
    """Return the model that answered, the cost and the time."""
    measured = event.json_value()
    return {
        "provider": event.provider,
        "model": event.model,
        "degraded": event.degraded,
        "iterations": event.iterations,
        "usage": measured["usage"] | {"promptTokens": dict(event.prompt_tokens)},
        "timing": measured["timing"],
    }


def call_json(call: ToolCall, description: str, request_id: str) -> dict[str, Any]:
    """Return a tool call with its result."""
    result = call.result
    return {
        "id": call.id,
        "name": call.name,
        "arguments": call.arguments,
        "status": str(result.status),
        "description": description,
        "result": result.value,
        "error": result.error | {"request_id": request_id} if result.error else None,
        "durationMs": round(result.duration_ms, 2),
    }


def entity_json(entity: SessionEntity) -> dict[str, Any]:
    """Return a session entity with its aliases."""
    return {"id": entity.id, "type": entity.type, "name": entity.name, "aliases": list(entity.aliases)}
