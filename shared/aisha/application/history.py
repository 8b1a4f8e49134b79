"""What a model is told of before: the last messages word for word."""

from collections.abc import Sequence

from aisha.domain.conversation import Message
from aisha.domain.models import ModelMessage

CUT_OFF = "(This answer was cut off before it was finished.)"


def as_prompt(messages: Sequence[Message]) -> list[ModelMessage]:
    """User's and assistant's messages, oldest first. An answer that was cut off says so."""
    shown = []
    for message in messages:
        if message.role not in ("user", "assistant"):
            continue
        content = message.content if message.finished else f"{message.content}\n{CUT_OFF}".strip()
        if content:
            shown.append(ModelMessage(message.role, content))
    return shown
