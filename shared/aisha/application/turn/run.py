"""One turn: the answer to a user's message as a generator of typed events."""

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from time import monotonic

from msgspec.structs import replace

from aisha.application.dialogue.yes_no import read_decision
from aisha.application.idempotency.keys import Attempt
from aisha.application.notifications.settings import remember_zone
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.turn.concluding.conclude import Conclusion, answer_message, conclude
from aisha.application.turn.concluding.log import log_turn
from aisha.application.turn.concluding.remember import remember_turn
from aisha.application.turn.confirming.settle import pending_answered, settle
from aisha.application.turn.confirming.untrusted_sources import untrusted_sources_of
from aisha.application.turn.confirming.waiting import asked_why, explain, follow_up_on_question, keep_waiting, postponed
from aisha.application.turn.journal import TurnJournal
from aisha.application.turn.load import load_turn
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.regenerate import reword, written_answer
from aisha.application.turn.rounds.converse import converse
from aisha.application.turn.state import Turn, TurnDependencies, TurnInput
from aisha.domain.conversations.events import TurnEvent, TurnFailed, TurnStarted
from aisha.domain.errors import AishaError, public_error
from aisha.domain.principal import Principal

ABANDONED, FAILED = "abandoned", "failed"
"""The ends of a turn whose client went away, or that an error ended."""


def run_turn(
    request: ChatRequest,
    principal: Principal,
    deps: TurnDependencies,
    attempt: Attempt | None = None,
    *,
    streamed: bool = True,
) -> Generator[TurnEvent]:
    """Load the turn, settle a pending confirmation or converse, conclude, and save.

    Raises an `AishaError` before the turn has begun. After that the last event of a failed turn is a `TurnFailed`, and
    its calls and text are stored, marked as unfinished. With the `attempt` of an `Idempotency-Key` a turn that was cut
    off continues where it was, and nothing is written twice. Pass `streamed=False` if the text is not shown as it
    arrives.
    """
    turn = load_turn(request, principal, deps, journal_of(attempt, principal, deps), is_streamed=streamed)
    yield from play(turn, settle_or_reply(turn, converse, approved=pending_answered(turn.input)))


def settle_or_reply(
    turn: Turn, reply: Callable[[Turn], Iterator[TurnEvent]], *, approved: bool | None
) -> Iterator[TurnEvent]:
    """Settle, explain or keep the waiting question if the message is about it; otherwise reply and then return to it.

    If a client regenerates an answer whose turn wrote, the answer is only reworded. A yes to hearing more of an answer
    is answered with the rest of it.

    `approved` is the message's decision about the question, None if it has none.
    """
    if (written := written_answer(turn.input)) is not None:
        yield from reword(turn, written)
    elif approved is not None:
        yield from settle_and_go_on(turn, reply, approved=approved)
    elif (answer := asked_why(turn.input)) is not None:
        yield from explain(turn, answer)
    elif (pending := postponed(turn.input)) is not None:
        yield from keep_waiting(turn, pending)
    elif (rest := _rest_of_speech(turn.input)) is not None:
        yield turn.record.say(rest)
    else:
        yield from reply(turn)
        yield from follow_up_on_question(turn)


def _rest_of_speech(turn_input: TurnInput) -> str | None:
    """Return what the last answer left out, if the message says yes to its offer to go on (C-X9)."""
    last = next((message for message in reversed(turn_input.session.messages) if message.role == "assistant"), None)
    if last is None or last.metadata.get("format") != "voice" or last.metadata.get("status") != "completed":
        return None
    locale = turn_input.request.locale or turn_input.principal.locale
    offer, rest = turn_input.deps.unspoken(last.content, locale)
    return rest if rest and read_decision(turn_input.request.message, offer) else None


