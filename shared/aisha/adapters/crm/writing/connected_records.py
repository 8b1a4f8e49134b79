"""A `RecordRepository` over another CRM: reads come from the local copy, writes go to the CRM first."""

import hashlib
from collections.abc import Callable, Sequence
from datetime import timedelta

from msgspec.structs import replace

from aisha.adapters.crm.mapping_file.record_fields import LOCAL_TYPES
from aisha.adapters.crm.writing.journal import Journal, Journals, Step
from aisha.adapters.crm.writing.locks import Locks
from aisha.adapters.crm.writing.remote_write import PENDING_PREFIX, RemoteWrite, whole_fields
from aisha.application.connections.mirror import Mirror
from aisha.domain.crm.connector import Outgoing
from aisha.domain.crm.queries import Change, Create, Written
from aisha.domain.crm.record_changes import apply, changed_ids, not_found, with_ids
from aisha.domain.crm.records import Record
from aisha.domain.ids import new_ulid
from aisha.domain.ports import Clock, EntryRepository, RecordRepository

DELETED = "crm_deleted"
"""Kind of the entries with the refs of deleted records, by record id, for an undo by the CRM's own restore."""
DELETED_TTL = timedelta(days=2)
_FOLLOWED = {"probability": "stage", "completed_at": "status", "company": "account_id"}
"""Fields that nobody orders where the field that they follow is changed."""
_BUSY_MESSAGE = "The same record is being changed right now. Try again in a moment."


