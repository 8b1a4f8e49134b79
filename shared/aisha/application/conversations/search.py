"""Search in the user's own conversations, by the words of titles and the names of their records."""

from collections.abc import Sequence

from aisha.domain.conversations.conversation import Conversation
from aisha.domain.ports import ConversationRepository
from aisha.domain.search.cursors import read_position, write_position

MAX_READ = 500
"""Newest conversations that one request searches: a page with a rare word may be short and still have a cursor."""
_PAGE_SIZE = 50


def search_conversations(
    conversations: ConversationRepository, tenant: str, user: str, words: str, limit: int, cursor: str | None = None
) -> tuple[list[Conversation], str | None]:
    """Return a page of the conversations that have all words, the newest first, and its cursor.

    Raises `InvalidInputError` for a foreign cursor.
    """
    search_words = words.casefold().split()
    inner, skipped = _read_cursor(cursor)
    matching: list[Conversation] = []
    # Titles have no index: a few pages of heads are read and compared.
    for _ in range(MAX_READ // _PAGE_SIZE):
        page, following = conversations.recent(tenant, user, _PAGE_SIZE, inner)
        for place, head in enumerate(page[skipped:], skipped + 1):
            if _has(head, search_words):
                matching.append(head)
            if len(matching) == limit:
                is_last = place == len(page) and following is None
                return matching, None if is_last else write_position(inner or "", place)
        if following is None:
            return matching, None
        inner, skipped = following, 0
    return matching, write_position(inner or "", 0)


def _read_cursor(cursor: str | None) -> tuple[str | None, int]:
    """Return the repository's cursor, and how many conversations of its page were searched."""
    if cursor is None:
        return None, 0
    inner, place = read_position(cursor, str, int)
    return inner or None, place


def _has(head: Conversation, words: Sequence[str]) -> bool:
    text = " ".join([head.title, *(entity.name for entity in head.entities)]).casefold()
    return all(word in text for word in words)
