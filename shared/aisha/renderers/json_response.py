"""A turn's events as the chat response: one JSON object."""

from collections.abc import Iterable
from typing import Any

from aisha.domain.conversation import PendingConfirmation, SessionEntity
from aisha.domain.events import (
    ConfirmationNeeded,
    EntitiesChanged,
    FollowUps,
    ToolCallFinished,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    UsageReported,
)
from aisha.domain.tools import FollowUp
from aisha.renderers.voice import spoken


def render(events: Iterable[TurnEvent], request_id: str, *, as_speech: bool = False) -> dict[str, Any]:
    """The response of a whole turn. `as_speech` makes its text plain and short. Raises what a `TurnFailed` carries."""
    body: dict[str, Any] = {}
    calls: list[dict[str, Any]] = []
    for event in events:
        match event:
            case TurnStarted():
                body |= {"conversationId": event.conversation_id, "messageId": event.message_id}
            case ToolCallFinished():
                calls.append(_call(event, request_id))
            case EntitiesChanged():
                body["entities"] = [entity_json(entity) for entity in event.entities]
            case ConfirmationNeeded():
                body["confirmation"] = confirmation_json(event.pending)
            case FollowUps():
                body["followUps"] = [follow_up_json(item) for item in event.items]
            case UsageReported():
                body |= _usage(event)
            case TurnFinished():
                text = spoken(event.response) if as_speech else event.response
                body |= {"status": event.status, "response": text, "warnings": list(event.warnings)}
            case TurnFailed():
                raise event.error
            case _:
                pass
    empty: dict[str, Any] = {"sources": [], "insights": [], "nextSteps": [], "recommendedScans": []}
    return {"success": True} | body | {"toolCalls": calls} | empty


def _call(event: ToolCallFinished, request_id: str) -> dict[str, Any]:
    call = event.call
    return {
        "id": call.id,
        "name": call.name,
        "arguments": call.arguments,
        "status": str(call.result.status),
        "description": event.description,
        "result": call.result.value,
        "error": call.result.error | {"request_id": request_id} if call.result.error else None,
        "durationMs": round(call.result.duration_ms, 2),
    }


def entity_json(entity: SessionEntity) -> dict[str, Any]:
    """A session entity with its aliases."""
    return {"id": entity.id, "type": entity.type, "name": entity.name, "aliases": list(entity.aliases)}


def follow_up_json(item: FollowUp) -> dict[str, Any]:
    """A next step without members that are not set."""
    shown: dict[str, Any] = {"text": item.text, "icon": item.icon}
    if item.tool is not None:
        shown["tool"] = item.tool
    if item.arguments is not None:
        shown["arguments"] = dict(item.arguments)
    return shown


def confirmation_json(pending: PendingConfirmation) -> dict[str, Any]:
    """What waits for the user."""
    return {
        "id": pending.id,
        "confirmationType": "yes_no",
        "question": pending.question,
        "isDestructive": pending.is_destructive,
        "tool": pending.tool,
        "arguments": pending.arguments,
        "expiresAt": pending.expires_at.isoformat(),
    }


def _usage(event: UsageReported) -> dict[str, Any]:
    usage = event.usage
    return {
        "provider": event.provider,
        "model": event.model,
        "degraded": event.degraded,
        "iterations": event.iterations,
        "usage": {
            "inputTokens": usage.input_tokens,
            "outputTokens": usage.output_tokens,
            "costUsd": round(usage.cost_usd, 6),
        },
        "timing": {
            "totalMs": round(event.total_ms, 1),
            "llmMs": round(event.llm_ms, 1),
            "toolsMs": round(event.tools_ms, 1),
        },
    }
