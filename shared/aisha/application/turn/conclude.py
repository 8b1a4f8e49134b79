"""The end of a turn: its last events, and the conversation's head and the answer as they are stored."""

from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.redaction.id_filter import clean
from aisha.application.redaction.summaries import summary
from aisha.application.turn.entities import found_in, mentioned
from aisha.application.turn.followups import ANSWERS, follow_ups
from aisha.application.turn.state import TurnState
from aisha.domain.conversation import Conversation, Message, SessionEntity
from aisha.domain.events import (
    Conclusions,
    ConfirmationNeeded,
    EntitiesChanged,
    FollowUps,
    Source,
    TurnEvent,
    TurnFinished,
    UsageReported,
)
from aisha.domain.tools import FollowUp, ToolCall

MAX_SOURCES = 10
_DOCUMENTS = "documents"
"""The toolkit whose results are documents."""


class Conclusion(Struct, frozen=True):
    """The last events of a turn and the conversation's head as it is to be saved."""

    events: tuple[TurnEvent, ...]
    head: Conversation


def conclude(state: TurnState) -> Conclusion:
    """Return the turn's last events and the new head. Runs the post brainlets; stores nothing itself."""
    reply = state.reply
    entities = mentioned(state.calls, state.request.message, state.entities)
    state.names.update((entity.id.lower(), entity.name) for entity in entities)
    steps = FollowUps(_follow_ups(state, reply, entities))
    state.deps.brainlets.run("post", state)
    events: list[TurnEvent] = [EntitiesChanged(entities)]
    if state.asked is not None:
        events.append(ConfirmationNeeded(state.asked))
    events += [_conclusions(state), *([state.mood] if state.mood else []), steps]
    events += [_usage(state), TurnFinished(_status(state), reply, tuple(state.warnings))]
    return Conclusion(tuple(events), _head(state, entities))


def _follow_ups(state: TurnState, reply: str, entities: Sequence[SessionEntity]) -> tuple[FollowUp, ...]:
    if state.asked is not None:
        return ANSWERS
    proposed = follow_ups(state.calls, reply, entities, state.deps.registry, state.principal)
    return tuple(replace(step, text=clean(step.text, state.names)) for step in proposed)


def _head(state: TurnState, entities: tuple[SessionEntity, ...]) -> Conversation:
    start = state.session.conversation
    return replace(
        start,
        entities=entities,
        pending=state.asked or (None if state.settled else start.pending),
        summary=state.summary or start.summary,
        attachments=state.more_info.attached,
        updated_at=state.deps.clock.now(),
    )


def answer_message(state: TurnState, *, finished: bool) -> Message:
    """Return the assistant's message as it is stored; `finished` is False for a turn that was cut off."""
    conclusions = _conclusions(state)
    return Message(
        id=state.message_id,
        sequence=state.session.conversation.sequence,
        role="assistant",
        content=state.reply,
        created_at=state.deps.clock.now(),
        tool_calls=tuple(summary(call) for call in state.calls if call.spec is None or call.spec.persistent),
        metadata={
            "status": _status(state),
            "provider": state.provider,
            "model": state.model,
            "toolsUsed": list(dict.fromkeys(call.name for call in state.calls if call.result.ok)),
            "insights": list(conclusions.insights),
            "nextSteps": list(conclusions.next_steps),
            "recommendedScans": list(conclusions.recommended_scans),
        },
        provider_state=state.provider_state,
        finished=finished,
    )


def _status(state: TurnState) -> str:
    if state.asked is not None:
        return "needs_confirmation"
    return "needs_data" if state.more_info.needed else "completed"


def _conclusions(state: TurnState) -> Conclusions:
    return Conclusions(
        sources_of(state.calls),
        tuple(dict.fromkeys(state.insights)),
        tuple(dict.fromkeys(clean(step, state.names) for step in state.next_steps)),
        tuple(dict.fromkeys(state.recommended_scans)),
    )


def _usage(state: TurnState) -> UsageReported:
    return UsageReported(
        provider=state.provider,
        model=state.model,
        degraded=state.degraded,
        usage=state.usage,
        iterations=state.iterations,
        total_ms=(monotonic() - state.started) * 1000,
        llm_ms=state.llm_seconds * 1000,
        tools_ms=state.tools_seconds * 1000,
        prompt_tokens=state.prompt_tokens,
    )


def sources_of(calls: Sequence[ToolCall]) -> tuple[Source, ...]:
    """Return the records and documents that the turn's reads brought, each once, in their order; at most ten (N-036)."""
    sources: dict[tuple[str, str], Source] = {}
    for call in calls:
        if call.spec is not None and call.result.ok and call.spec.access == "read":
            for source in _sources_in(call, call.spec.toolkit):
                sources.setdefault((source.type, source.id), source)
    return tuple(sources.values())[:MAX_SOURCES]


def _sources_in(call: ToolCall, toolkit: str) -> Iterator[Source]:
    if toolkit == _DOCUMENTS:
        yield from map(_document, _documents(call.result.value))
        return
    for entity in found_in(call.result):
        yield Source(entity.type, entity.id, entity.name, f"{entity.type.capitalize()}, from {call.name}")


def _documents(value: Any) -> Iterator[Mapping[str, Any]]:
    items = value.get("items", [value]) if isinstance(value, Mapping) else []
    yield from (item for item in items if isinstance(item, Mapping) and {"id", "title"} <= item.keys())


def _document(value: Mapping[str, Any]) -> Source:
    return Source("document", str(value["id"]), str(value["title"]), str(value.get("description") or "Document"))
