"""Dry runs of writes, on a private copy of the records: their effects and errors are known before the user is asked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec.structs import replace
from pydantic import ValidationError

from aisha.application.flow.steps import reference_to
from aisha.application.tooling.context import ToolContext, ToolPorts, make_context
from aisha.application.tooling.gate.receipts import KIND as RECEIPT
from aisha.application.turn.state import TurnInput
from aisha.domain.crm.queries import Change, Create, Delete, Update, Written
from aisha.domain.crm.records import Record
from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError
from aisha.domain.ids import new_ulid
from aisha.domain.json_values import with_texts
from aisha.domain.ports import Clock, EntryRepository, RecordRepository
from aisha.domain.tools import FOREIGN, ToolCall, ToolSpec

_OPEN_PORTS = frozenset(
    ("records", "entries", "clock", "sensitive", "masks_contacts", "profiles", "team_values", "custom_fields")
)
"""The ports that a tool may use in a dry run; `records` and `entries` are replaced."""


# Not an `AishaError`: a tool that handles those would go on as if the port had only failed.
class UnsupportedInDryRunError(Exception):
    """A tool has used a port whose effects could not be taken back."""


class DryRunRecords:
    """A `RecordRepository` that reads from the real one and holds writes in memory.

    Searches do not see these writes.
    """

    def __init__(self, real: RecordRepository, clock: Clock) -> None:
        self._real, self._clock = real, clock
        self.search = real.search
        self.counts = real.counts
        self._written: dict[str, Record | None] = {}
        self.created: set[str] = set()

    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        if record_id not in self._written:
            return self._real.get(tenant, entity_type, record_id)
        return self._require(tenant, entity_type, record_id)

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        unwritten = [(kind, record_id) for kind, record_id in ids if record_id not in self._written]
        real = self._real.get_many(tenant, unwritten) if unwritten else {}
        written = {
            record_id: record
            for kind, record_id in ids
            if (record := self._written.get(record_id)) is not None and kind == record.TYPE
        }
        return {**real, **written}

    def write(
        self,
        tenant: str,
        changes: Sequence[Change],
        operation_id: str | None = None,  # noqa: ARG002
    ) -> list[Written]:
        written = [self._written_by(tenant, change) for change in changes]
        for result in written:
            self._written[result.record.id] = result.after
            if result.action == "created":
                self.created.add(result.record.id)
        return written

    def _written_by(self, tenant: str, change: Change) -> Written:
        now = self._clock.now()
        if isinstance(change, Written):
            return change
        if isinstance(change, Create):
            record_id = change.record.id or f"{change.record.TYPE}_{new_ulid()}"
            fields = {"id": record_id, "tenant_id": tenant, "version": 1, "created_at": now, "updated_at": now}
            return Written("created", None, change.record.model_copy(update=fields))
        before = self._require(tenant, change.entity_type, change.record_id)
        if change.expected_version not in (None, before.version):
            raise ConflictError(f"{before.display_name} was changed in the meantime")
        if isinstance(change, Delete):
            return Written("deleted", before, None)
        return Written("updated", before, _updated(before, change))

    def _require(self, tenant: str, kind: str, record_id: str) -> Record:
        record = self.get_many(tenant, [(kind, record_id)]).get(record_id)
        if record is None:
            raise NotFoundError(f"There is no such {kind}", entity_type=kind, entity_id=record_id)
        return record


def _updated(before: Record, change: Update) -> Record:
    fields = before.model_dump(exclude={"entity_type", "display_name"}) | {"version": before.version + 1}
    try:
        return type(before).model_validate(fields | change.changes)
    except ValidationError as error:
        raise InvalidInputError(error.errors(include_url=False)[0]["msg"]) from None


class _ClosedPort:
    """A port that cannot be used in a dry run."""

    def __getattr__(self, name: str) -> Any:
        raise UnsupportedInDryRunError(name)


class _ReadOnlyEntries:
    """A read-only `EntryRepository` that ignores new receipts."""

    def __init__(self, real: Any, clock: Clock) -> None:
        self.find, self.page = real.find, real.page
        self._clock = clock

    def put(self, _tenant: str, _owner: str | None, kind: str, entry_id: str, body: Any, **_: Any) -> Entry:
        # Every write stores a receipt; without this exception no write could be tried.
        if kind != RECEIPT:
            raise UnsupportedInDryRunError(kind)
        return Entry(kind, entry_id, dict(body), self._clock.now(), self._clock.now(), 1, None)

    def __getattr__(self, name: str) -> Any:
        raise UnsupportedInDryRunError(name)


class DryRun:
    """The dry run of one plan's writes, in their order."""

    def __init__(self, turn_input: TurnInput) -> None:
        ports = turn_input.deps.ports
        self._turn_input = turn_input
        self._records = DryRunRecords(ports.records, ports.clock)
        closed: dict[str, Any] = {
            name: _ClosedPort()
            for name in ports.__struct_fields__
            # Plain values, such as limits, have no effects and stay.
            if name not in _OPEN_PORTS and not isinstance(getattr(ports, name), int | float | str | None)
        }
        entries = cast(EntryRepository, _ReadOnlyEntries(ports.entries, ports.clock))
        self._ports: ToolPorts = replace(
            ports, **closed | {"audit": None, "records": self._records, "entries": entries}
        )
        # Where the id of a record that the dry run has created occurs first, as a reference.
        self._origins: dict[str, dict[str, Any]] = {}

    def context(self) -> ToolContext:
        """Return a context for calls without lasting effects."""
        turn_input = self._turn_input
        return make_context(turn_input.principal, self._ports, f"dry_run.{new_ulid()}", turn_input.now)

    def run(self, step_id: int, call: ToolCall, spec: ToolSpec) -> bool:
        """Execute the call in the dry run; return False if that is impossible, so that its result is unknown."""
        # Another system would carry the call out.
        if spec.access == "external" or spec.toolkit in FOREIGN:
            return False
        result = call.execute()
        if isinstance(result.exception, UnsupportedInDryRunError):
            return False
        if result.ok:
            for path, value in _texts(result.value, ()):
                if value in self._records.created:
                    self._origins.setdefault(value, reference_to(step_id, ".".join(path)))
        return True

    def with_references(self, arguments: Any) -> Any:
        """Return the arguments with references instead of the ids of records that the dry run has created."""
        return with_texts(arguments, lambda text: self._origins.get(text, text))


def _texts(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, member in value.items():
            yield from _texts(member, (*path, str(name)))
    elif isinstance(value, list):
        for place, member in enumerate(value):
            yield from _texts(member, (*path, str(place)))
