"""Ports that store conversations, entries and the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from aisha.domain.audit import AuditEntry, AuditHead, AuditLink
    from aisha.domain.conversations.conversation import Conversation, Message, Session
    from aisha.domain.entries import Entry, EntryKey, EntryPage, EntryPut


class ConversationRepository(Protocol):
    """The conversations of users. Those of other users and tenants do not exist for a caller."""

    def load(self, tenant: str, user: str, conversation_id: str, last: int) -> Session:
        """Return the head and the last messages, by one read. Raises `NotFoundError`."""
        ...

    # Before the model: a turn that is cut off leaves its question, and its answer marked as unfinished.
    def begin(self, session: Session, message: Message) -> Session:
        """Store the user's message and an unfinished answer, before any model is asked.

        They get the next two sequence numbers, however many turns run at once. Returns the session with the new head. A
        conversation with version 0 is created.
        """
        ...

    def finish(
        self, before: Session, after: Conversation, answer: Message, replaced: Sequence[Message] = ()
    ) -> Conversation:
        """Store the answer and the turn's changes of the head, in one transaction under the head's version.

        The same transaction removes the `replaced` messages, whose place the turn takes. When another turn saved
        meanwhile, the head is read again and both turns' changes are merged: this turn's entities in front, its
        pending confirmation and title if it set one.
        """
        ...

    # The only place where a confirmation is used up: two clicks on "yes" run one call.
    def take_pending(self, conversation: Conversation, confirmation_id: str, taker: str = "") -> bool:
        """Remove the pending confirmation and return True to exactly one caller, and to the same `taker` again."""
        ...

    def recent(self, tenant: str, user: str, limit: int, cursor: str | None) -> tuple[list[Conversation], str | None]:
        """Return one page of heads, newest first, and its cursor."""
        ...

    def messages(
        self, tenant: str, user: str, conversation_id: str, limit: int, cursor: str | None
    ) -> tuple[list[Message], str | None]:
        """Return one page of messages, oldest first, and its cursor. Raises `NotFoundError`."""
        ...

    def rename(self, tenant: str, user: str, conversation_id: str, title: str) -> Conversation:
        """Store another title, whatever turns run at once, and return the head. Raises `NotFoundError`."""
        ...

    def delete(self, tenant: str, user: str, conversation_id: str) -> None:
        """Delete the conversation and its messages. Raises `NotFoundError`."""
        ...


class EntryRepository(Protocol):
    """Documents of users and tenants besides records. `owner` is a user, or None for those of the whole tenant."""

    def find(self, tenant: str, owner: str | None, kind: str, entry_id: str) -> Entry | None:
        """Return the entry, or None when there is none or it has expired."""
        ...

    def page(
        self,
        tenant: str,
        owner: str | None,
        kind: str,
        *,
        limit: int = 50,
        cursor: str | None = None,
        oldest_first: bool = False,
    ) -> EntryPage:
        """Return one page, the highest ids first. Raises `InvalidInputError` for the limit or cursor."""
        ...

    def put(
        self,
        tenant: str,
        owner: str | None,
        kind: str,
        entry_id: str,
        body: Mapping[str, Any],
        *,
        expected_version: int | None = None,
        expires_at: datetime | None = None,
    ) -> Entry:
        """Save the whole body and return the entry.

        Raises `ConflictError` when another version than `expected_version` is stored, 0: when there is an entry;
        `PayloadTooLargeError` for more than 380 KB.
        """
        ...

    def find_many(self, tenant: str, keys: Sequence[EntryKey]) -> dict[EntryKey, Entry]:
        """Return at most 100 entries by key; those that do not exist or have expired are left out."""
        ...

    def put_many(self, tenant: str, puts: Sequence[EntryPut]) -> None:
        """Save at most 100 entries with different keys, all or none. Raises the errors of `put`."""
        ...

    def delete(
        self, tenant: str, owner: str | None, kind: str, entry_id: str, *, expected: Mapping[str, Any] | None = None
    ) -> bool:
        """Delete the entry and return True to exactly one caller, False when there is none with the `expected` body."""
        ...


class AuditLog(Protocol):
    """The append-only log of tool calls.

    A tenant's entries are a chain: each has the hash of the one before. Every method raises `UnavailableError`.
    """

    def append(self, tenant: str, entries: Sequence[AuditEntry]) -> list[AuditEntry]:
        """Append all entries (1 to 25) or none, in their order, and return them with their sequence numbers.

        Concurrent calls get different places; a retry after a lost response adds nothing twice.
        """
        ...

    def page(self, tenant: str, limit: int, before: int | None = None) -> list[AuditEntry]:
        """Return at most `limit` entries before the sequence number `before`, the last first."""
        ...

    # Links and not entries: a check must see what is stored, also where it can't be read.
    def links(self, tenant: str, after: int = 0) -> Iterator[AuditLink]:
        """Yield the stored links after the sequence number `after`, in order."""
        ...

    def head(self, tenant: str) -> AuditHead:
        """Return the end of the chain."""
        ...
