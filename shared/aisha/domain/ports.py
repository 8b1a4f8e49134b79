"""What the application needs of the world. Adapters are named by technology and role, e.g. `DynamoDBRecordRepository`."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Protocol

from aisha.domain.conversation import Conversation, Message, Session
from aisha.domain.mail import MailMessage
from aisha.domain.models import ModelEvent, ModelRequest
from aisha.domain.queries import Change, CountRow, Period, RecordPage, RecordQuery, Written
from aisha.domain.records import Record


class Clock(Protocol):
    def now(self) -> datetime:
        """The instant, aware, in UTC."""
        ...


class SecretStore(Protocol):
    """Keys and tokens of other systems, by name."""

    def get(self, name: str) -> str:
        """The value. Raises `NotFoundError`, and `UnavailableError` when the store does not answer."""
        ...


class MailSender(Protocol):
    """Sends email from the address that this deployment is set up with."""

    def send(self, message: MailMessage) -> str:
        """The id under which it was taken on. Raises `InvalidInputError` when it is refused, `UnavailableError` else.

        The same `message.id` again is the same message: it is sent once where the technology can tell.
        """
        ...


class ChatModel(Protocol):
    """A language model, or a chain of them, or the offline planner."""

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Text as it comes, then exactly one `ModelFinished`. Raises `ModelUnavailableError`, `DeadlineExceededError`."""
        ...


class RecordRepository(Protocol):
    """The CRM. `tenant` leads every call; a record of another tenant does not exist."""

    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        """Raises `NotFoundError`, also for an id of another type or tenant."""
        ...

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Records by id for `(entity_type, id)` pairs, at most 100; what does not exist is left out."""
        ...

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        """One page. Cost depends on the page, not on how many records the tenant has."""
        ...

    def counts(self, tenant: str, entity_type: str, period: Period | None = None) -> list[CountRow]:
        """Exact counts and sums by owner, status (or stage, or health) and currency."""
        ...

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        """All of `changes` (at most 10) or none. Ids are given here, `created_at`, `updated_at` and `version` too.

        The same `operation_id` again changes nothing and returns what the first did. Raises `NotFoundError`,
        `ConflictError`, `InvalidInputError`.
        """
        ...


class ConversationRepository(Protocol):
    """Conversations of one user in one tenant; nobody else's exist."""

    def load(self, tenant: str, user: str, conversation_id: str, last: int) -> Session:
        """The head and the last messages in one read. Raises `NotFoundError`."""
        ...

    def begin(self, session: Session, message: Message) -> Session:
        """Stores the user's message and an unfinished answer after it before any model is asked.

        Gives the message and its answer the next two sequence numbers, however many turns run at once, and returns the
        session with the head as it then is. A conversation with version 0 is created.
        """
        ...

    def finish(self, before: Session, after: Conversation, answer: Message) -> Conversation:
        """Stores the answer and what the turn did to the head, in one transaction under the head's version.

        When another turn saved meanwhile, the head is read again and both turns' changes are kept: this turn's entities
        in front, its pending confirmation and title if it set one.
        """
        ...

    def take_pending(self, conversation: Conversation, confirmation_id: str) -> bool:
        """Removes the pending confirmation; True for exactly one caller."""
        ...

    def recent(self, tenant: str, user: str, limit: int, cursor: str | None) -> tuple[list[Conversation], str | None]:
        """Newest first."""
        ...

    def messages(
        self, tenant: str, user: str, conversation_id: str, limit: int, cursor: str | None
    ) -> tuple[list[Message], str | None]:
        """Oldest first. Raises `NotFoundError`."""
        ...

    def delete(self, tenant: str, user: str, conversation_id: str) -> None:
        """Removes the conversation and its messages. Raises `NotFoundError`."""
        ...
