"""What the application needs of the world. Adapters are named by technology and role, e.g. `DynamoDBRecordRepository`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from aisha.domain.audit import AuditEntry, AuditHead, AuditLink
    from aisha.domain.conversation import Conversation, Message, Session
    from aisha.domain.entries import Entry, EntryPage
    from aisha.domain.events import MoodChanged
    from aisha.domain.issues import CloseReason, Issue, IssueComment, IssuePage, IssueState
    from aisha.domain.limits import RateCount, RateLimits
    from aisha.domain.mail import MailMessage
    from aisha.domain.memory import MemoryChunk, MemoryHit, MemoryQuery
    from aisha.domain.models import ModelEvent, ModelRequest
    from aisha.domain.queries import Change, CountRow, Period, RecordPage, RecordQuery, Written
    from aisha.domain.records import Record
    from aisha.domain.voice import ClientSecret, VoiceSession


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


class WebhookSender(Protocol):
    """Sends signed messages to addresses that users gave."""

    def send(self, url: str, secret: str, message_id: str, body: bytes, at: datetime) -> None:
        """Sends the JSON `body`, signed with the receiver's `secret`; the same `message_id` again is the same message.

        Raises `PermissionDeniedError` for an address that is off limits, `InvalidInputError` when it is refused,
        `UnavailableError` or `DeadlineExceededError` when another try may help.
        """
        ...


class MoodWebhook(Protocol):
    """Sends the users' moods to one address of the deployment's, such as that of a light or a display."""

    def push(self, mood: MoodChanged, tenant: str, user: str, message_id: str, at: datetime) -> None:
        """Send whose mood it is and how it is shown, nothing of what was said. Raises as `WebhookSender.send`."""
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

        The same `operation_id` again, also without `changes`, does nothing and returns what the first did. Raises `NotFoundError`,
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

    def take_pending(self, conversation: Conversation, confirmation_id: str, taker: str = "") -> bool:
        """Removes the pending confirmation; True for exactly one caller, and again for the `taker` that took it last."""
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

        A chunk takes the place of what is stored under its id with other content; it is left out if that is no older.
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

    def delete_before(self, instant: datetime) -> int:
        """Forgets of every tenant what is older; returns how many chunks that were. `instant` has a time zone."""
        ...


class IssueTracker(Protocol):
    """The issues of the one project that this deployment is set up with.

    Every method raises `UnavailableError` when the tracker does not answer or its key is refused, `NotFoundError` for an
    issue or a project that is not there, `InvalidInputError` for what it does not take.
    """

    def create(self, title: str, body: str, labels: Sequence[str] = ()) -> Issue:
        """A new, open issue."""
        ...

    def get(self, number: int) -> Issue: ...

    def comment(self, number: int, body: str) -> IssueComment:
        """A new comment."""
        ...

    def close(self, number: int, reason: CloseReason = "completed") -> Issue:
        """The issue, closed. Closing a closed one changes nothing."""
        ...

    def issues(self, state: IssueState, labels: Sequence[str], page: int, limit: int) -> IssuePage[Issue]:
        """One page of at most `limit`, the latest created first; `page` counts from 1. A page may hold fewer."""
        ...

    def comments(self, number: int, page: int, limit: int) -> IssuePage[IssueComment]:
        """One page, the oldest first."""
        ...


class SpeechSynthesizer(Protocol):
    """Says a text aloud."""

    @property
    def name(self) -> str:
        """Of model, voice and settings: the same text under the same name sounds the same."""
        ...

    def speak(self, text: str, voice: str | None = None) -> Iterator[bytes]:
        """The audio (MP3) in pieces as it is made; `voice` is another than the usual one, by its id.

        Raises, before the first piece, `InvalidInputError` for a voice that is not there, `SpeechUnavailableError` when
        the key or its credit does not do, `UnavailableError`, `DeadlineExceededError`, `PayloadTooLargeError`.
        """
        ...


class VoiceSessions(Protocol):
    """Lets a client talk with a realtime model for a while, without a key of its own."""

    @property
    def model(self) -> str:
        """The model that answers."""
        ...

    def mint(self, session: VoiceSession) -> ClientSecret:
        """A secret that opens such a session until it expires.

        Raises `UnavailableError` when the provider does not answer or refuses the key, `DeadlineExceededError`.
        """
        ...


class RateLimiter(Protocol):
    """Counts requests by the clock's minutes and hours."""

    def take(self, tenant: str, user: str, limits: RateLimits, now: datetime) -> RateCount:
        """Counts one request in the user's minute and the tenant's hour, or, where one is used up, in neither.

        However many come at once, no window lets more in than its limit. Raises `UnavailableError`.
        """
        ...


class SpendingLedger(Protocol):
    """What a tenant spent in a month, e.g. `2026-03`, in billionths of a US dollar. All raise `UnavailableError`."""

    def reserve(self, tenant: str, month: str, amount: int, most: int) -> bool:
        """Adds `amount` if no more than `most` is spent with it. However many do so at once, never more."""
        ...

    def adjust(self, tenant: str, month: str, difference: int) -> None:
        """Adds the difference between what was reserved and what it cost."""
        ...

    def spent(self, tenant: str, month: str) -> int:
        """With what is reserved."""
        ...


class AuditLog(Protocol):
    """What was done with tools. Entries are added and read; nothing changes or removes one.

    A tenant's entries are a chain: each is sealed with the hash of the one before. Every method raises
    `UnavailableError` when the log does not answer.
    """

    def append(self, tenant: str, entries: Sequence[AuditEntry]) -> list[AuditEntry]:
        """Adds all (1 to 25) or none at the end of the chain, in their order, and returns them with their places.

        Whoever else appends meanwhile, each gets a place of its own; an answer that was lost adds nothing twice.
        """
        ...

    def page(self, tenant: str, limit: int, before: int | None = None) -> list[AuditEntry]:
        """At most `limit` entries, the last first, those before the sequence number `before`."""
        ...

    def links(self, tenant: str, after: int = 0) -> Iterator[AuditLink]:
        """The chain as it is stored, from its beginning, those after the sequence number `after`."""
        ...

    def head(self, tenant: str) -> AuditHead:
        """Where the chain ends."""
        ...


class WorkQueue(Protocol):
    """Work for later: done at least once, in any order, by whatever takes the messages of the queue."""

    def send(self, queue: str, message: Mapping[str, Any]) -> None:
        """Puts the JSON message into the queue of that name and returns at once.

        Raises `UnavailableError` when it is not taken on, `NotFoundError` for a queue that is not set up,
        `PayloadTooLargeError` for more than 256 KiB.
        """
        ...
