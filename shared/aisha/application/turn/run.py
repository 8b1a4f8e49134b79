"""One turn: a user's message and all that answers it, as a generator of typed events."""

from collections.abc import Generator, Iterator
from contextlib import suppress
from time import monotonic

from msgspec.structs import replace

from aisha.application.idempotency.keys import Attempt
from aisha.application.notifications.settings import note_zone
from aisha.application.redaction.id_filter import clean
from aisha.application.redaction.summaries import summary
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.turn.converse import converse
from aisha.application.turn.deps import TurnDependencies
from aisha.application.turn.entities import mentioned
from aisha.application.turn.followups import ANSWERS, follow_ups
from aisha.application.turn.journal import TurnJournal
from aisha.application.turn.load import open_turn
from aisha.application.turn.remember import remember_turn
from aisha.application.turn.settle import pending_answered, settle
from aisha.application.turn.sources import sources_of
from aisha.application.turn.state import TurnState
from aisha.domain.conversation import Conversation, Message
from aisha.domain.errors import AishaError, as_told
from aisha.domain.events import (
    Conclusions,
    ConfirmationNeeded,
    EntitiesChanged,
    FollowUps,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    UsageReported,
)
from aisha.domain.principal import Principal
from aisha.domain.tools import FollowUp


def run_turn(
    request: ChatRequest,
    principal: Principal,
    deps: TurnDependencies,
    attempt: Attempt | None = None,
    *,
    streamed: bool = True,
) -> Generator[TurnEvent]:
    """Load, settle a pending confirmation, converse, conclude, save.

    What goes wrong before the turn has begun is raised as an `AishaError`; afterwards the last event is a `TurnFailed`,
    and the conversation keeps what was done, marked as unfinished. With the `attempt` of an `Idempotency-Key` a turn that
    was cut off goes on where it was: nothing is written twice. Say `streamed=False` where nobody reads the text as it comes.
    """
    state = open_turn(request, principal, deps, journal_of(attempt, principal, deps))
    state.is_streamed = streamed
    approved = pending_answered(state)
    yield from play(state, converse(state) if approved is None else settle(state, approved))


def journal_of(attempt: Attempt | None, principal: Principal, deps: TurnDependencies) -> TurnJournal | None:
    """The journal of a request that has an `Idempotency-Key`."""
    return TurnJournal.of(attempt, principal, deps.entries, deps.clock) if attempt else None


def play(state: TurnState, steps: Iterator[TurnEvent]) -> Generator[TurnEvent]:
    """An opened turn's steps between its first and last events, saved however they end."""
    return state.deps.observe(_played(state, steps), state)


def _played(state: TurnState, steps: Iterator[TurnEvent]) -> Generator[TurnEvent]:
    saved = False
    try:
        yield TurnStarted(state.session.conversation.id, state.message_id)
        yield from steps
        start = monotonic()
        closing, after = _concluded(state)
        state.spent("conclude", start)
        start = monotonic()
        state.deps.conversations.finish(state.session, after, _answer(state, finished=True))
        saved = True
        state.spent("save", start)
        yield from closing
    except Exception as error:
        failure = as_told(error)
        failure.__cause__ = None if failure is error else error
        yield TurnFailed(failure)
    finally:
        if not saved:
            _keep_unfinished(state)
        _record(state)


def _concluded(state: TurnState) -> tuple[list[TurnEvent], Conversation]:
    """The last events and the head as it is to be saved."""
    reply = state.reply
    entities = mentioned(state.calls, state.request.message, state.entities)
    state.names.update((entity.id.lower(), entity.name) for entity in entities)
    if state.asked is not None:
        steps: tuple[FollowUp, ...] = ANSWERS
    else:
        proposed = follow_ups(state.calls, reply, entities, state.deps.registry, state.principal)
        steps = tuple(replace(step, text=clean(step.text, state.names)) for step in proposed)
    if any(call.has_written for call in state.calls):
        # Who writes has records that sweeps look at.
        note_zone(state.deps.entries, state.principal)
    state.deps.brainlets.run("post", state)
    events: list[TurnEvent] = [EntitiesChanged(entities)]
    if state.asked is not None:
        events.append(ConfirmationNeeded(state.asked))
    events += [_conclusions(state), *([state.mood] if state.mood else [])]
    events += [FollowUps(steps), _usage(state), TurnFinished(_status(state), reply, tuple(state.warnings))]
    start = state.session.conversation
    after = replace(
        start,
        entities=entities,
        pending=state.asked or (None if state.settled else start.pending),
        summary=state.summary or start.summary,
        attachments=state.more_info.attached,
        updated_at=state.deps.clock.now(),
    )
    return events, after


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


def _answer(state: TurnState, finished: bool) -> Message:
    stood_out = _conclusions(state)
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
            "insights": list(stood_out.insights),
            "nextSteps": list(stood_out.next_steps),
            "recommendedScans": list(stood_out.recommended_scans),
        },
        provider_state=state.provider_state,
        finished=finished,
    )


def _keep_unfinished(state: TurnState) -> None:
    """Stores what was said and done so far, and tells memory. When not even that works, the unfinished answer of the start stands."""
    with suppress(AishaError):
        remember_turn(state)
    head = state.session.conversation
    if state.settled:
        head = replace(head, pending=None)
    try:
        state.deps.conversations.finish(state.session, head, _answer(state, finished=False))
    except AishaError:
        return


def _record(state: TurnState) -> None:
    """Gives the audit log what it does not have yet: the turn's reads, the question it ended with, and one that was dropped."""
    if (trail := state.trail) is None:
        return
    waited, sensitive = state.session.conversation.pending, state.deps.ports.sensitive
    if state.asked is not None:
        trail.asked(state.asked, sensitive)
    if waited is not None and waited.id == state.settled and not state.calls and state.asked is None:
        trail.dropped(waited, sensitive)
    trail.flush()
