"""One model call of a turn: within the turn's deadline, stored in its journal, and counted."""

from collections.abc import Generator, Sequence
from functools import partial
from time import monotonic

from msgspec.structs import replace

from aisha.application.redaction.summaries import without_sensitive
from aisha.application.turn.record import TurnRecord, TurnTimings
from aisha.application.turn.rounds.tool_round import asks_first
from aisha.application.turn.state import Turn
from aisha.domain.errors import DeadlineExceededError
from aisha.domain.models import Caller, ModelEvent, ModelFinished, ModelMessage, TurnFacts, TurnRequest
from aisha.domain.tools import ToolSpec

MAX_CALLS_READ = 65
"""Calls of one answer that are read: one more than the highest limit, so that none of a longer answer runs."""


def ask_model(
    turn: Turn,
    messages: Sequence[ModelMessage],
    tools: Sequence[ToolSpec] = (),
    *,
    facts: TurnFacts | None = None,
    json_mode: bool = False,
    streamed: bool = False,
) -> Generator[ModelEvent]:
    """Yield the model's answer, or the one stored by an earlier try of the request. `facts` replace those of the turn.

    Raises `ModelUnavailableError` and `DeadlineExceededError`.
    """
    if monotonic() >= turn.input.deadline:
        raise DeadlineExceededError("This took too long. Ask for less at once, or try again.")
    request = _turn_request(turn, messages, tools, facts, json_mode=json_mode, streamed=streamed)
    start = monotonic()
    try:
        events = turn.input.deps.model.stream(request)
        # A journal yields an answer's last event, with its calls, only after it has stored the answer.
        for event in events if turn.input.journal is None else turn.input.journal.replay_or_store(events):
            if isinstance(event, ModelFinished):
                _count(turn.record, turn.timings, event)
                if len(event.tool_calls) > MAX_CALLS_READ:
                    event = replace(event, tool_calls=event.tool_calls[:MAX_CALLS_READ])
            yield event
    finally:
        turn.timings.spend("models", start)


def _turn_request(
    turn: Turn,
    messages: Sequence[ModelMessage],
    tools: Sequence[ToolSpec],
    facts: TurnFacts | None,
    *,
    json_mode: bool,
    streamed: bool,
) -> TurnRequest:
    chat = turn.input.request
    return TurnRequest(
        messages=messages,
        tools=tools,
        caller=Caller(turn.input.principal, turn.input.now),
        deadline=turn.input.deadline,
        temperature=chat.temperature,
        model=chat.model,
        provider=chat.provider,
        json_mode=json_mode,
        streamed=streamed and turn.input.is_streamed,
        facts=facts
        or TurnFacts(
            chat.message,
            turn.input.entities,
            turn.input.session.messages,
            turn.input.tools,
            turn.input.assistant_name,
            turn.input.mode,
            partial(asks_first, turn),
            turn.input.deps.limits.max_calls_per_round,
            turn.input.labels,
            turn.record.more_info.client_sections,
            without_sensitive(turn.record.more_info.client_data, turn.input.deps.ports.sensitive),
        ),
    )


def _count(record: TurnRecord, timings: TurnTimings, finished: ModelFinished) -> None:
    timings.iterations += 1
    timings.usage += finished.usage
    for warning in finished.warnings:
        record.warn(warning)


def note_answer(timings: TurnTimings, finished: ModelFinished) -> None:
    """Note the provider and model of the text that the user reads."""
    timings.provider, timings.model = finished.provider, finished.model
    timings.degraded = timings.degraded or finished.degraded
