"""A turn's events as the UI message stream of the Vercel AI SDK, over Server-Sent Events.

Only members that every release of the client's majors 5, 6 and 7 supports are sent: a call that waits for the user is a
`data-confirmation`, not an approval part. A step is one round: a model's text and the calls that it makes.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from aisha.domain.conversations.events import (
    Conclusions,
    ConfirmationNeeded,
    DataNeeded,
    EntitiesChanged,
    FollowUps,
    MoodChanged,
    TextDelta,
    ToolCallFinished,
    ToolCallStarted,
    TurnEvent,
    TurnFinished,
    TurnStarted,
    UsageReported,
)
from aisha.domain.errors import AishaError
from aisha.domain.tools import ToolCall, ToolStatus
from aisha.renderers.json_response import (
    conclusions_json,
    confirmation_json,
    entity_json,
    follow_up_json,
    mood_json,
    usage_json,
)
from aisha.renderers.status_words import status_words
from aisha.renderers.turn_stream import turn_stream
from aisha.renderers.voice import spoken

HEADERS = {"x-vercel-ai-ui-message-stream": "v1"}
Part = dict[str, Any]


def ui_stream(
    events: Iterable[TurnEvent], request_id: str, *, as_speech: bool = False, locale: str = "en"
) -> Iterator[str]:
    """Yield Server-Sent Events of a turn; see `turn_stream`. `as_speech`: one plain, short text at the end."""
    return turn_stream(events, _Parts(request_id, locale, as_speech=as_speech))


class _Parts:
    """The parts of one answer, in their order: texts and steps are closed before the next ones."""

    def __init__(self, request_id: str, locale: str, *, as_speech: bool) -> None:
        self._request_id, self._as_speech, self._locale = request_id, as_speech, locale
        self._texts = 0
        self._in_text = self._in_step = self._has_results = False

    def of(self, event: TurnEvent) -> Iterator[Part]:
        match event:
            case TurnStarted():
                # A turn may turn out to be spoken only here: by the user's mode, not by the request.
                self._as_speech = self._as_speech or event.is_spoken
                metadata = {"conversationId": event.conversation_id, "requestId": self._request_id}
                yield {"type": "start", "messageId": event.message_id, "messageMetadata": metadata}
            case TextDelta():
                if not self._as_speech:
                    yield from self._text(event.text)
            case ToolCallStarted():
                yield from self._called(event.call)
            case ToolCallFinished():
                self._has_results = True
                yield from _result(event.call)
            case EntitiesChanged():
                yield _data("entities", [entity_json(entity) for entity in event.entities])
            case ConfirmationNeeded():
                yield _data("confirmation", confirmation_json(event.pending))
            case FollowUps():
                yield _data("followups", [follow_up_json(item) for item in event.items])
            case DataNeeded():
                yield _data("needs", dict(event.request))
            case Conclusions():
                yield _data("conclusions", conclusions_json(event))
            case MoodChanged():
                yield _data("mood", mood_json(event))
            case UsageReported():
                yield _data("usage", usage_json(event))
            case TurnFinished():
                if self._as_speech:
                    yield from self._text(spoken(event.response, self._locale))
                yield from self._closed()
                ending = {"warnings": list(event.warnings), "isReplaceable": event.is_replaceable}
                yield {"type": "finish", "messageMetadata": {"status": event.status, **ending}}

    def end(self) -> Iterator[Part]:
        """Yield nothing: the last event brought the `finish` part."""
        yield from ()

    def broken_off(self, error: AishaError) -> Iterator[Part]:
        """Yield the error, as text and as the one error object, and the end of all that is open."""
        yield from self._text_closed()
        yield {"type": "error", "errorText": error.message}
        yield from self._closed()
        members = error.members() | {"request_id": self._request_id}
        yield {"type": "finish", "messageMetadata": {"status": "failed", "error": members}}

    def _text(self, text: str) -> Iterator[Part]:
        if not self._in_text:
            yield from self._step()
            self._texts += 1
            self._in_text = True
            yield {"type": "text-start", "id": f"text-{self._texts}"}
        yield {"type": "text-delta", "id": f"text-{self._texts}", "delta": text}

    def _called(self, call: ToolCall) -> Iterator[Part]:
        yield from self._text_closed()
        yield from self._step()
        ids = {"toolCallId": call.id, "toolName": call.name}
        # Transient: clients show it while the tool runs and keep it in no message.
        status = {"text": status_words(call), **ids}
        yield {"type": "data-status", "data": status, "transient": True}
        yield {"type": "tool-input-start", **ids}
        yield {"type": "tool-input-available", **ids, "input": call.arguments}

    def _step(self) -> Iterator[Part]:
        """Begin a step unless one is open; a new one when the last has its results."""
        if self._has_results:
            yield from self._closed()
        if not self._in_step:
            self._in_step = True
            yield {"type": "start-step"}

    def _closed(self) -> Iterator[Part]:
        yield from self._text_closed()
        if self._in_step:
            self._in_step = self._has_results = False
            yield {"type": "finish-step"}

    def _text_closed(self) -> Iterator[Part]:
        if self._in_text:
            self._in_text = False
            yield {"type": "text-end", "id": f"text-{self._texts}"}


def _result(call: ToolCall) -> Iterator[Part]:
    """Yield the result of a call; none for a call that waits for the user."""
    if call.result.ok:
        yield {"type": "tool-output-available", "toolCallId": call.id, "output": call.result.value}
    elif call.result.status is not ToolStatus.PENDING:
        message = (call.result.error or {}).get("message", "It was not run.")
        yield {"type": "tool-output-error", "toolCallId": call.id, "errorText": message}


def _data(name: str, value: Any) -> Part:
    return {"type": f"data-{name}", "data": value}
