"""What the application needs of the world. Adapters are named by technology and role, e.g. `DynamoDBRecordRepository`."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from aisha.domain.conversation import Conversation, Message, Session
from aisha.domain.entries import Entry, EntryPage
from aisha.domain.mail import MailMessage
from aisha.domain.memory import MemoryChunk, MemoryHit, MemoryQuery
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


class EntryRepository(Protocol):
    """What users and tenants have besides records. `owner` is a user, or None for what the tenant has as a whole."""

    def find(self, tenant: str, owner: str | None, kind: str, entry_id: str) -> Entry | None:
        """The entry, or None when there is none or it has expired."""
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
        """One page, the highest ids first. Raises `InvalidInputError` for a limit or cursor that does not fit."""
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
        """Saves the whole body and returns the entry.

        With `expected_version` only while that is the stored one, 0: while there is none; else `ConflictError`.
        Raises `PayloadTooLargeError` for what does not fit (400 KB).
        """
        ...

    def delete(self, tenant: str, owner: str | None, kind: str, entry_id: str) -> bool:
        """Whether there was one: True for exactly one caller."""
        ...


class Embedder(Protocol):
    """Texts as vectors, near each other where the meanings are. Vectors of two embedders can't be compared."""

    @property
    def name(self) -> str:
        """Of the model, as it is kept beside the vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Of each vector."""
        ...

    @property
    def threshold(self) -> float:
        """The cosine from which on two texts count as similar; each model has its own."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length 1 for each text, in order. Raises `UnavailableError`."""
        ...


class MemoryStore(Protocol):
    """What was done before, found by meaning. `tenant` leads every call; what another tenant remembers does not exist."""

    def add(self, chunks: Sequence[MemoryChunk], vectors: Sequence[Sequence[float]]) -> int:
        """Stores what the tenant has not yet, told by its content's hash, and returns how many that were.

        Raises `InvalidInputError` for vectors that don't fit, `UnavailableError` when some could not be stored: the same
        call again then stores the rest.
        """
        ...

    def search(self, tenant: str, vector: Sequence[float], query: MemoryQuery) -> list[MemoryHit]:
        """At least as near as the threshold, the best first: near in meaning and sharing words with the query's text.

        Tenant and filters hold while neighbours are looked for, so that a rare type still fills the limit.
        """
        ...

    def get(self, tenant: str, chunk_id: str) -> MemoryChunk:
        """Raises `NotFoundError`."""
        ...

    def delete(self, tenant: str, chunk_id: str) -> None:
        """Raises `NotFoundError`."""
        ...

    def delete_record(self, tenant: str, entity_type: str, entity_id: str) -> int:
        """Forgets what it knows about a record; returns how many chunks that were."""
        ...

    def delete_user(self, tenant: str, user: str) -> int:
        """Forgets what this user did; returns how many chunks that were."""
        ...

    def delete_tenant(self, tenant: str) -> int:
        """Forgets everything of the tenant; returns how many chunks that were."""
        ...
