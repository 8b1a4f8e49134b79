"""What a tool is given besides its arguments. Never part of a schema, never a model's to choose."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any

from msgspec import Struct, field
from ulid import ULID

from aisha.application.audit.trail import Audit, AuditTrail, CallAudit
from aisha.application.idempotency.operation_ids import SUFFIX_CHARACTERS, operation_ulid
from aisha.domain.entries import PROFILE, Entry, EntryPage
from aisha.domain.errors import NotFoundError
from aisha.domain.ports import (
    ChatModel,
    Clock,
    Embedder,
    EntryRepository,
    IssueTracker,
    MailSender,
    MemoryStore,
    MoodWebhook,
    RecordRepository,
    WorkQueue,
)
from aisha.domain.principal import Principal
from aisha.domain.queries import Change, CountRow, Period, RecordPage, RecordQuery, Written
from aisha.domain.records import Record


class TenantRecords:
    """The record store, bound to one tenant and one operation: a tool has no way to name another tenant.

    With `is_repeated` another try of the operation may have written already. Then records that it wrote are looked up by
    id as they were before: a tool that looks before it writes does the same again, and the write is found done.
    """

    __slots__ = ("_done", "_operation_id", "_repository", "_step", "_tenant")

    def __init__(
        self, repository: RecordRepository, tenant: str, operation_id: str | None, *, is_repeated: bool = False
    ) -> None:
        self._repository = repository
        self._tenant = tenant
        self._operation_id = operation_id
        self._step = 1
        self._done: Sequence[Written] | None = None if is_repeated else ()

    def get(self, entity_type: str, record_id: str) -> Record:
        """Raises `NotFoundError`."""
        for one in self.done():
            if one.before is not None and (one.before.TYPE, one.before.id) == (entity_type, record_id):
                return one.before
        return self._repository.get(self._tenant, entity_type, record_id)

    def get_many(self, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """By id, for `(entity_type, id)` pairs; what does not exist is left out."""
        before = {one.before.id: one.before for one in self.done() if one.before is not None}
        found = self._repository.get_many(self._tenant, ids)
        return found | {key: before[key] for kind, key in ids if key in before and kind == before[key].TYPE}

    def done(self) -> Sequence[Written]:
        """What another try of the operation wrote at the step that comes next; nothing, as a rule."""
        if self._done is None:
            self._done = self._repository.write(self._tenant, (), self._name())
        return self._done

    def search(self, query: RecordQuery) -> RecordPage:
        """One page of at most 50."""
        return self._repository.search(self._tenant, query)

    def counts(self, entity_type: str, period: Period | None = None) -> list[CountRow]:
        """Exact counts and sums, without listing."""
        return self._repository.counts(self._tenant, entity_type, period)

    def write(self, *changes: Change) -> list[Written]:
        """All or none of at most 10 changes. The same step of the same call, tried again, changes nothing twice."""
        name = self._name()
        written = self._repository.write(self._tenant, changes, name)
        self._step += 1
        self._done = None if self._done else ()
        return written

    def _name(self) -> str | None:
        return f"{self._operation_id}.{self._step}" if self._operation_id else None


class OwnedEntries:
    """The entries of one owner in one tenant: a tool has no way to name another."""

    __slots__ = ("_is_repeated", "_operation_id", "_owner", "_places", "_repository", "_tenant")

    def __init__(
        self,
        repository: EntryRepository,
        tenant: str,
        owner: str | None,
        operation_id: str | None = None,
        *,
        is_repeated: bool = False,
    ) -> None:
        self._repository = repository
        self._tenant = tenant
        self._owner = owner
        self._operation_id = operation_id
        self._is_repeated = is_repeated
        self._places = count(1)

    def get(self, kind: str, entry_id: str) -> Entry:
        """Raises `NotFoundError`."""
        entry = self.find(kind, entry_id)
        if entry is None:
            shown = kind.replace("_", " ")
            raise NotFoundError(f"There is no such {shown}.", entity_type=kind, entity_id=entry_id[:200])
        return entry

    def find(self, kind: str, entry_id: str) -> Entry | None:
        """The entry, or None."""
        return self._repository.find(self._tenant, self._owner, kind, entry_id)

    def page(self, kind: str, *, limit: int = 50, cursor: str | None = None, oldest_first: bool = False) -> EntryPage:
        """One page of at most 50, the highest ids first."""
        return self._repository.page(
            self._tenant, self._owner, kind, limit=limit, cursor=cursor, oldest_first=oldest_first
        )

    def add(self, kind: str, body: Mapping[str, Any], expires_at: datetime | None = None) -> Entry:
        """A new entry under a new id, `<kind>_<ULID>`, which sorts by time.

        Where another try of the operation made it, it is that one.
        """
        made = operation_ulid(self._operation_id, kind, next(self._places)) if self._operation_id else str(ULID())
        if self._is_repeated:
            newest = self.page(kind).items
            if (known := next((one for one in newest if one.id.endswith(made[-SUFFIX_CHARACTERS:])), None)) is not None:
                return known
        return self.put(kind, f"{kind}_{made}", body, expected_version=0, expires_at=expires_at)

    def put(
        self,
        kind: str,
        entry_id: str,
        body: Mapping[str, Any],
        *,
        expected_version: int | None = None,
        expires_at: datetime | None = None,
    ) -> Entry:
        """Saves the whole body. Raises `ConflictError` when another version than the expected one is stored."""
        return self._repository.put(
            self._tenant, self._owner, kind, entry_id, body,
            expected_version=expected_version, expires_at=expires_at,
        )  # fmt: skip

    def delete(self, kind: str, entry_id: str) -> bool:
        """Whether there was one."""
        return self._repository.delete(self._tenant, self._owner, kind, entry_id)


def _nothing() -> None:
    return None


def _never(tenant: str) -> bool:  # noqa: ARG001 - of no tenant
    return False


class ToolPorts(Struct, frozen=True):
    """What tools need of the world. `mail` is None where this deployment sends no email, `issues` where it files none.

    `memory`, `embedder` and `model` are made when they are first asked for; they give None where there is no memory, as `queue`
    does where nothing is done later. `scan_records` is how many records one run of a scan reads at most.
    `audit` is where calls are recorded, `sensitive` what names of fields, beyond the usual ones, no model and no log sees,
    `masks_contacts` whether a tenant's models see addresses and phone numbers masked. `mood_webhook` is told how users sound.
    `profiles` gives the bodies of tenants' profiles from a cache; without it each is read from `entries`.
    """

    records: RecordRepository
    entries: EntryRepository
    clock: Clock
    mail: MailSender | None = None
    scan_records: int = 2000
    issues: IssueTracker | None = None
    memory: Callable[[], MemoryStore | None] = _nothing
    embedder: Callable[[], Embedder | None] = _nothing
    model: Callable[[], ChatModel | None] = _nothing
    queue: Callable[[], WorkQueue | None] = _nothing
    audit: Audit | None = None
    sensitive: frozenset[str] = frozenset()
    masks_contacts: Callable[[str], bool] = _never
    mood_webhook: MoodWebhook | None = None
    profiles: Callable[[str], Mapping[str, Any]] | None = None

    def profile(self, tenant: str) -> Mapping[str, Any]:
        """Return the body of the tenant's profile entry; empty where it has none."""
        if self.profiles is not None:
            return self.profiles(tenant)
        entry = self.entries.find(tenant, None, PROFILE, PROFILE)
        return entry.body if entry else {}


