"""A flow-chat turn as JSON or as a stream: everything of the chat response, and the plan."""

from collections.abc import Generator, Iterable, Iterator
from typing import Any

from aisha.domain.events import ConfirmationNeeded, FlowReported, TurnEvent, TurnFinished
from aisha.renderers.json_response import confirmation_json, render
from aisha.renderers.server_sent_events import data
from aisha.renderers.ui_stream import ui_stream


def render_flow(
    events: Iterable[TurnEvent], request_id: str, *, as_speech: bool = False, locale: str = "en"
) -> dict[str, Any]:
    """The response of a whole turn. Raises what a `TurnFailed` carries."""
    flow = _Flow()
    body = render(flow.watched(events), request_id, as_speech=as_speech, locale=locale)
    steps = flow.members["steps"] or [_step(number, call) for number, call in enumerate(body["toolCalls"], 1)]
    return body | flow.members | {"steps": steps}


def flow_stream(
    events: Iterable[TurnEvent], request_id: str, *, as_speech: bool = False, locale: str = "en"
) -> Iterator[str]:
    """The UI message stream with one `data-flow` part before its `finish`."""
    flow = _Flow()
    for piece in ui_stream(flow.watched(events), request_id, as_speech=as_speech, locale=locale):
        if flow.is_over:
            flow.is_over = False
            yield data({"type": "data-flow", "data": flow.members})
        yield piece


class _Flow:
    """Collects what flow-chat adds while a turn's events go by."""

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
                    if self.members["alternatives"] and not self.members["needsConfirmation"]:
                        self.members["confirmationQuestion"] = event.response
                case _:
                    pass
            yield event

    def _reported(self, event: FlowReported) -> None:
        alternatives = [{"label": one.label, "value": one.value} for one in event.alternatives]
        self.members |= {
            "analysis": dict(event.analysis) if event.analysis else None,
            "userIntent": event.user_intent,
            "confidence": event.confidence,
            "steps": [dict(step) for step in event.steps],
            "alternatives": alternatives,
            "confirmationType": "select" if alternatives else None,
        }

    def _asked(self, event: ConfirmationNeeded) -> None:
        shown = confirmation_json(event.pending)
        self.members |= {
            "needsConfirmation": True,
            "confirmationType": shown["confirmationType"],
            "confirmationQuestion": shown["question"],
            "alternatives": shown.get("alternatives", []),
            "isDestructive": shown["isDestructive"],
        }


def _step(number: int, call: dict[str, Any]) -> dict[str, Any]:
    """A call that was no step of a plan."""
    status = {"pending": "planned", "not_found": "failed"}.get(call["status"], call["status"])
    shown = {"id": number, "tool": call["name"], "arguments": call["arguments"], "description": call["description"]}
    more = {"result": call["result"]} if call["result"] is not None else {}
    reason = {"reason": call["error"]["message"]} if call["error"] else {}
    return shown | {"status": status} | more | reason
