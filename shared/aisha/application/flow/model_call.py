"""One model call of flow-chat whose text comes whole."""

from collections.abc import Sequence
from time import monotonic

from aisha.application.turn.state import TurnState
from aisha.domain.conversation import Message, SessionEntity
from aisha.domain.errors import DeadlineExceededError
from aisha.domain.models import ModelFinished, ModelMessage, ModelRequest, Scene, TextChunk
from aisha.domain.tools import ToolSpec


def ask_model(
    state: TurnState,
    messages: Sequence[ModelMessage],
    *,
    tools: tuple[ToolSpec, ...] = (),
    json_mode: bool = False,
    said: str | None = None,
    history: tuple[Message, ...] | None = None,
    entities: tuple[SessionEntity, ...] | None = None,
) -> tuple[str, ModelFinished]:
    """The text and the end of one call. `said`, `history` and `entities` stand in for those of the turn.

    Raises `ModelUnavailableError` and `DeadlineExceededError`.
    """
    if monotonic() >= state.deadline:
        raise DeadlineExceededError("This took too long. Ask for less at once, or try again.")
    asked = state.request
    scene = Scene(
        state.principal,
        state.now,
        asked.message if said is None else said,
        state.entities if entities is None else entities,
        state.session.messages if history is None else history,
        not tools,
        tools or state.tools,
    )
    request = ModelRequest(
        messages, tools, scene, state.deadline,
        temperature=asked.temperature, model=asked.model, provider=asked.provider, json_mode=json_mode, streamed=False,
    )  # fmt: skip
    start, texts, finished = monotonic(), [], ModelFinished("none", "none")
    try:
        for event in state.asked_model(request):
            if isinstance(event, TextChunk):
                texts.append(event.text)
            else:
                finished = event
    finally:
        state.llm_seconds += monotonic() - start
    state.iterations += 1
    state.usage += finished.usage
    for warning in finished.warnings:
        state.warn(warning)
    return "".join(texts), finished


def answered_by(state: TurnState, finished: ModelFinished) -> None:
    """Notes whose text the user reads."""
    state.provider, state.model = finished.provider, finished.model
    state.degraded = state.degraded or finished.degraded
