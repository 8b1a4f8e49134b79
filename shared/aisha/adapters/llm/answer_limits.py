"""Limits of an answer beside its text, checked while it is parsed."""

from typing import Any

MAX_CALLS = 64
"""Tool calls of one answer: four times as many as run by default."""
MAX_ARGUMENTS_LENGTH = 1_000_000
"""Characters of the arguments of all calls of one answer, and of a model's thoughts."""
MAX_TOKENS = 10_000_000
"""Tokens that one call is believed to have used: several times the longest context of any model."""
MAX_NAME_LENGTH = 1000
"""Characters of a model's name, and of a call's name or id."""
TOO_MANY_CALLS = f"it asked for more than {MAX_CALLS} calls at once"


class ExcessError(ValueError):
    """The answer goes beyond a limit. The message is a reason for the user."""


def count_calls(number: int) -> None:
    """Raise `ExcessError` when these are more calls than an answer may have."""
    if number > MAX_CALLS:
        raise ExcessError(TOO_MANY_CALLS)


def count_arguments(length: int) -> None:
    """Raise `ExcessError` when these are more characters than an answer's arguments may have."""
    if length > MAX_ARGUMENTS_LENGTH:
        raise ExcessError("its calls were too long")


def text_of(value: Any) -> str:
    """Return a text of an answer. Raises `TypeError` for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"a text was expected, not {type(value).__name__}")
    return value


def name_of(value: Any) -> str:
    """Return an id or a name of an answer. Raises `TypeError` for no text, `ExcessError` for one that is too long."""
    if len(text_of(value)) > MAX_NAME_LENGTH:
        raise ExcessError("its calls were too long")
    return str(value)


def tokens_of(value: Any) -> int:
    """Return a number of tokens, 0 for one that no call can have used: negative, no number, or above `MAX_TOKENS`."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 <= value <= MAX_TOKENS else 0
