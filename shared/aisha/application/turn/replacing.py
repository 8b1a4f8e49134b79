"""Replacement of the last question and its answer by a new message: the same question again, or an edited one."""

from collections.abc import Sequence
from itertools import pairwise

from aisha.application.requests.chat_request import REGENERATE, ChatRequest
from aisha.application.turn.record import TurnRecord
from aisha.domain.conversations.conversation import Message
from aisha.domain.errors import ConflictError

REPLACEABLE = "isReplaceable"
"""The member of an answer's metadata that says whether it may be replaced."""


def is_replaceable(record: TurnRecord) -> bool:
    """Return whether the turn only read; one that wrote, tried to write or asked for a confirmation stays."""
    is_about_question = record.question or record.repeated or record.settled or record.dropped
    only_read = all(call.spec is None or call.spec.access == "read" for call in record.calls)
    return only_read and not is_about_question and not record.more_info.needed


def check_replaced(request: ChatRequest, messages: Sequence[Message]) -> None:
    """Raise `ConflictError` when the request names an answer that is not the last one, or that did more than read."""
    if request.replaces is not None and not replaced_by(request, messages[-2:]):
        raise ConflictError(
            "That answer can't be replaced: it is not the last one, or it did more than read.",
            suggestion="Send the message without `replaces`: it follows what was said.",
        )


def replaced_by(request: ChatRequest, messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the question and the answer that the request replaces, often none.

    These are the ones that `replaces` names, or the last ones for a UI client that regenerates its last answer.
    """
    for question, answer in pairwise(messages):
        is_named = answer.id == request.replaces
        is_anew = request.trigger == REGENERATE and answer is messages[-1] and question.content == request.message
        if (is_named or is_anew) and _is_replaceable(question, answer):
            return question, answer
    return ()


def _is_replaceable(question: Message, answer: Message) -> bool:
    is_pair = (question.role, answer.role) == ("user", "assistant")
    return is_pair and answer.finished and answer.metadata.get(REPLACEABLE) is True