def settle_and_go_on(
    turn: Turn, reply: Callable[[Turn], Iterator[TurnEvent]], confirmation_id: str | None = None, *, approved: bool
) -> Iterator[TurnEvent]:
    """Settle the waiting question, then reply to the rest of the message that led to it."""
    settlement = turn.input.settlement
    pending = settlement.pending if settlement is not None else turn.input.session.conversation.pending
    yield from settle(turn, confirmation_id, approved=approved)
    if pending is None or not pending.rest:
        return
    # The rest was said on the supposition that the first part is done.
    if not any(call.has_written for call in turn.record.calls):
        yield turn.record.say(f"I have left the rest, too: “{pending.rest}”. Tell me if you still want it.")
        return
    session = replace(
        turn.input.session,
        conversation=replace(turn.input.session.conversation, pending=None),
        messages=(*turn.input.session.messages, answer_message(turn, finished=True)),
    )
    # Read anew, from the message that the rest belongs to: what was read so far is the yes.
    turn.record.utterance = None
    request = turn.input.request.model_copy(update={"message": pending.rest})
    yield from reply(
        replace(turn, input=replace(turn.input, session=session, request=request, continues=pending.message))
    )


def journal_of(attempt: Attempt | None, principal: Principal, deps: TurnDependencies) -> TurnJournal | None:
    """Return the journal of a request that has an `Idempotency-Key`, otherwise None."""
    return TurnJournal.of(attempt, principal, deps.entries, deps.clock) if attempt else None


def play(turn: Turn, steps: Iterator[TurnEvent]) -> Generator[TurnEvent]:
    """Yield the events of a loaded turn: its start, those of `steps`, its end. The turn is saved in any case."""
    return turn.input.deps.observe(_play(turn, steps), turn)


def _play(turn: Turn, steps: Iterator[TurnEvent]) -> Generator[TurnEvent]:
    saved, status = False, ABANDONED
    failure: AishaError | None = None
    try:
        yield TurnStarted(turn.input.session.conversation.id, turn.input.message_id, turn.input.is_spoken)
        yield from steps
        start = monotonic()
        conclusion = conclude(turn)
        turn.timings.spend("conclude", start)
        _save(turn, conclusion)
        saved = True
        # Before the last events: a client that leaves after the answer has not abandoned it.
        status = conclusion.status
        yield from conclusion.events
    except Exception as error:
        failure = public_error(error)
        # The user gets a general text, the logs and metrics the original error.
        failure.__cause__ = None if failure is error else error
        status = FAILED
        yield TurnFailed(failure)
    finally:
        # Also reached when the client has gone away and the generator is closed.
        if not saved:
            _save_unfinished(turn)
        _audit(turn.input, turn.record)
        log_turn(turn, status, failure)


def _save(turn: Turn, conclusion: Conclusion) -> None:
    start = monotonic()
    if any(call.has_written for call in turn.record.calls):
        # Sweeps examine the records of users who write, and notify them at an hour of their time zone.
        remember_zone(turn.input.deps.entries, turn.input.principal)
    if turn.input.is_stored:
        answer = answer_message(turn, finished=True)
        turn.input.deps.conversations.finish(turn.input.session, conclusion.head, answer, turn.input.replaced)
    turn.timings.spend("save", start)


def _save_unfinished(turn: Turn) -> None:
    """Store the text and the calls so far, also in memory.

    If that fails, the unfinished answer of the start remains.
    """
    if not turn.input.is_stored:
        return
    with suppress(AishaError):
        remember_turn(turn.input, turn.record)
    head = replace(turn.input.session.conversation, untrusted_sources=untrusted_sources_of(turn.input, turn.record))
    # Decided is decided, even if the answer was not finished: the call must not wait again.
    if turn.record.settled:
        head = replace(head, pending=None)
    with suppress(AishaError):
        turn.input.deps.conversations.finish(turn.input.session, head, answer_message(turn, finished=False))


def _audit(turn_input: TurnInput, record: TurnRecord) -> None:
    """Add to the audit log the turn's reads, the question it ended with, and a question that was dropped."""
    if (trail := turn_input.trail) is None:
        return
    pending, sensitive = turn_input.session.conversation.pending, turn_input.deps.ports.sensitive
    if record.question is not None:
        trail.record_question(record.question, sensitive)
    is_refused = pending is not None and pending.id == record.settled and not record.calls and record.question is None
    if pending is not None and (is_refused or record.dropped):
        trail.record_rejection(pending, sensitive)
    trail.flush()
