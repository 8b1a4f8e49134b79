"""The ports of the application. Adapters are named by technology and role, e.g. `DynamoDBRecordRepository`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from aisha.domain.audit import AuditEntry, AuditHead, AuditLink
    from aisha.domain.conversations.conversation import Conversation, Message, Session
    from aisha.domain.conversations.events import MoodChanged
    from aisha.domain.crm.connector import Outgoing, RemotePage, RemoteRecord, RemoteUser
    from aisha.domain.crm.custom_fields import CustomFields
    from aisha.domain.crm.queries import Change, CountRow, Period, RecordPage, RecordQuery, Written
    from aisha.domain.crm.records import Record
    from aisha.domain.crm.team_values import TeamValues
    from aisha.domain.entries import Entry, EntryKey, EntryPage, EntryPut
    from aisha.domain.external.issues import CloseReason, Issue, IssueComment, IssuePage, IssueState
    from aisha.domain.external.mail import MailMessage
    from aisha.domain.external.voice import ClientSecret, VoiceSession
    from aisha.domain.limits import RateCount, RateLimits
    from aisha.domain.memory import MemoryChunk, MemoryHit, MemoryQuery
    from aisha.domain.models import ModelEvent, ModelRequest


class Clock(Protocol):
    """The source of the current time."""

    def now(self) -> datetime:
        """Return the current instant, aware, in UTC."""
        ...


class SecretStore(Protocol):
    """Keys and tokens of other systems, by name."""

    def get(self, name: str) -> str:
        """Return the value, which may be some minutes old. Raises `NotFoundError`, `UnavailableError`."""
        ...


class WritableSecretStore(SecretStore, Protocol):
    """A `SecretStore` for systems that replace a token at its use."""

    def fresh(self, name: str) -> str:
        """Return the value as it is now. Raises `NotFoundError`, `UnavailableError`."""
        ...

    def put(self, name: str, value: str) -> None:
        """Replace the value of a secret that exists. Raises `NotFoundError`, `UnavailableError`."""
        ...


class MailSender(Protocol):
    """Sends email from the configured address of this deployment."""

    def send(self, message: MailMessage) -> str:
        """Send a message and return the service's id.

        Raises `InvalidInputError` when it is refused, `UnavailableError`.

        A message with the same `message.id` is sent once where the technology supports that.
        """
        ...


class WebhookSender(Protocol):
    """Sends signed messages to the users' URLs."""

    def send(self, url: str, secret: str, message_id: str, body: bytes, at: datetime) -> None:
        """Send the JSON `body`, signed with the receiver's `secret`; receivers deduplicate by `message_id`.

        Raises `PermissionDeniedError` for a forbidden address, `InvalidInputError` when it is refused,
        `UnavailableError` or `DeadlineExceededError` when another try may help.
        """
        ...


class MoodWebhook(Protocol):
    """Sends the users' moods to one address, e.g. of a light or a display; it is the same for all tenants."""

    def push(self, mood: MoodChanged, tenant: str, user: str, message_id: str, at: datetime) -> None:
        """Send the mood and its user, but no text of the conversation. Raises the errors of `WebhookSender.send`."""
        ...


class ChatModel(Protocol):
    """A language model, or a chain of them, or the offline planner."""

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Yield text, then exactly one `ModelFinished`. Raises `ModelUnavailableError`, `DeadlineExceededError`."""
        ...


class RecordRepository(Protocol):
    """The CRM. `tenant` leads every call; a record of another tenant does not exist."""

    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        """Return a record. Raises `NotFoundError`, also for an id of another type or tenant."""
        ...

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Return records by id for at most 100 `(entity_type, id)` pairs; those that do not exist are left out."""
        ...

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        """Return one page. Its cost depends on the page, not on the number of records of the tenant."""
        ...

    def counts(self, tenant: str, entity_type: str, period: Period | None = None) -> list[CountRow]:
        """Return exact counts and sums by owner, status (or stage, or health) and currency."""
        ...

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        """Apply all changes (at most 10) or none. The repository sets ids, `created_at`, `updated_at` and `version`.

        The same `operation_id` again, also without `changes`, does nothing and returns the first result. Raises
        `NotFoundError`, `ConflictError`, `InvalidInputError`.
        """
        ...


