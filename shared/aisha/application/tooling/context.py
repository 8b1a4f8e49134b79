"""The context of a tool call, apart from its arguments: never part of a schema, never chosen by a model."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from aisha.application.audit.trail import Audit, AuditTrail, CallAudit
from aisha.application.tooling.tenant_stores import OwnedEntries, ReadVersions, TenantRecords
from aisha.domain.crm.custom_fields import CustomFields
from aisha.domain.crm.team_values import TeamValues
from aisha.domain.entries import PROFILE
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

if TYPE_CHECKING:
    from aisha.application.tooling.registry import ToolRegistry


def _nothing() -> None:
    return None


def _never(tenant: str) -> bool:  # noqa: ARG001 - the signature of `masks_contacts`
    return False


def _no_values(tenant: str) -> TeamValues:  # noqa: ARG001 - the signature of `team_values`
    return {}


def _no_fields(tenant: str) -> CustomFields:  # noqa: ARG001 - the signature of `custom_fields`
    return {}


class ToolPorts(Struct, frozen=True):
    """The ports that tools use. A port that this deployment has not set up is None, or its function returns None."""

    records: RecordRepository
    entries: EntryRepository
    clock: Clock
    mail: MailSender | None = None
    scan_records: int = 2000
    """The maximum number of records that one run of a scan reads."""
    issues: IssueTracker | None = None
    memory: Callable[[], MemoryStore | None] = _nothing
    """The function that creates the store at its first call, as for the next three."""
    embedder: Callable[[], Embedder | None] = _nothing
    model: Callable[[], ChatModel | None] = _nothing
    queue: Callable[[], WorkQueue | None] = _nothing
    audit: Audit | None = None
    """Records the calls."""
    sensitive: frozenset[str] = frozenset()
    """Names of fields, beyond the usual ones, that are hidden from models and logs."""
    masks_contacts: Callable[[str], bool] = _never
    """Returns whether a tenant's models get no email addresses and phone numbers."""
    mood_webhook: MoodWebhook | None = None
    """Gets the sentiment of users' messages."""
    profiles: Callable[[str], Mapping[str, Any]] | None = None
    """Returns the body of a tenant's profile from a cache; without it, each is read from `entries`."""
    team_values: Callable[[str], TeamValues] = _no_values
    """Returns the values that a tenant's CRM has under names of its own."""
    custom_fields: Callable[[str], CustomFields] = _no_fields
    """Returns the tenant's own fields."""

    def profile(self, tenant: str) -> Mapping[str, Any]:
        """Return the body of the tenant's profile entry, empty without one."""
        if self.profiles is not None:
            return self.profiles(tenant)
        entry = self.entries.find(tenant, None, PROFILE, PROFILE)
        return entry.body if entry else {}


class SectionRequest(Struct, frozen=True):
    """A data section that a model requests, with its reason."""

    section_id: str
    reason: str | None = None


Attach = Callable[[Sequence[SectionRequest], Sequence[str], Sequence[str]], dict[str, Any]]
"""Attach data sections, articles and tools, by id, to the turn and return the outcome for each."""


class ToolContext(Struct, frozen=True):
    """The context of a call. `now` is the time of the turn in the user's zone, the same for all its calls.

    `own` are the user's entries, `shared` the tenant's. `attach` is None outside of a turn. `audit` records the calls
    with this context, None for one that only reads data. `registry` has all tools, for a call that runs another one.
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
    registry: "ToolRegistry | None" = None
    logs: list[str] = field(default_factory=list)

    @property
    def clock(self) -> Clock:
        return self.ports.clock

    @property
    def mail(self) -> MailSender | None:
        return self.ports.mail

    @property
    def team_values(self) -> TeamValues:
        """The values that the tenant's CRM has under names of its own."""
        return self.ports.team_values(self.principal.tenant)

    @property
    def custom_fields(self) -> CustomFields:
        """The fields of records that the tenant has of its own."""
        return self.ports.custom_fields(self.principal.tenant)

    def log(self, text: str) -> None:
        """Add a line to the log in the call's result."""
        self.logs.append(text)


def make_context(
    principal: Principal,
    ports: ToolPorts,
    operation_id: str,
    now: datetime | None = None,
    attach: Attach | None = None,
    audit: CallAudit | None = None,
    *,
    is_repeated: bool = False,
    versions: Mapping[str, int] | None = None,
    read: ReadVersions | None = None,
) -> ToolContext:
    """Return the context of one call. A repeated call with the same `operation_id` writes nothing again.

    Without `audit`, which a turn has for all its calls, the call gets an audit of its own. `is_repeated`: an earlier
    attempt of the operation may have written already. `versions` are the versions of records that may be written; into
    `read` go those that are read.
    """
    tenant = principal.tenant
    if audit is None and ports.audit is not None:
        trail = AuditTrail(ports.audit, principal, ports.clock)
        audit = trail.for_operation(operation_id, is_repeated=is_repeated)
    return ToolContext(
        principal=principal,
        now=(now or ports.clock.now()).astimezone(principal.tzinfo),
        records=TenantRecords(
            ports.records, tenant, operation_id, is_repeated=is_repeated, versions=versions, read=read
        ),
        own=OwnedEntries(ports.entries, tenant, principal.user, operation_id, is_repeated=is_repeated),
        shared=OwnedEntries(ports.entries, tenant, None, operation_id, is_repeated=is_repeated),
        operation_id=operation_id,
        ports=ports,
        attach=attach,
        audit=audit,
    )
