"""The tool calls of a realtime model, relayed by its client; each passes the gate and runs once (C-X4, A-008).

The client is not trusted: the user is the token's, every call is authorised again, and a call that needs a confirmation
waits for it in the session's conversation, to be given by the confirmation endpoint or by the user's next words.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.json import decode, encode
from msgspec.structs import replace

from aisha.application.idempotency.keys import Attempt, IdempotencyKeys, StoredAnswer
from aisha.application.redaction.summaries import line, shown_to_model
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.turn.confirming.settle import pending_answered, settle
from aisha.application.turn.journal import TurnJournal
from aisha.application.turn.load import load_turn
from aisha.application.turn.rounds.tool_round import run_round
from aisha.application.turn.run import play
from aisha.application.turn.state import Turn, TurnDependencies
from aisha.application.voice.session import DOOR, RealtimeSession, load_voice_session, update_session
from aisha.domain.conversations.conversation import PendingConfirmation
from aisha.domain.conversations.events import TurnEvent, TurnFailed
from aisha.domain.errors import InvalidInputError
from aisha.domain.models import ToolCallRequest
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall

SPOKEN = "(spoken)"
"""The message of a call without a transcript: it orders nothing, so that its writes wait."""
_JSON = "application/json"


class VoiceCall(Struct, frozen=True):
    """A call as the client received it from the model.

    `arguments` is the model's JSON text. `transcript` is the user's last utterance, `utterance` the provider's id of
    it.
    """

    session_id: str
    call_id: str
    name: str
    arguments: str
    transcript: str | None = None
    utterance: str | None = None

    @property
    def fingerprint(self) -> str:
        """A digest of name and arguments, which distinguishes different calls with one id."""
        return hashlib.sha256(json.dumps([self.name, self.arguments]).encode()).hexdigest()

    @property
    def utterance_keys(self) -> tuple[str, ...]:
        """The key of the user's utterance, its id or else its words; empty without a transcript."""
        if self.transcript is None:
            return ()
        words = " ".join(self.transcript.lower().split())
        return (f"id:{self.utterance}" if self.utterance else f"text:{words}",)


class VoiceAnswer(Struct, frozen=True):
    """The answer to a call. `output` is the JSON text for the model, `say` the same in words.

    `status` is a tool's status; needs_confirmation for a call that waits, with its question in `pending`; or confirmed
    or cancelled when the user's words decided about a waiting call, which was run or dropped instead of this one.
    `replayed` is True for the stored answer to a repeated call.
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
    """Run a call and return its answer. A repeated call is not run again and gets the same answer.

    Raises `NotFoundError` for a session that does not belong to this user, `GoneError` for one that has ended,
    `InvalidInputError` for a call id that was used for another call, and `ConflictError` while the call still runs.
    """
    speaker = replace(principal, door=DOOR)
    session = load_voice_session(speaker, deps.entries, call.session_id, deps.clock.now())
    keys = IdempotencyKeys(deps.entries, deps.clock, speaker)
    attempt = _take_key(keys, call)
    # The client sends a call again when its connection broke before the answer.
    if isinstance(attempt, StoredAnswer):
        return replace(decode(attempt.body, type=VoiceAnswer), replayed=True)
    try:
        answer = _run(call, session, speaker, deps, TurnJournal.of(attempt, speaker, deps.entries, deps.clock))
    except Exception:
        # The call may have written. It can be sent again and keeps its operation, but no other call can use its id.
        keys.release(attempt, is_settled=False)
        raise
    keys.keep(attempt, StoredAnswer(200, _JSON, encode(answer, enc_hook=str).decode()))
    return answer


def _take_key(keys: IdempotencyKeys, call: VoiceCall) -> Attempt | StoredAnswer:
    try:
        return keys.take(f"{call.session_id}:{call.call_id}", call.fingerprint)
    except InvalidInputError:
        raise InvalidInputError(
            "This callId was used for another call.", pointer="/callId", suggestion="Send the model's own call_id."
        ) from None


def _run(
    call: VoiceCall, session: RealtimeSession, principal: Principal, deps: TurnDependencies, journal: TurnJournal
) -> VoiceAnswer:
    is_new_utterance = bool(call.utterance_keys) and not set(call.utterance_keys) & set(session.utterances)
    turn = load_turn(_request(call, session), principal, deps.without_side_brainlets(), journal)
    failure = None
    for event in play(turn, _steps(turn, call, is_new_utterance=is_new_utterance)):
        failure = event.error if isinstance(event, TurnFailed) else failure
    # Also after a failure: the utterance has been used, and may have confirmed something.
    update_session(principal, deps.entries, session, call.utterance_keys)
    if failure is not None:
        raise failure
    return _answer(call, turn)


def _request(call: VoiceCall, session: RealtimeSession) -> ChatRequest:
    message = (call.transcript or "").strip() or SPOKEN
    if session.has_conversation:
        return ChatRequest(message=message, conversation_id=session.conversation_id, format="voice")
    # The first call of the session creates the conversation, under an id that is derived from the session's.
    return ChatRequest(message=message, id=session.id, format="voice")


def _steps(turn: Turn, call: VoiceCall, *, is_new_utterance: bool) -> Iterator[TurnEvent]:
    """Run the call or, if a new utterance of the user decides about a waiting call, settle that one."""
    # Only a new utterance: otherwise a model could use the yes to one question for the next one. A decision stored by
    # an earlier try stands, although its utterance is known by now.
    approved = pending_answered(turn.input) if is_new_utterance or turn.input.settlement is not None else None
    if approved is not None:
        yield from settle(turn, approved=approved)
        return
    yield from run_round(turn, [ToolCallRequest(call.call_id, call.name, call.arguments)])
    question = turn.record.question
    yield turn.record.say(question.question if question else _format_sentence(turn.record.calls[-1]))


def _format_sentence(call: ToolCall) -> str:
    text = line(call)
    return f"{text[:1].upper()}{text[1:]}."


def _answer(call: VoiceCall, turn: Turn) -> VoiceAnswer:
    last_call = turn.record.calls[-1] if turn.record.calls else None
    status, error = "cancelled", None
    output: dict[str, Any] = {"status": status, "say": turn.record.reply}
    if turn.record.question is not None:
        status = "needs_confirmation"
        output = {"status": status, "question": turn.record.question.question}
    # The model asked for its own call; it is told that another one ran in its place.
    elif last_call is not None and turn.record.settled is not None:
        status, error = "confirmed", last_call.result.error
        output = {
            "status": status,
            "tool": last_call.name,
            "result": json.loads(shown_to_model(last_call)),
            "say": turn.record.reply,
        }
    elif last_call is not None:
        status, error = str(last_call.result.status), last_call.result.error
        output = json.loads(shown_to_model(last_call))
    return VoiceAnswer(
        session_id=call.session_id,
        call_id=call.call_id,
        conversation_id=turn.input.session.conversation.id,
        status=status,
        output=json.dumps(output, ensure_ascii=False, separators=(",", ":")),
        say=turn.record.reply,
        pending=turn.record.question,
        error=error,
    )
