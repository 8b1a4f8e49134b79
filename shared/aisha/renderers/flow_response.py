"""A flow-chat turn as JSON or as a stream: the chat response and the plan."""

from collections.abc import Generator, Iterable, Iterator
from typing import Any

from msgspec import to_builtins

from aisha.domain.conversations.events import ConfirmationNeeded, FlowReported, TurnEvent, TurnFinished
from aisha.renderers.json_response import confirmation_json, render
from aisha.renderers.server_sent_events import data
from aisha.renderers.ui_stream import ui_stream


def render_flow(
    events: Iterable[TurnEvent], request_id: str, *, as_speech: bool = False, locale: str = "en"
) -> dict[str, Any]:
    """Return the response of a whole turn. Raises the error of a `TurnFailed`."""
    flow = _Flow()
    body = render(flow.watched(events), request_id, as_speech=as_speech, locale=locale)
    # A turn without a plan has its calls as steps, so that clients need one form alone.
    steps = flow.members["steps"] or [_step(number, call) for number, call in enumerate(body["toolCalls"], 1)]
    calls = [call | {"parameters": call["arguments"]} for call in body["toolCalls"]]
    return body | flow.members | {"steps": steps, "toolCalls": calls}


def flow_stream(
    events: Iterable[TurnEvent], request_id: str, *, as_speech: bool = False, locale: str = "en"
) -> Iterator[str]:
    """Yield the UI message stream with one `data-flow` part before its `finish`."""
    flow = _Flow()
    for piece in ui_stream(flow.watched(events), request_id, as_speech=as_speech, locale=locale):
        # The turn's last event has been read, and `piece` is the first of the parts made from it.
        if flow.is_over:
            flow.is_over = False
            yield data({"type": "data-flow", "data": flow.members})
        yield piece


class _Flow:
    """Collects the members that flow-chat adds from a turn's events."""

    def __init__(self) -> None:
        self.is_over = False
        self.members: dict[str, Any] = {
            "analysis": None,
            "userIntent": None,
            "confidence": None,
            "needsConfirmation": False,
            "confirmationType": None,
            "confirmationQuestion": None,
            "alternatives": [],
            "isDestructive": False,
            "steps": [],
        }

    def watched(self, events: Iterable[TurnEvent]) -> Generator[TurnEvent]:
        for event in events:
            match event:
                case FlowReported():
                    self._reported(event)
                case ConfirmationNeeded():
                    self._asked(event)
                case TurnFinished():
                    self.is_over = True
                    # Alternatives without a stored call are asked about by the reply itself.
                    if self.members["alternatives"] and not self.members["needsConfirmation"]:
                        self.members["confirmationQuestion"] = event.response
                case _:
                    pass
            yield event

    def _reported(self, event: FlowReported) -> None:
        alternatives = list(to_builtins(event.alternatives))
        self.members |= {
            "analysis": dict(event.analysis) if event.analysis else None,
            "userIntent": event.user_intent,
            "confidence": event.confidence,
            "steps": [dict(step) for step in event.steps],
            "alternatives": alternatives,
            "confirmationType": "select" if alternatives else None,
        }

    def _asked(self, event: ConfirmationNeeded) -> None:
        confirmation = confirmation_json(event.pending)
        self.members |= {
            "needsConfirmation": True,
            "confirmationType": confirmation["confirmationType"],
            "confirmationQuestion": confirmation["question"],
            "alternatives": confirmation.get("alternatives", []),
            "isDestructive": confirmation["isDestructive"],
        }


def _step(number: int, call: dict[str, Any]) -> dict[str, Any]:
    """Return a call that was no step of a plan as a step."""
    status = {"pending": "planned", "not_found": "failed"}.get(call["status"], call["status"])
    step = {"id": number, "tool": call["name"], "arguments": call["arguments"], "description": call["description"]}
    optional = {"result": call["result"]} if call["result"] is not None else {}
    reason = {"reason": call["error"]["message"]} if call["error"] else {}
    return step | {"status": status} | optional | reason
