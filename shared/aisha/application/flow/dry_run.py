"""A write tried out on records that nobody else sees: what it would do, and whether it can be done, before it is asked about."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec.structs import replace
from pydantic import ValidationError
from ulid import ULID

from aisha.application.flow.steps import REFERENCE
from aisha.application.tooling.context import ToolContext, ToolPorts, make_context
from aisha.application.tooling.receipts import KIND as RECEIPT
from aisha.application.turn.state import TurnInput
from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError
from aisha.domain.ports import Clock, EntryRepository, RecordRepository
from aisha.domain.queries import Change, CountRow, Create, Delete, Period, RecordPage, RecordQuery, Update, Written
from aisha.domain.records import Record
from aisha.domain.tools import FOREIGN, ToolCall, ToolSpec

_KEPT = frozenset(("records", "entries", "clock", "sensitive", "masks_contacts", "profiles"))


class NotRehearsedError(Exception):
    """The tool reaches for something whose effect could not be taken back."""


class RehearsedRecords:
    """A `RecordRepository` that reads the real one and keeps what is written to itself. Searches see the real one alone."""

    def __init__(self, real: RecordRepository, clock: Clock) -> None:
        self._real, self._clock = real, clock
        self._written: dict[str, Record | None] = {}
        self.created: set[str] = set()

    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        found = self.get_many(tenant, [(entity_type, record_id)]).get(record_id)
        if found is None and record_id in self._written:
            raise _missing(entity_type, record_id)
        return found if found is not None else self._real.get(tenant, entity_type, record_id)

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        asked = [pair for pair in ids if pair[1] not in self._written]
        found = dict(self._real.get_many(tenant, asked)) if asked else {}
        own = {one: record for kind, one in ids if (record := self._written.get(one)) and kind == record.TYPE}
        return found | own

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        return self._real.search(tenant, query)

    def counts(self, tenant: str, entity_type: str, period: Period | None = None) -> list[CountRow]:
        return self._real.counts(tenant, entity_type, period)

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:  # noqa: ARG002
        written = [self._one(tenant, change) for change in changes]
        for one in written:
            self._written[one.record.id] = one.after
            if one.action == "created":
                self.created.add(one.record.id)
        return written

    def _one(self, tenant: str, change: Change) -> Written:
        now = self._clock.now()
        if isinstance(change, Create):
            record_id = change.record.id or f"{change.record.TYPE}_{ULID()}"
            made = {"id": record_id, "tenant_id": tenant, "version": 1, "created_at": now, "updated_at": now}
            return Written("created", None, change.record.model_copy(update=made))
        kind = change.entity_type
        before = self.get_many(tenant, [(kind, change.record_id)]).get(change.record_id)
        if before is None:
            raise _missing(kind, change.record_id)
        if change.expected_version not in (None, before.version):
            raise ConflictError(f"{before.display_name} was changed in the meantime")
        if isinstance(change, Delete):
            return Written("deleted", before, None)
        return Written("updated", before, _changed(before, change))


def _missing(kind: str, record_id: str) -> NotFoundError:
    return NotFoundError(f"There is no such {kind}", entity_type=kind, entity_id=record_id)


def _changed(before: Record, change: Update) -> Record:
    known = before.model_dump(exclude={"entity_type", "display_name"}) | {"version": before.version + 1}
    try:
        return type(before).model_validate(known | change.changes)
    except ValidationError as error:
        raise InvalidInputError(error.errors(include_url=False)[0]["msg"]) from None


class _Closed:
    """Stands for a port whose effects could not be taken back."""

    def __getattr__(self, name: str) -> Any:
        raise NotRehearsedError(name)


class _ReadEntries:
    """Entries that can be read, not written. Receipts are not kept: nothing is done that could be undone."""

    def __init__(self, real: Any, clock: Clock) -> None:
        self.find, self.page = real.find, real.page
        self._clock = clock

    def put(self, _tenant: str, _owner: str | None, kind: str, entry_id: str, body: Any, **_: Any) -> Entry:
        if kind != RECEIPT:
            raise NotRehearsedError(kind)
        return Entry(kind, entry_id, dict(body), self._clock.now(), self._clock.now(), 1, None)

    def __getattr__(self, name: str) -> Any:
        raise NotRehearsedError(name)


class Rehearsal:
    """The writes of one plan, tried out in their order."""

    def __init__(self, turn_input: TurnInput) -> None:
        ports = turn_input.deps.ports
        self._turn_input = turn_input
        self._records = RehearsedRecords(ports.records, ports.clock)
        closed: dict[str, Any] = {
            name: _Closed()
            for name in ports.__struct_fields__
            if name not in _KEPT and not isinstance(getattr(ports, name), int | float | str | None)
        }
        self._ports: ToolPorts = replace(ports, **closed)
        self._ports = replace(
            self._ports,
            audit=None,
            records=self._records,
            entries=cast(EntryRepository, _ReadEntries(ports.entries, ports.clock)),
        )
        self._origins: dict[str, dict[str, Any]] = {}

    def context(self) -> ToolContext:
        """For making calls: nothing done with it stays."""
        turn_input = self._turn_input
        return make_context(turn_input.principal, self._ports, f"rehearsal.{ULID()}", turn_input.now)

    def run(self, step_id: int, call: ToolCall, spec: ToolSpec) -> bool:
        """Tries the call out; False for one that can't be tried, about whose result nothing is known."""
        if spec.access == "external" or spec.toolkit in FOREIGN:
            return False
        result = call.execute()
        if isinstance(result.exception, NotRehearsedError):
            return False
        if result.ok:
            for path, value in _texts(result.value, ()):
                if value in self._records.created:
                    self._origins.setdefault(value, {REFERENCE: step_id, "path": ".".join(path)})
        return True

    def with_references(self, arguments: Any) -> Any:
        """The arguments with references instead of the ids that the rehearsal made up."""
        if isinstance(arguments, Mapping):
            return {name: self.with_references(value) for name, value in arguments.items()}
        if isinstance(arguments, list):
            return [self.with_references(value) for value in arguments]
        return self._origins.get(arguments, arguments) if isinstance(arguments, str) else arguments


def _texts(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, member in value.items():
            yield from _texts(member, (*path, str(name)))
    elif isinstance(value, list):
        for place, member in enumerate(value):
            yield from _texts(member, (*path, str(place)))
