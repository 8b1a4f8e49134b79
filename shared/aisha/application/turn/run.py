"""One turn: a user's message and all that answers it, as a generator of typed events."""

from collections.abc import Generator, Iterator
from contextlib import suppress
from time import monotonic

from msgspec.structs import replace

from aisha.application.idempotency.keys import Attempt
from aisha.application.notifications.settings import note_zone
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.turn.conclude import Conclusion, answer_message, conclude
from aisha.application.turn.converse import converse
from aisha.application.turn.deps import TurnDependencies
from aisha.application.turn.journal import TurnJournal
from aisha.application.turn.load import load_turn
from aisha.application.turn.remember import remember_turn
from aisha.application.turn.settle import pending_answered, settle
from aisha.application.turn.state import TurnState
from aisha.domain.errors import AishaError, as_told
from aisha.domain.events import TurnEvent, TurnFailed, TurnStarted
from aisha.domain.principal import Principal


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
    was cut off goes on where it was: nothing is written twice. Pass `streamed=False` where the text is not read as it comes.
    """
    state = load_turn(request, principal, deps, journal_of(attempt, principal, deps), is_streamed=streamed)
    approved = pending_answered(state)
    yield from play(state, converse(state) if approved is None else settle(state, approved))


def journal_of(attempt: Attempt | None, principal: Principal, deps: TurnDependencies) -> TurnJournal | None:
    """Return the journal of a request that has an `Idempotency-Key`, else None."""
    return TurnJournal.of(attempt, principal, deps.entries, deps.clock) if attempt else None


def play(state: TurnState, steps: Iterator[TurnEvent]) -> Generator[TurnEvent]:
    """Yield the events of a loaded turn: its first, those of `steps`, its last. The turn is saved however they end."""
    return state.deps.observe(_played(state, steps), state)


def _played(state: TurnState, steps: Iterator[TurnEvent]) -> Generator[TurnEvent]:
    saved = False
    try:
        yield TurnStarted(state.session.conversation.id, state.message_id)
        yield from steps
        start = monotonic()
        conclusion = conclude(state)
        state.spent("conclude", start)
        _save(state, conclusion)
        saved = True
        yield from conclusion.events
    except Exception as error:
        failure = as_told(error)
        failure.__cause__ = None if failure is error else error
        yield TurnFailed(failure)
    finally:
        if not saved:
            _save_unfinished(state)
        _audit(state)


def _save(state: TurnState, conclusion: Conclusion) -> None:
    start = monotonic()
    if any(call.has_written for call in state.calls):
        # Sweeps look at the records of those who write, and tell them at an hour of their zone.
        note_zone(state.deps.entries, state.principal)
    state.deps.conversations.finish(state.session, conclusion.head, answer_message(state, finished=True))
    state.spent("save", start)


def _save_unfinished(state: TurnState) -> None:
    """Store the text and the calls so far, for memory too. If that fails, the unfinished answer of the start stands."""
    with suppress(AishaError):
        remember_turn(state)
    head = state.session.conversation
    if state.settled:
        head = replace(head, pending=None)
    with suppress(AishaError):
        state.deps.conversations.finish(state.session, head, answer_message(state, finished=False))


def _audit(state: TurnState) -> None:
    """Give the audit log what it lacks: the turn's reads, the question it ended with, and one that was dropped."""
    if (trail := state.trail) is None:
        return
    waited, sensitive = state.session.conversation.pending, state.deps.ports.sensitive
    if state.asked is not None:
        trail.asked(state.asked, sensitive)
    if waited is not None and waited.id == state.settled and not state.calls and state.asked is None:
        trail.dropped(waited, sensitive)
    trail.flush()
