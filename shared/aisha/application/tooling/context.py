"""What a tool is given besides its arguments. Never part of a schema, never a model's to choose."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count

from aisha.domain.ports import Clock, MailSender, RecordRepository
from aisha.domain.principal import Principal
from aisha.domain.queries import Change, CountRow, Period, RecordPage, RecordQuery, Written
from aisha.domain.records import Record


class TenantRecords:
    """The record store, bound to one tenant and one operation: a tool has no way to name another tenant."""

    __slots__ = ("_operation_id", "_repository", "_steps", "_tenant")

    def __init__(self, repository: RecordRepository, tenant: str, operation_id: str | None) -> None:
        self._repository = repository
        self._tenant = tenant
        self._operation_id = operation_id
        self._steps = count(1)

    def get(self, entity_type: str, record_id: str) -> Record:
        """Raises `NotFoundError`."""
        return self._repository.get(self._tenant, entity_type, record_id)

    def get_many(self, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """By id, for `(entity_type, id)` pairs; what does not exist is left out."""
        return self._repository.get_many(self._tenant, ids)

    def search(self, query: RecordQuery) -> RecordPage:
        """One page of at most 50."""
        return self._repository.search(self._tenant, query)

    def counts(self, entity_type: str, period: Period | None = None) -> list[CountRow]:
        """Exact counts and sums, without listing."""
        return self._repository.counts(self._tenant, entity_type, period)

    def write(self, *changes: Change) -> list[Written]:
        """All or none of at most 10 changes. The same step of the same call, tried again, changes nothing twice."""
        step = f"{self._operation_id}.{next(self._steps)}" if self._operation_id else None
        return self._repository.write(self._tenant, changes, step)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The caller's context. `now` is the turn's instant in the user's zone, the same for every call of a turn.

    `mail` is None where this deployment sends no email.
    """

    principal: Principal
    clock: Clock
    now: datetime
    records: TenantRecords
    operation_id: str
    logs: list[str] = field(default_factory=list)
    mail: MailSender | None = None

    def log(self, text: str) -> None:
        """Adds a line to the call's result, for whoever looks into what a tool did."""
        self.logs.append(text)


def make_context(
    principal: Principal,
    clock: Clock,
    records: RecordRepository,
    operation_id: str,
    now: datetime | None = None,
    mail: MailSender | None = None,
) -> ToolContext:
    """A context for one call. `operation_id` names the write for ever: the same one again writes nothing twice."""
    instant = (now or clock.now()).astimezone(principal.tzinfo)
    bound = TenantRecords(records, principal.tenant, operation_id)
    return ToolContext(principal, clock, instant, bound, operation_id, mail=mail)
