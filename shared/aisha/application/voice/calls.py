"""The tool calls of a realtime model, passed on by its client: each through the gate, once (C-X4, A-008).

The client only carries them. Who asks is the token's user, what a call may do is decided anew, and a call that needs the
user's yes waits for it in the session's conversation: for the confirmation endpoint, or for the user's next words.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.json import decode, encode
from msgspec.structs import replace

from aisha.application.idempotency.keys import Attempt, IdempotencyKeys, KeptAnswer
from aisha.application.redaction.summaries import line, shown_to_model
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.turn.journal import TurnJournal
from aisha.application.turn.load import load_turn
from aisha.application.turn.provenance import texts_read
from aisha.application.turn.run import play
from aisha.application.turn.settle import pending_answered, settle
from aisha.application.turn.state import Turn, TurnDependencies
from aisha.application.turn.tool_round import run_round
from aisha.application.voice.session import DOOR, RealtimeSession, load_voice_session, remember
from aisha.domain.conversation import PendingConfirmation
from aisha.domain.errors import InvalidInputError
from aisha.domain.events import TurnEvent, TurnFailed
from aisha.domain.models import ToolCallRequest
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall

SPOKEN = "(spoken)"
"""Stands for the user's words where a client sent none. It asks for nothing, so nothing is done on its account."""
_JSON = "application/json"


class VoiceCall(Struct, frozen=True):
    """A call as the client got it. `arguments` is the model's JSON text.

    `transcript` is what the user said last, `utterance` the provider's id of it.
    """

    session_id: str
    call_id: str
    name: str
    arguments: str
    transcript: str | None = None
    utterance: str | None = None

    @property
    def fingerprint(self) -> str:
        """Tells two calls apart that have one id."""
        return hashlib.sha256(json.dumps([self.name, self.arguments]).encode()).hexdigest()

    @property
    def heard(self) -> tuple[str, ...]:
        """What names the user's words: their id, else the words."""
        if self.transcript is None:
            return ()
        words = " ".join(self.transcript.lower().split())
        return (f"id:{self.utterance}" if self.utterance else f"text:{words}",)


class VoiceAnswer(Struct, frozen=True):
    """What came of a call. `output` is the JSON text for the model, `say` the same in words, `replayed` for a repetition.

    `status` is a tool's status, or needs_confirmation: it waits, `pending` says for what; or confirmed, cancelled: the
    user's words decided about the call that waited, which was run or dropped in place of this one.
    """

    session_id: str
    call_id: str
    conversation_id: str
    status: str
    output: str
    say: str
    pending: PendingConfirmation | None = None
    error: Mapping[str, Any] | None = None
    replayed: bool = False


def relay_call(call: VoiceCall, principal: Principal, deps: TurnDependencies) -> VoiceAnswer:
    """The answer to a call. The same call again runs nothing and gets the same answer.

    Raises `NotFoundError` for a session that is not this user's, `GoneError` for one that has ended,
    `InvalidInputError` for a call id that was used for another call, `ConflictError` while it still runs.
    """
    speaker = replace(principal, door=DOOR)
    session = load_voice_session(speaker, deps.entries, call.session_id, deps.clock.now())
    keys = IdempotencyKeys(deps.entries, deps.clock, speaker)
    taken = _taken(keys, call)
    if isinstance(taken, KeptAnswer):
        return _restored(taken.body)
    try:
        answer = _run(call, session, speaker, deps, TurnJournal.of(taken, speaker, deps.entries, deps.clock))
    except Exception:
        # It may have written: the same call may come again, under the same operation, but no other with its id.
        keys.release(taken, is_settled=False)
        raise
    keys.keep(taken, KeptAnswer(200, _JSON, encode(answer, enc_hook=str).decode()))
    return answer


def _restored(text: str) -> VoiceAnswer:
    return replace(decode(text, type=VoiceAnswer), replayed=True)