class CrmConnector(Protocol):
    """Another CRM, seen through one tenant's connection.

    Every method raises `UnavailableError` when the CRM does not answer, `RateLimitedError` when it limits our requests
    for longer than a turn can wait, `PermissionDeniedError` when it refuses the credentials, and `InvalidInputError`
    with the CRM's own message and the field for values that it refuses.
    """

    @property
    def title(self) -> str:
        """The CRM's name as people say it."""
        ...

    @property
    def resources(self) -> Mapping[str, str]:
        """The record type of each resource, by the resource's name."""
        ...

    def types_of(self, ref: str) -> Sequence[str]:
        """Return the record types that a ref can have: some CRMs keep leads and contacts in one object."""
        ...

    def object_of(self, outgoing: Outgoing) -> str:
        """Return the object that such a record is created in: its ref begins with it."""
        ...

    def check(self, outgoing: Outgoing, action: str, ref: str | None = None) -> frozenset[str]:
        """Return the changed fields that the CRM does not keep, which stay in AiSHA alone. `ref` is of a record there.

        Raises `InvalidInputError` for an action (`create`, `update`, `delete`) or value that it can't have.
        """
        ...

    def get(self, ref: str) -> RemoteRecord | None:
        """Return the record as it is now; None when it does not exist."""
        ...

    def page(self, resource: str, since: datetime | None = None, cursor: str | None = None) -> RemotePage:
        """Return one page of the records that changed since a time, or of all."""
        ...

    def create(self, outgoing: Outgoing) -> RemoteRecord:
        """Create a record and return it as stored. Raises `AnswerLostError`."""
        ...

    def find_created(self, outgoing: Outgoing, since: datetime) -> list[RemoteRecord]:
        """Return the records that a create since this time, whose answer was lost, may have made."""
        ...

    def repeats_safely(self, entity_type: str) -> bool:
        """Return whether a second create with the same key makes no second record."""
        ...

    def update(self, ref: str, outgoing: Outgoing) -> RemoteRecord:
        """Change a record and return it as stored. Raises `AnswerLostError`, `NotFoundError`, `ConflictError`."""
        ...

    def delete(self, ref: str) -> None:
        """Delete a record; one that does not exist is deleted already. Raises `AnswerLostError`."""
        ...

    def users(self) -> Sequence[RemoteUser] | None:
        """Return the CRM's users; None for a CRM whose records name their owners by e-mail address."""
        ...

    def team_values(self) -> TeamValues:
        """Return the values of its own that the CRM has, such as stages."""
        ...

    def custom_fields(self) -> CustomFields:
        """Return the fields that the CRM has beyond those of AiSHA."""
        ...


class ConversationRepository(Protocol):
    """The conversations of users. Those of other users and tenants do not exist for a caller."""

    def load(self, tenant: str, user: str, conversation_id: str, last: int) -> Session:
        """Return the head and the last messages, by one read. Raises `NotFoundError`."""
        ...

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

        The same transaction removes the `replaced` messages, whose place the turn takes.

        When another turn saved meanwhile, the head is read again and both turns' changes are merged: this turn's
        entities in front, its pending confirmation and title if it set one.
        """
        ...

    def take_pending(self, conversation: Conversation, confirmation_id: str, taker: str = "") -> bool:
        """Remove the pending confirmation. True for exactly one caller, and again for the `taker` that took it last."""
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

    def delete(self, tenant: str, owner: str | None, kind: str, entry_id: str) -> bool:
        """Delete the entry. True for exactly one caller, False when there is none."""
        ...


class Embedder(Protocol):
    """Embeds texts as vectors, near each other for similar meanings. Vectors of two embedders can't be compared."""

    @property
    def name(self) -> str:
        """The name of the model, which is stored with the vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Floats per vector."""
        ...

    @property
    def threshold(self) -> float:
        """The minimum cosine of similar texts; each model has its own."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length 1 for each text, in order. Raises `UnavailableError`."""
        ...


class MemoryStore(Protocol):
    """Memories that are searched by meaning. `tenant` leads every call; memories of another tenant do not exist."""

    def add(self, chunks: Sequence[MemoryChunk], vectors: Sequence[Sequence[float]]) -> int:
        """Store chunks whose content hash the tenant does not have yet, and return their number.

        A chunk replaces an older one with the same id. Raises `InvalidInputError` for vectors of a wrong shape,
        `UnavailableError` when some could not be stored: the same call again then stores the rest.
        """
        ...

    def search(self, tenant: str, vector: Sequence[float], query: MemoryQuery) -> list[MemoryHit]:
        """Return the chunks above the threshold, the best first: by similar meaning and by words of the query.

        Tenant and filters apply during the search of neighbours, so that a rare type still fills the limit.
        """
        ...

    def get(self, tenant: str, chunk_id: str) -> MemoryChunk:
        """Return a chunk. Raises `NotFoundError`."""
        ...

    def delete(self, tenant: str, chunk_id: str) -> None:
        """Delete a chunk. Raises `NotFoundError`."""
        ...

    def delete_record(self, tenant: str, entity_type: str, entity_id: str) -> int:
        """Delete the chunks on a record and return their number."""
        ...

    def delete_user(self, tenant: str, user: str) -> int:
        """Delete the chunks of a user and return their number."""
        ...

    def delete_tenant(self, tenant: str) -> int:
        """Delete the chunks of a tenant and return their number."""
        ...

    def delete_before(self, instant: datetime) -> int:
        """Delete older chunks of every tenant and return their number. `instant` has a time zone."""
        ...