class ConnectedRecordRepository:
    """Tenants for which `mirror_of` returns a mirror have their records in another CRM; the others in `local` alone.

    All changes of a write are made, or those that were made are taken back, or the error says what stands
    (`WriteUndecidedError`). What a mirror's CRM can't keep stays in the local copy: fields without a mapping, goals and
    events. A write takes the locks of the records that it changes.
    """

    def __init__(
        self,
        local: RecordRepository,
        mirror_of: Callable[[str], Mirror | None],
        entries: EntryRepository,
        clock: Clock,
    ) -> None:
        self._local = local
        self._mirror_of = mirror_of
        self._entries = entries
        self._clock = clock
        self._journals = Journals(entries, clock)
        self._locks = Locks(entries, clock)
        # Reads are answered by the local copy.
        self.get = local.get
        self.get_many = local.get_many
        self.search = local.search
        self.counts = local.counts

    def clear(self) -> None:
        """Drop the records that the local repository caches, where it does."""
        if (clear := getattr(self._local, "clear", None)) is not None:
            clear()

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        """Apply the changes in the CRM, then here. Raises the errors of `CrmConnector`, `WriteUndecidedError`."""
        # `Written`: what the CRM has done already is only stored.
        if all(isinstance(change, Written) or _type_of(change) in LOCAL_TYPES for change in changes):
            return self._local.write(tenant, changes, operation_id)
        if (mirror := self._mirror_of(tenant)) is None:
            return self._local.write(tenant, changes, operation_id)
        return self._write(mirror, with_ids(changes, self._clock.now()), operation_id or f"write_{new_ulid()}")

    def _write(self, mirror: Mirror, changes: Sequence[Change], operation: str) -> list[Written]:
        # The id of an entry is limited, that of an operation is not.
        journal_id = hashlib.sha256(operation.encode()).hexdigest()[:40]
        ids = sorted(changed_ids(change for change in changes if not isinstance(change, Create)))
        # Sorted, so that two writes of the same records can't wait for each other.
        with self._locks.held(mirror.tenant, [journal_id, *ids], refusal=_BUSY_MESSAGE):
            # A repetition of a write that is through: the result of the first is returned.
            if earlier := self._local.write(mirror.tenant, [], operation):
                return earlier
            journal = self._journals.find(mirror.tenant, journal_id)
            if journal is None:
                journal = Journal(journal_id, operation, self._clock.now(), self._plan(mirror, changes))
            RemoteWrite(mirror, journal, self._journals, self._local, self._clock).send()
            return self._finish(mirror, journal, operation)

    def _plan(self, mirror: Mirror, changes: Sequence[Change]) -> list[Step]:
        """Check every change before the first request. Raises the errors of `apply` and `CrmConnector.check`."""
        pairs = [(record_id.partition("_")[0], record_id) for record_id in changed_ids(changes)]
        stored = self._local.get_many(mirror.tenant, pairs)
        steps: list[Step] = []
        pending: dict[str, str] = {}
        for place, written in enumerate(apply(mirror.tenant, changes, stored, self._clock.now())):
            if written.record.TYPE in LOCAL_TYPES:
                steps.append(Step(written, Outgoing(written.record.TYPE, {}, frozenset()), state="done"))
                continue
            # The same for every try, and another for each step of a write that creates two records.
            key = hashlib.sha256(f"{written.record.id}\n{place}".encode()).hexdigest()[:32]
            outgoing = mirror.outgoing(written.before, written.after or written.record, key, pending)
            action = {"created": "create", "updated": "update", "deleted": "delete"}[written.action]
            before = written.before
            ref = before.remote.ref if before and before.remote else ""
            checked = outgoing if written.after else replace(outgoing, changed=frozenset())
            unsent = mirror.connector.check(checked, action, ref or None)
            if written.action == "created":
                pending[written.record.id] = (
                    f"{mirror.connector.object_of(outgoing)}/{PENDING_PREFIX}{written.record.id}"
                )
            # A record here that the CRM does not have: it was never written there, or its mapping was removed.
            if written.action != "created" and not ref and before and before.id in stored:
                raise not_found(before.TYPE, before.id)
            step = Step(written, replace(outgoing, changed=outgoing.changed - unsent), unsent, ref=ref)
            step.restores = self._deleted_ref(mirror, written)
            steps.append(step)
        return steps

    def _deleted_ref(self, mirror: Mirror, written: Written) -> str:
        """Return the ref of a record that is created again under its old id, as an undo does; "" for others."""
        entry = None
        if written.action == "created":
            entry = self._entries.find(mirror.tenant, None, DELETED, written.record.id)
        return str(entry.body["ref"]) if entry else ""

    def _finish(self, mirror: Mirror, journal: Journal, operation: str) -> list[Written]:
        """Store the outcome here, in one transaction with the operation's result."""
        results: list[Written] = []
        updated: dict[str, Record] = {}
        for step in journal.steps:
            written, after = step.written, step.written.after
            if after is not None and step.remote is not None:
                record = mirror.written_record(step.remote, after, step.read_at or self._clock.now())
                step.local_fields -= _shown_there(step, record, after)
                own = {name: value for name, value in after.custom.items() if f"custom.{name}" in step.local_fields}
                unsent = {name: getattr(after, name) for name in whole_fields(step.local_fields)}
                record = record.model_copy(update={**unsent, "custom": {**record.custom, **own}})
                updated[after.id] = record
                mirror.name(step.ref, after.id)
                derived = mirror.derived_id(after.TYPE, step.ref)
                if derived != after.id and written.action == "created":
                    # A webhook was faster than the answer.
                    twins = self._local.get_many(mirror.tenant, [(after.TYPE, derived)])
                    mirror.forget(list(twins.values()))
                results.append(replace(written, after=record))
            elif after is not None and after.TYPE not in LOCAL_TYPES and after.id in updated:
                results.append(replace(written, after=after.model_copy(update={"remote": updated[after.id].remote})))
            else:
                results.append(written)
            if written.action == "deleted" and step.ref:
                expires_at = self._clock.now() + DELETED_TTL
                body = {"ref": step.ref}
                self._entries.put(mirror.tenant, None, DELETED, written.record.id, body, expires_at=expires_at)
        stored = self._local.write(mirror.tenant, results, operation)
        self._journals.delete(mirror.tenant, journal)
        pairs = zip(stored, journal.steps, strict=True)
        return [replace(written, only_here=_ordered_fields(step)) for written, step in pairs]


def _type_of(change: Change) -> str:
    return change.record.TYPE if isinstance(change, Create | Written) else change.entity_type


def _following(step: Step) -> set[str]:
    """Return the fields that change because those do that they follow."""
    changed = step.outgoing.changed | step.local_fields
    return {name for name, followed in _FOLLOWED.items() if followed in changed}


def _shown_there(step: Step, record: Record, ordered: Record) -> set[str]:
    """Return the fields that the CRM has without being sent them: as ordered, or those that follow as it has them."""
    values = step.remote.values if step.remote else {}
    stored_names = {name for name in whole_fields(step.local_fields) if values.get(name) is not None}
    return {
        name for name in stored_names if name in _following(step) or getattr(record, name) == getattr(ordered, name)
    }


def _ordered_fields(step: Step) -> tuple[str, ...]:
    """Return the fields that stay here and that someone set: no defaults, and none that follow from others."""
    local_names = step.local_fields - _following(step)
    if step.written.before is not None or step.written.after is None:
        return tuple(sorted(local_names))
    fields = type(step.written.after).model_fields
    named = (name for name in local_names if name in fields and name not in ("probability", "activity_type"))
    return tuple(sorted(name for name in named if getattr(step.written.after, name) != fields[name].default))