def _taken(keys: IdempotencyKeys, call: VoiceCall) -> Attempt | KeptAnswer:
    try:
        return keys.take(f"{call.session_id}:{call.call_id}", call.fingerprint)
    except InvalidInputError:
        raise InvalidInputError(
            "This callId was used for another call.", pointer="/callId", suggestion="Send the model's own call_id."
        ) from None


def _run(
    call: VoiceCall, session: RealtimeSession, principal: Principal, deps: TurnDependencies, journal: TurnJournal
) -> VoiceAnswer:
    fresh = bool(call.heard) and not set(call.heard) & set(session.heard)
    recalled = _read_before(call, session, deps, journal)
    turn = load_turn(_request(call, session), principal, deps.without_side_brainlets(), journal)
    turn.record.recalled = recalled
    failure = None
    for event in play(turn, _steps(turn, call, fresh)):
        failure = event.error if isinstance(event, TurnFailed) else failure
    remember(principal, deps.entries, session, call.heard, texts_read(turn.record.calls))
    if failure is not None:
        raise failure
    return _answer(call, turn)


def _read_before(call: VoiceCall, session: RealtimeSession, deps: TurnDependencies, journal: TurnJournal) -> list[str]:
    """The texts that a call is judged by: at every try those of the first, never what it has written itself."""
    spec = deps.registry.spec(call.name)
    if spec is None or spec.access == "read":
        return list(session.read)
    marks = [hashlib.sha256(text.encode()).hexdigest() for text in session.read]
    last = journal.first_value("read", {"last": marks[-1] if marks else None})["last"]
    if last is None:
        return []
    return list(session.read[: marks.index(last) + 1 if last in marks else None])


def _request(call: VoiceCall, session: RealtimeSession) -> ChatRequest:
    """The user's words, or that there were none, as a message of the session's conversation."""
    message = (call.transcript or "").strip() or SPOKEN
    if session.is_given:
        return ChatRequest(message=message, conversation_id=session.conversation_id, format="voice")
    return ChatRequest(message=message, id=session.id, format="voice")


def _steps(turn: Turn, call: VoiceCall, fresh: bool) -> Iterator[TurnEvent]:
    """The call, or what the user's words decide about the one that waits. Words that were heard before decide nothing.

    Otherwise a model could have the yes to one question answer the next.
    """
    # What another try settled is settled, though the words were heard then.
    approved = pending_answered(turn.input) if fresh or turn.input.settlement is not None else None
    if approved is not None:
        yield from settle(turn, approved)
        return
    yield from run_round(turn, [ToolCallRequest(call.call_id, call.name, call.arguments)])
    said = turn.record.question.question if turn.record.question else _sentence(turn.record.calls[-1])
    yield turn.record.say(said)


def _sentence(call: ToolCall) -> str:
    told = line(call)
    return f"{told[:1].upper()}{told[1:]}."


def _answer(call: VoiceCall, turn: Turn) -> VoiceAnswer:
    done = turn.record.calls[-1] if turn.record.calls else None
    status, error = "cancelled", None
    shown: dict[str, Any] = {"status": status, "say": turn.record.reply}
    if turn.record.question is not None:
        status = "needs_confirmation"
        shown = {"status": status, "question": turn.record.question.question}
    elif done is not None and turn.record.settled is not None:
        status, error = "confirmed", done.result.error
        shown = {
            "status": status,
            "tool": done.name,
            "result": json.loads(shown_to_model(done)),
            "say": turn.record.reply,
        }
    elif done is not None:
        status, error = str(done.result.status), done.result.error
        shown = json.loads(shown_to_model(done))
    return VoiceAnswer(
        session_id=call.session_id,
        call_id=call.call_id,
        conversation_id=turn.input.session.conversation.id,
        status=status,
        output=json.dumps(shown, ensure_ascii=False, separators=(",", ":")),
        say=turn.record.reply,
        pending=turn.record.question,
        error=error,
    )