class SectionRequest(Struct, frozen=True):
    """A data section that a model asked for, and what for."""

    section_id: str
    reason: str | None = None


Attach = Callable[[Sequence[SectionRequest], Sequence[str], Sequence[str]], dict[str, Any]]
"""Attaches data sections, articles and tools, by id, to the turn; gives what became of each."""


class ToolContext(Struct, frozen=True):
    """The caller's context. `now` is the turn's instant in the user's zone, the same for every call of a turn.

    `own` are the user's entries, `shared` the tenant's. `ports` has what is outside of tenants. `attach` is None where
    there is no turn to attach anything to. `audit` records the calls made with it; None for one that is only looked at.
    """

    principal: Principal
    now: datetime
    records: TenantRecords
    own: OwnedEntries
    shared: OwnedEntries
    operation_id: str
    ports: ToolPorts
    attach: Attach | None = None
    audit: CallAudit | None = None
    logs: list[str] = field(default_factory=list)

    @property
    def clock(self) -> Clock:
        return self.ports.clock

    @property
    def mail(self) -> MailSender | None:
        return self.ports.mail

    def log(self, text: str) -> None:
        """Adds a line to the call's result, for whoever looks into what a tool did."""
        self.logs.append(text)


def make_context(
    principal: Principal,
    ports: ToolPorts,
    operation_id: str,
    now: datetime | None = None,
    attach: Attach | None = None,
    audit: CallAudit | None = None,
    is_repeated: bool = False,
) -> ToolContext:
    """A context for one call. `operation_id` names the write for ever: the same one again writes nothing twice.

    Without `audit`, which a turn has for all its calls, the call is recorded by itself. `is_repeated`: another try of the
    operation may have written already.
    """
    tenant = principal.tenant
    if audit is None and ports.audit is not None:
        audit = AuditTrail(ports.audit, principal, ports.clock).of_operation(operation_id)
    return ToolContext(
        principal=principal,
        now=(now or ports.clock.now()).astimezone(principal.tzinfo),
        records=TenantRecords(ports.records, tenant, operation_id, is_repeated=is_repeated),
        own=OwnedEntries(ports.entries, tenant, principal.user, operation_id, is_repeated=is_repeated),
        shared=OwnedEntries(ports.entries, tenant, None, operation_id, is_repeated=is_repeated),
        operation_id=operation_id,
        ports=ports,
        attach=attach,
        audit=audit,
    )
