"""Titles of conversations: the first question until the first answer gives a better one, or the user's own."""

from collections.abc import Sequence

from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.errors import InvalidInputError

MAX_TITLE_LENGTH = 60
MAX_OWN_TITLE_LENGTH = 120
_ELLIPSIS = "…"


def title_of(message: str) -> str:
    """Return the title of a conversation that begins with `message`: its words, as far as they fit."""
    return _shorten(" ".join(message.split()))


def better_title(message: str, about: Sequence[SessionEntity]) -> str:
    """Return the title after the first answer: with the name of the one record that it was about.

    The name is left out where the message names the record already, or where there are several.
    """
    text = " ".join(message.split())
    if len(about) != 1:
        return _shorten(text)
    name, folded = about[0].name, text.casefold()
    if name.casefold() in folded:
        return _shorten(text)
    return _shorten(f"{name}: {text}")


def checked_title(text: str) -> str:
    """Return a user's title on one line. Raises `InvalidInputError` for an empty or too long one."""
    title = " ".join(text.split())
    if not 1 <= len(title) <= MAX_OWN_TITLE_LENGTH:
        raise InvalidInputError(
            f"A title must have 1 to {MAX_OWN_TITLE_LENGTH} characters, not {len(title)}.", pointer="/title"
        )
    return title


def _shorten(text: str) -> str:
    if len(text) <= MAX_TITLE_LENGTH:
        return text
    whole_words = text[:MAX_TITLE_LENGTH].rpartition(" ")[0]
    # A text without spaces, as in Chinese, is cut anywhere.
    return (whole_words or text[: MAX_TITLE_LENGTH - 1]).rstrip(" ,.;:-") + _ELLIPSIS
