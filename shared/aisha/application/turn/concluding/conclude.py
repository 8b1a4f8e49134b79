"""The end of a turn: its last events, and the conversation and the answer to be stored."""

from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

from msgspec import Struct, json, to_builtins
from msgspec.structs import replace

from aisha.application.redaction.output import clean
from aisha.application.redaction.summaries import summary
from aisha.application.requests.titles import better_title, title_of
from aisha.application.turn.brainlets.runner import run_brainlets
from aisha.application.turn.concluding.follow_up_buttons import decisions, follow_ups
from aisha.application.turn.confirming.untrusted_sources import untrusted_sources_of
from aisha.application.turn.entities import rank_entities
from aisha.application.turn.record import TurnRecord, TurnTimings
from aisha.application.turn.replacing import REPLACEABLE, is_replaceable
from aisha.application.turn.state import Turn, TurnInput
from aisha.domain.conversations.conversation import Conversation, Message, SessionEntity, ToolSummary
from aisha.domain.conversations.events import (
    Conclusions,
    ConfirmationNeeded,
    EntitiesChanged,
    FollowUps,
    Source,
    TurnEvent,
    TurnFinished,
    UsageReported,
)
from aisha.domain.conversations.tool_results import found_in
from aisha.domain.json_values import with_texts
from aisha.domain.language.tenant_words import TenantWords
from aisha.domain.tools import FollowUp, ToolCall

MAX_SOURCES = 10
MAX_ARGUMENTS_BYTES = 120_000
"""Bytes of the arguments of a turn's calls as they are stored: with the longest reply they fit one DynamoDB item."""
MAX_SHORTENED = 200
"""Characters of each text of the arguments, when all of them are too long."""
FIRST_ANSWER = 2
"""The sequence number of a conversation's first answer."""
_DOCUMENTS = "documents"
"""The toolkit whose results are documents."""


class Conclusion(Struct, frozen=True):
    """The last events of a turn, the conversation's head to be saved, and how the turn ended."""

    events: tuple[TurnEvent, ...]
    head: Conversation
    status: str


def conclude(turn: Turn) -> Conclusion:
    """Return the turn's last events and the new head. Run the post brainlets; store nothing."""
    reply = turn.record.reply
    entities = rank_entities(
        turn.record.calls, turn.input.request.message, turn.input.entities, turn.record.versions, reply
    )
    turn.record.add_names(entities)
    turn.record.follow_ups = _follow_ups(turn.input, turn.record, reply, entities)
    steps = FollowUps(turn.record.follow_ups)
    # Post brainlets may add insights and warnings, so they run before the events are built from the record.
    run_brainlets("post", turn)
    events: list[TurnEvent] = [EntitiesChanged(entities)]
    if (waiting := turn.record.question or turn.record.repeated) is not None:
        events.append(ConfirmationNeeded(waiting))
    events += [_conclusions(turn.record), *([turn.record.mood] if turn.record.mood else []), steps]
    ending = TurnFinished(_status(turn.record), reply, tuple(turn.record.warnings), is_replaceable(turn.record))
    events += [_usage(turn.timings), ending]
    return Conclusion(tuple(events), _head(turn.input, turn.record, entities), _status(turn.record))


def _follow_ups(
    turn_input: TurnInput, record: TurnRecord, reply: str, entities: Sequence[SessionEntity]
) -> tuple[FollowUp, ...]:
    if (question := record.question or record.repeated) is not None:
        return decisions(question)
    proposed = follow_ups(record.calls, reply, entities, turn_input.deps.registry, turn_input.principal)
    words = TenantWords(turn_input.labels)
    return tuple(replace(step, text=words.own(clean(step.text, record.names))) for step in proposed)


def _head(turn_input: TurnInput, record: TurnRecord, entities: tuple[SessionEntity, ...]) -> Conversation:
    start = turn_input.session.conversation
    return replace(
        start,
        title=_title(turn_input, record),
        entities=entities,
        # A question that this turn neither settled nor replaced keeps waiting for an answer.
        pending=record.question or (None if record.settled or record.dropped else start.pending),
        summary=record.summary or start.summary,
        attachments=record.more_info.attached,
        untrusted_sources=untrusted_sources_of(turn_input, record),
        updated_at=turn_input.deps.clock.now(),
    )


def _title(turn_input: TurnInput, record: TurnRecord) -> str:
    """Return the conversation's title, after its first question a better one."""
    title, message, replaced = turn_input.session.conversation.title, turn_input.request.message, turn_input.replaced
    sequence = replaced[-1].sequence if replaced else turn_input.session.conversation.sequence
    if sequence > FIRST_ANSWER or title != title_of(replaced[0].content if replaced else message):
        return title
    # Only a record that a call names is the subject, not the hits of a list.
    about = {
        entity.id: entity
        for call in record.calls
        if call.result.ok
        for entity in found_in(call.result)
        if entity.id in call.arguments.values()
    }
    return better_title(message, list(about.values()))


