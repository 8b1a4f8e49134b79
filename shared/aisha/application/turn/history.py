"""What a model is told of before: the last messages word for word."""

from collections.abc import Sequence
from itertools import zip_longest

from aisha.domain.conversation import Message
from aisha.domain.models import ModelMessage

CUT_OFF = "(This answer was cut off before it was finished.)"


def as_prompt(messages: Sequence[Message]) -> list[ModelMessage]:
    """User's and assistant's messages, oldest first. An answer that was cut off says so."""
    shown = []
    for message, answer in zip_longest(messages, messages[1:]):
        if _only_asked_for_data(message) or (answer is not None and _only_asked_for_data(answer)):
            continue  # The client has sent the same message again, with the data.
        if message.role not in ("user", "assistant"):
            continue
        content = message.content if message.finished else f"{message.content}\n{CUT_OFF}".strip()
        if content:
            shown.append(ModelMessage(message.role, content))
    return shown


def _only_asked_for_data(message: Message) -> bool:
    return message.role == "assistant" and message.metadata.get("status") == "needs_data"