class IssueTracker(Protocol):
    """The issues of this deployment's configured project.

    Every method raises `UnavailableError` when the tracker does not respond or refuses its key, `NotFoundError` for an
    issue or a project that does not exist, `InvalidInputError` for values that the tracker refuses.
    """

    def create(self, title: str, body: str, labels: Sequence[str] = ()) -> Issue:
        """Open an issue and return it."""
        ...

    def get(self, number: int) -> Issue:
        """Return an issue."""
        ...

    def comment(self, number: int, body: str) -> IssueComment:
        """Add a comment and return it."""
        ...

    def close(self, number: int, reason: CloseReason = "completed") -> Issue:
        """Close an issue and return it. Closing a closed one changes nothing."""
        ...

    def issues(self, state: IssueState, labels: Sequence[str], page: int, limit: int) -> IssuePage[Issue]:
        """Return one page of at most `limit` issues, newest first; `page` counts from 1. A page may have fewer."""
        ...

    def comments(self, number: int, page: int, limit: int) -> IssuePage[IssueComment]:
        """Return one page of comments, oldest first."""
        ...


class SpeechSynthesizer(Protocol):
    """Converts text to speech."""

    @property
    def name(self) -> str:
        """The name of model, voice and settings: the same text and name give the same audio."""
        ...

    def speak(self, text: str, voice: str | None = None) -> Iterator[bytes]:
        """Yield the audio (MP3) in pieces; `voice` is the id of another voice than the default.

        Raises, before the first piece, `InvalidInputError` for an unknown voice, `SpeechUnavailableError` when the
        provider refuses the key or its credit is used up, `UnavailableError`, `DeadlineExceededError`,
        `PayloadTooLargeError`.
        """
        ...


class VoiceSessions(Protocol):
    """Creates secrets with which a client can talk to a realtime model for a while."""

    @property
    def model(self) -> str:
        """The name of the realtime model."""
        ...

    def mint(self, session: VoiceSession) -> ClientSecret:
        """Return a secret that opens such a session until it expires.

        Raises `UnavailableError` when the provider does not respond or refuses the key, `DeadlineExceededError`.
        """
        ...


class RateLimiter(Protocol):
    """Counts requests in fixed windows of minutes and hours."""

    def take(self, tenant: str, user: str, limits: RateLimits, now: datetime) -> RateCount:
        """Count one request in the user's minute and the tenant's hour, or in neither when one is used up.

        Concurrent requests can't exceed a limit. Raises `UnavailableError`.
        """
        ...


class SpendingLedger(Protocol):
    """The spending of tenants by month, e.g. `2026-03`, in billionths of a US dollar. All raise `UnavailableError`."""

    def reserve(self, tenant: str, month: str, amount: int, most: int) -> bool:
        """Add `amount` and return True, unless more than `most` would be spent. Concurrent calls can't exceed it."""
        ...

    def adjust(self, tenant: str, month: str, difference: int) -> None:
        """Add the difference between the cost and its reservation."""
        ...

    def spent(self, tenant: str, month: str) -> int:
        """Return the spending, including reservations."""
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

    def links(self, tenant: str, after: int = 0) -> Iterator[AuditLink]:
        """Yield the stored links after the sequence number `after`, in order."""
        ...

    def head(self, tenant: str) -> AuditHead:
        """Return the end of the chain."""
        ...


class WorkQueue(Protocol):
    """Queues of asynchronous work. Each message is delivered at least once, in any order."""

    def send(self, queue: str, message: Mapping[str, Any]) -> None:
        """Add the JSON message to the queue of that name and return at once.

        Raises `UnavailableError` when that fails, `NotFoundError` for a queue that is not configured,
        `PayloadTooLargeError` for more than 256 KiB.
        """
        ...
