"""Read the words that may order a write: this message, those it continues, and the question that it answers."""

import re
from collections.abc import Sequence

from aisha.application.orders.reading.utterance import Utterance, blank_out
from aisha.application.turn.confirming.untrusted_sources import untrusted_sources_of
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import TurnInput
from aisha.domain.conversations.conversation import Message
from aisha.domain.language.acts import ADDRESS_TAGS
from aisha.domain.language.tokens import tokenize
from aisha.domain.models import OFFLINE

_OFFER = re.compile(
    r"(?:(?:shall|should|can) i|do you want me to|would you like me to|want me to)(?: |$)", re.IGNORECASE
)
_POINTING = re.compile(r"(?:do (?:that|it|so|this)|go ahead|proceed)?(?: now| then| for you)?", re.IGNORECASE)
_ABILITY = re.compile(r"(?:i (?:can|could|would|suggest to)|i'd) ", re.IGNORECASE)
_OBJECT = re.compile(r"^(\w{1,20}) you\b")
"""The user as the object of the verb: "remind you"."""


def read_utterance(turn_input: TurnInput, record: TurnRecord) -> Utterance:
    """Return the user's words: this message, and those before it that it continues."""
    # Messages without an id came with the request: anybody may have written them.
    stored = [message for message in turn_input.session.messages if message.id]
    if turn_input.continues:
        contents = [message.content for message in stored]
        stored = stored[: contents.index(turn_input.continues)] if turn_input.continues in contents else []
    last = next((message for message in reversed(stored) if message.role == "assistant"), None)
    is_answer = last is not None and _asks(last.content)
    is_own = last is not None and (
        last.metadata.get("provider") == OFFLINE or not untrusted_sources_of(turn_input, record)
    )
    # A microphone hears others, too: what was heard before orders nothing now.
    is_spoken = turn_input.principal.door == "voice"
    names = [entity.name for entity in turn_input.entities]
    pending = turn_input.session.conversation.pending
    return Utterance(
        turn_input.whole_message,
        turn_input.now,
        earlier=[message.content for message in reversed(stored) if message.role == "user" and not is_spoken],
        is_answer=is_answer,
        offer_text=_last_question(last, names, is_own=is_own) if last is not None and is_answer else "",
        # An answer that changes a value, such as "make it 5", does not agree to the other values of the question.
        is_offer_own=is_own,
        needs_yes=not is_own or (pending is not None and last is not None and pending.asked_in == last.id),
        known_names=names,
    )


def _asks(text: str) -> bool:
    return "?" in text.rstrip()[-200:]


def _last_question(message: Message, names: Sequence[str], *, is_own: bool) -> str:
    """Return the last question of a reply; one that offers to do something as the order that a yes makes of it.

    It begins and ends outside of the names of records, whatever these are. A model that has seen texts of others
    (`is_own` is False) may repeat them: of its questions an offer counts that ends the reply, as the only question and
    without an address, since it is all that the user says yes to.
    """
    text = message.content
    without_names = blank_out(text, names)
    end = without_names.rfind("?")
    start = max(without_names.rfind(mark, 0, end) for mark in (". ", "\n", "! ", "? "))
    question = text[start + 1 : end].strip()
    offer = _OFFER.match(question)
    if offer is not None and _POINTING.fullmatch(question, offer.end()):
        # "I can set him to warm. Shall I do that?"
        before = without_names[: start + 1].rstrip(" \n.!")
        place = max(before.rfind(mark) for mark in (". ", "\n", "! ", "? ")) + 1
        question = text[place : len(before)].strip()
        offer = _ABILITY.match(question)
    is_alone = without_names.count("?") == 1 and not without_names[end + 1 :].strip()
    has_address = any(token.kind in ADDRESS_TAGS for token in tokenize(question))
    if not is_own and (offer is None or has_address or not is_alone):
        return ""
    return _OBJECT.sub(r"\1 me", question[offer.end() :]) if offer else question
