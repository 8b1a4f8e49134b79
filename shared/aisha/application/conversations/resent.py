"""Questions that a client sent again together with the data that it was asked for: they are shown once."""

from collections.abc import Sequence

from aisha.domain.conversations.conversation import Message

_MESSAGES = 3
"""A question, the request for data, and the question again."""


def without_resent(messages: Sequence[Message]) -> list[Message]:
    """Return the messages, oldest first, without a question and its request for data if the question came again."""
    answered: list[Message] = []
    place = 0
    while place < len(messages):
        is_resent = len(messages) - place >= _MESSAGES and _is_resent(*messages[place : place + _MESSAGES])
        place += 2 if is_resent else 1
        if not is_resent:
            answered.append(messages[place - 1])
    return answered


def _is_resent(question: Message, answer: Message, repetition: Message) -> bool:
    roles = (question.role, answer.role, repetition.role)
    # Only then is the same text twice one question.
    asked_for_data = answer.metadata.get("status") == "needs_data"
    return roles == ("user", "assistant", "user") and asked_for_data and question.content == repetition.content
