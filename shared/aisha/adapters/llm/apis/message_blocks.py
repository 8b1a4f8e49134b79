"""Conversations as alternating turns of content blocks, the form of Anthropic's and Amazon Bedrock's APIs."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from pydantic_core import from_json

from aisha.domain.models import ModelMessage

OPENING = "(The conversation so far.)"
"""The APIs require the user to speak first; a history that was cut may begin with the assistant."""

Block = dict[str, Any]
_ID_CHARACTERS = re.compile(r"[^a-zA-Z0-9_-]")


def alternating_turns(
    messages: Sequence[ModelMessage], blocks_of: Callable[[ModelMessage], list[Block]], opening: Block
) -> list[dict[str, Any]]:
    """Return the messages but the system's, user and assistant by turns; results of tools are the user's.

    A message without blocks is left out. `opening` is the user's block before a history that begins with the assistant.
    """
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        if message.role == "system" or not (blocks := blocks_of(message)):
            continue
        if not turns and role == "assistant":
            turns.append({"role": "user", "content": [opening]})
        # Merged, since the APIs want the results of all calls of one round together in the next message.
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
    return turns


def clean_text(text: str) -> str:
    """Return the text without halves of surrogate pairs, for which the APIs refuse the whole request."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def clean_id(call_id: str) -> str:
    """Return a call's id without characters that are refused; other providers' ids may have some."""
    return _ID_CHARACTERS.sub("_", call_id)


def arguments_object(arguments: str) -> dict[str, Any]:
    """Return the arguments as an object, which the APIs require; text that is no JSON object is marked as such."""
    try:
        value = from_json(arguments)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"INVALID_JSON": clean_text(arguments)}
