"""Confirmations decided by id: by the confirmation endpoint, the widget's buttons and MCP's elicitation."""

from collections.abc import Generator

from msgspec.structs import replace

from aisha.application.idempotency.keys import Attempt
from aisha.application.requests.chat_request import ChatRequest
from aisha.application.turn.concluding.follow_up_buttons import DECISION_MESSAGES
from aisha.application.turn.confirming.settle import check_waiting, conversation_of
from aisha.application.turn.load import load_turn
from aisha.application.turn.rounds.converse import converse
from aisha.application.turn.run import journal_of, play, settle_and_go_on
from aisha.application.turn.state import TurnDependencies
from aisha.domain.conversations.conversation import Conversation
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.errors import InvalidInputError, NotFoundError
from aisha.domain.principal import Principal


def decide_confirmation(
    confirmation_id: str,
    principal: Principal,
    deps: TurnDependencies,
    choice: str | None = None,
    attempt: Attempt | None = None,
    *,
    approve: bool,
) -> Generator[TurnEvent]:
    """Run the stored call once, or drop it, and add the decision to the conversation as a message of the user.

    With the `attempt` of an `Idempotency-Key` a decision that was cut off is finished. Raises `NotFoundError` for an id
    that does not belong to this user, `GoneError` for one that was used or replaced, or is approved after its expiry,
    and `InvalidInputError` when `choice` names none of the alternatives, or there are none to choose from.
    """
    conversation_id = conversation_of(confirmation_id)
    try:
        waiting = deps.conversations.load(principal.tenant, principal.user, conversation_id, 0).conversation
    except NotFoundError:
        raise NotFoundError(
            "There is no such confirmation.",
            entity_type="confirmation",
            entity_id=confirmation_id,
            suggestion="Ask for it again in the chat.",
        ) from None
    journal = journal_of(attempt, principal, deps)
    # The first try has removed the question from the conversation, so a retry takes it from the journal.
    if journal is not None and (settled := journal.settlement()) is not None:
        waiting = replace(waiting, pending=settled.pending)
    else:
        # A refusal is accepted after the expiry too: it changes nothing.
        check_waiting(waiting, confirmation_id, deps.clock.now() if approve else None)
    request = ChatRequest(message=_decision_message(waiting, choice, approve=approve), conversation_id=conversation_id)
    turn = load_turn(request, principal, deps, journal)
    yield from play(turn, settle_and_go_on(turn, converse, confirmation_id, approved=approve))


def _decision_message(waiting: Conversation, choice: str | None, *, approve: bool) -> str:
    """Return the decision in words: the chosen alternative if there are several, otherwise yes or no."""
    alternatives = waiting.pending.alternatives if waiting.pending else ()
    if not approve or not (alternatives or choice):
        return DECISION_MESSAGES[approve]
    if not alternatives:
        raise InvalidInputError("This question has no alternatives. Leave out the choice.", pointer="/choice")
    chosen = next((option for option in alternatives if choice in (option.value, option.label)), None)
    if chosen is None:
        options = ", ".join(f"{option.value} ({option.label})" for option in alternatives)
        raise InvalidInputError(f"Several are possible. Send the value of one of them: {options}.", pointer="/choice")
    return f"{chosen.value}. {chosen.label}"
