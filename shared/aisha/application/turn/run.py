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
from aisha.application.turn.journal import TurnJournal
from aisha.application.turn.load import load_turn
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.remember import remember_turn
from aisha.application.turn.settle import pending_answered, settle
from aisha.application.turn.state import Turn, TurnDependencies, TurnInput
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
    and the conversation keeps what was done, marked as unfinished. With the `attempt` of an `Idempotency-Key` a turn
    that was cut off goes on where it was: nothing is written twice. Pass `streamed=False` where the text is not read as
    it comes.
    """
    turn = load_turn(request, principal, deps, journal_of(attempt, principal, deps), is_streamed=streamed)
    approved = pending_answered(turn.input)
    yield from play(turn, converse(turn) if approved is None else settle(turn, approved))


def journal_of(attempt: Attempt | None, principal: Principal, deps: TurnDependencies) -> TurnJournal | None:
    """Return the journal of a request that has an `Idempotency-Key`, else None."""
    return TurnJournal.of(attempt, principal, deps.entries, deps.clock) if attempt else None


def play(turn: Turn, steps: Iterator[TurnEvent]) -> Generator[TurnEvent]:
    """Yield the events of a loaded turn: its first, those of `steps`, its last. The turn is saved however they end."""
    return turn.input.deps.observe(_played(turn, steps), turn)


def _played(turn: Turn, steps: Iterator[TurnEvent]) -> Generator[TurnEvent]:
    saved = False
    try:
        yield TurnStarted(turn.input.session.conversation.id, turn.input.message_id)
        yield from steps
        start = monotonic()
        conclusion = conclude(turn)
        turn.timings.spend("conclude", start)
        _save(turn, conclusion)
        saved = True
        yield from conclusion.events
    except Exception as error:
        failure = as_told(error)
        failure.__cause__ = None if failure is error else error
        yield TurnFailed(failure)
    finally:
        if not saved:
            _save_unfinished(turn)
        _audit(turn.input, turn.record)


def _save(turn: Turn, conclusion: Conclusion) -> None:
    start = monotonic()
    if any(call.has_written for call in turn.record.calls):
        # Sweeps look at the records of those who write, and tell them at an hour of their zone.
        note_zone(turn.input.deps.entries, turn.input.principal)
    turn.input.deps.conversations.finish(turn.input.session, conclusion.head, answer_message(turn, finished=True))
    turn.timings.spend("save", start)


def _save_unfinished(turn: Turn) -> None:
    """Store the text and the calls so far, for memory too. If that fails, the unfinished answer of the start stands."""
    with suppress(AishaError):
        remember_turn(turn.input, turn.record)
    head = turn.input.session.conversation
    if turn.record.settled:
        head = replace(head, pending=None)
    with suppress(AishaError):
        turn.input.deps.conversations.finish(turn.input.session, head, answer_message(turn, finished=False))


def _audit(turn_input: TurnInput, record: TurnRecord) -> None:
    """Give the audit log what it lacks: the turn's reads, the question it ended with, and one that was dropped."""
    if (trail := turn_input.trail) is None:
        return
    waited, sensitive = turn_input.session.conversation.pending, turn_input.deps.ports.sensitive
    if record.question is not None:
        trail.asked(record.question, sensitive)
    if waited is not None and waited.id == record.settled and not record.calls and record.question is None:
        trail.dropped(waited, sensitive)
    trail.flush()
