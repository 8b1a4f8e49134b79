"""The confirmation endpoint, the widget's button, MCP's elicitation: a decision by id instead of by words."""

from collections.abc import Iterator

from msgspec.structs import replace

from aisha.application.idempotency.keys import Attempt
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.turn.load import load_turn
from aisha.application.turn.run import journal_of, play
from aisha.application.turn.settle import check_waiting, conversation_of, settle
from aisha.application.turn.state import TurnDependencies
from aisha.domain.conversation import Conversation
from aisha.domain.errors import InvalidInputError, NotFoundError
from aisha.domain.events import TurnEvent
from aisha.domain.principal import Principal

WORDS = {True: "Yes, go ahead", False: "No, leave it"}


def decide_confirmation(
    confirmation_id: str,
    approve: bool,
    principal: Principal,
    deps: TurnDependencies,
    choice: str | None = None,
    attempt: Attempt | None = None,
) -> Iterator[TurnEvent]:
    """Runs the stored call once, or drops it; the decision stands in the conversation like any message.

    With the `attempt` of an `Idempotency-Key` a decision that was cut off is finished.
    Raises `NotFoundError` for an id that is not this user's, `GoneError` for one that was used or replaced, or that is
    approved too late, `InvalidInputError` when one of several alternatives must be chosen and `choice` is none of them.
    """
    conversation_id = conversation_of(confirmation_id)
    try:
        waiting = deps.conversations.load(principal.tenant, principal.user, conversation_id, 0).conversation
    except NotFoundError:
        raise NotFoundError(
            "There is no such confirmation.", entity_type="confirmation", entity_id=confirmation_id
        ) from None
    journal = journal_of(attempt, principal, deps)
    if journal is not None and (settled := journal.settlement()) is not None:
        waiting = replace(waiting, pending=settled.pending)
    else:
        check_waiting(waiting, confirmation_id, deps.clock.now() if approve else None)
    request = ChatRequest(message=_said(waiting, approve, choice), conversation_id=conversation_id)
    turn = load_turn(request, principal, deps, journal)
    yield from play(turn, settle(turn, approve, confirmation_id))


def _said(waiting: Conversation, approve: bool, choice: str | None) -> str:
    """The decision as the message that the conversation keeps: a choice is told by what the user chose."""
    alternatives = waiting.pending.alternatives if waiting.pending else ()
    if not approve or not alternatives:
        return WORDS[approve]
    chosen = next((one for one in alternatives if choice in (one.value, one.label)), None)
    if chosen is None:
        known = ", ".join(f"{one.value} ({one.label})" for one in alternatives)
        raise InvalidInputError(f"Several are possible. Send the value of one of them: {known}.", pointer="/choice")
    return f"{chosen.value}. {chosen.label}"
