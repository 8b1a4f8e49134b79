"""One model call of a turn: within its deadline, kept in its journal, and counted."""

from collections.abc import Generator, Sequence
from time import monotonic

from aisha.application.turn.state import TurnState
from aisha.domain.errors import DeadlineExceededError
from aisha.domain.models import Caller, ModelEvent, ModelFinished, ModelMessage, TurnFacts, TurnRequest
from aisha.domain.tools import ToolSpec


def ask_model(
    state: TurnState,
    messages: Sequence[ModelMessage],
    tools: Sequence[ToolSpec] = (),
    *,
    facts: TurnFacts | None = None,
    json_mode: bool = False,
    streamed: bool = False,
) -> Generator[ModelEvent]:
    """Yield a model's answer, or the one that an earlier try of the same request got. `facts` replace those of the turn.

    Raises `ModelUnavailableError` and `DeadlineExceededError`.
    """
    if monotonic() >= state.deadline:
        raise DeadlineExceededError("This took too long. Ask for less at once, or try again.")
    asked = state.request
    request = TurnRequest(
        messages=messages,
        tools=tools,
        caller=Caller(state.principal, state.now),
        deadline=state.deadline,
        temperature=asked.temperature,
        model=asked.model,
        provider=asked.provider,
        json_mode=json_mode,
        streamed=streamed and state.is_streamed,
        facts=facts or TurnFacts(asked.message, state.entities, state.session.messages, state.tools),
    )
    start = monotonic()
    try:
        events = state.deps.model.stream(request)
        for event in events if state.journal is None else state.journal.asked(events):
            if isinstance(event, ModelFinished):
                _count(state, event)
            yield event
    finally:
        state.llm_seconds += monotonic() - start


def _count(state: TurnState, finished: ModelFinished) -> None:
    state.iterations += 1
    state.usage += finished.usage
    for warning in finished.warnings:
        state.warn(warning)


def note_answer(state: TurnState, finished: ModelFinished) -> None:
    """Note whose text the user reads."""
    state.provider, state.model = finished.provider, finished.model
    state.degraded = state.degraded or finished.degraded