def answer_message(turn: Turn, *, finished: bool) -> Message:
    """Return the assistant's message to be stored; `finished` is False for a turn that was cut off."""
    conclusions = _conclusions(turn.record)
    return Message(
        id=turn.input.message_id,
        sequence=turn.input.session.conversation.sequence,
        role="assistant",
        content=turn.record.reply,
        created_at=turn.input.deps.clock.now(),
        tool_calls=_stored_calls(turn.record.calls),
        metadata={
            "platform": turn.input.principal.door,
            "status": _status(turn.record),
            # The next message may answer it, as if this answer had asked.
            "repeats": turn.record.repeated.id if turn.record.repeated else None,
            # The answer to "why did you ask?".
            "reason": question.reason if (question := turn.record.question or turn.record.repeated) else None,
            "provider": turn.timings.provider,
            "model": turn.timings.model,
            "toolsUsed": list(dict.fromkeys(call.name for call in turn.record.calls if call.result.ok)),
            "format": "voice" if turn.input.is_spoken else turn.input.request.format,
            "insights": list(conclusions.insights),
            "nextSteps": list(conclusions.next_steps),
            "recommendedScans": list(conclusions.recommended_scans),
            "sources": to_builtins(conclusions.sources),
            "followUps": to_builtins(turn.record.follow_ups),
            "mood": to_builtins(turn.record.mood),
            REPLACEABLE: is_replaceable(turn.record),
            **_usage(turn.timings).json_value(),
        },
        provider_state=turn.record.provider_state,
        finished=finished,
    )


def _stored_calls(calls: Sequence[ToolCall]) -> tuple[ToolSummary, ...]:
    """Return the calls as they are stored; where their arguments take too much room, the beginnings of their texts."""
    summaries = [summary(call) for call in calls if call.spec is None or call.spec.persistent]
    if sum(len(json.encode(call.arguments)) for call in summaries) > MAX_ARGUMENTS_BYTES:
        summaries = [replace(call, arguments=with_texts(call.arguments, _shortened)) for call in summaries]
    if sum(len(json.encode(call.arguments)) for call in summaries) > MAX_ARGUMENTS_BYTES:
        summaries = [replace(call, arguments={}) for call in summaries]
    return tuple(summaries)


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_SHORTENED else f"{text[:MAX_SHORTENED]}…"


def _status(record: TurnRecord) -> str:
    if record.question or record.repeated:
        return "needs_confirmation"
    return "needs_data" if record.more_info.needed else "completed"


def _conclusions(record: TurnRecord) -> Conclusions:
    return Conclusions(
        sources_of(record.calls),
        tuple(dict.fromkeys(clean(insight, record.names) for insight in record.insights)),
        tuple(dict.fromkeys(clean(step, record.names) for step in record.next_steps)),
        tuple(dict.fromkeys(record.recommended_scans)),
    )


def _usage(timings: TurnTimings) -> UsageReported:
    return UsageReported(
        provider=timings.provider,
        model=timings.model,
        degraded=timings.degraded,
        usage=timings.usage,
        iterations=timings.iterations,
        total_ms=(monotonic() - timings.started) * 1000,
        llm_ms=timings.seconds["models"] * 1000,
        tools_ms=timings.seconds["tools"] * 1000,
        prompt_tokens=timings.prompt_tokens,
    )


def sources_of(calls: Sequence[ToolCall]) -> tuple[Source, ...]:
    """Return the records and documents that the turn has read, each once, in order; at most `MAX_SOURCES` (N-036)."""
    sources: dict[tuple[str, str], Source] = {}
    for call in calls:
        if call.spec is not None and call.result.ok and call.spec.access == "read":
            for source in _sources_in(call, call.spec.toolkit):
                sources.setdefault((source.type, source.id), source)
    return tuple(sources.values())[:MAX_SOURCES]


def _sources_in(call: ToolCall, toolkit: str) -> Iterator[Source]:
    if toolkit == _DOCUMENTS:
        yield from map(_document_source, _documents(call.result.value))
        return
    for entity in found_in(call.result):
        yield Source(entity.type, entity.id, entity.name, f"{entity.type.capitalize()}, from {call.name}")


def _documents(value: Any) -> Iterator[Mapping[str, Any]]:
    items = value.get("items", [value]) if isinstance(value, Mapping) else []
    yield from (item for item in items if isinstance(item, Mapping) and {"id", "title"} <= item.keys())


def _document_source(value: Mapping[str, Any]) -> Source:
    return Source("document", str(value["id"]), str(value["title"]), str(value.get("description") or "Document"))
