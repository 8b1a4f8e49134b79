"""A `RecordRepository` over another CRM: reads come from the local copy, writes go to the CRM first."""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace
from ulid import ULID

from aisha.adapters.crm.locks import Locks
from aisha.application.connections.mirror import Mirror
from aisha.domain.crm.connector import Outgoing, RemoteRecord
from aisha.domain.crm.queries import Change, CountRow, Create, Period, RecordPage, RecordQuery, Written
from aisha.domain.crm.record_changes import apply, changed_ids, not_found, with_ids
from aisha.domain.crm.record_json import decode_result, encode_result
from aisha.domain.crm.records import Record, Remote
from aisha.domain.errors import (
    AishaError,
    AnswerLostError,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    UnavailableError,
    WriteUndecidedError,
)
from aisha.domain.ports import Clock, EntryRepository, RecordRepository

JOURNAL = "crm_write"
"""Kind of the entries with writes in progress, by a hash of their operation's id."""
JOURNAL_TTL = timedelta(days=7)
DELETED = "crm_deleted"
"""Kind of the entries with the refs of deleted records, by record id, for an undo by the CRM's own restore."""
DELETED_TTL = timedelta(days=2)
_BUSY = "The same record is being changed right now. Try again in a moment."
SETTLE_SECONDS = 0.5
"""After which a record is read once more that does not show a change."""
LOCAL_TYPES = ("goal", "event")
_DERIVED = frozenset(("probability", "completed_at", "activity_type"))
"""Fields that follow from others: a CRM may have rules of its own for them."""
_PENDING = "@"
"""Begins the id, within a ref, of a record that an earlier step of the same write creates."""


class _Step(Struct):
    """A change on its way: `planned`, `sent`, or `done`. `kept` stays here.

    `restores` is the ref of the deleted record that a create brings back where the CRM can.
    """

    written: Written
    outgoing: Outgoing
    kept: frozenset[str] = frozenset()
    state: str = "planned"
    ref: str = ""
    remote: RemoteRecord | None = None
    read_at: datetime | None = None
    restores: str = ""


class _Journal(Struct):
    """The steps of one write. `started_at` is before its first request."""

    id: str
    operation_id: str
    started_at: datetime
    steps: list[_Step] = field(default_factory=list)


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
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._local = local
        self._mirror_of = mirror_of
        self._entries = entries
        self._clock = clock
        self._sleep = sleep
        self._locks = Locks(entries, clock, sleep=sleep)

    def clear(self) -> None:
        """Drop the records that the local repository caches, where it does."""
        if (clear := getattr(self._local, "clear", None)) is not None:
            clear()

    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        """Return the local copy. Raises `NotFoundError`."""
        return self._local.get(tenant, entity_type, record_id)

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Return local copies by id."""
        return self._local.get_many(tenant, ids)

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        """Search the local copies."""
        return self._local.search(tenant, query)

    def counts(self, tenant: str, entity_type: str, period: Period | None = None) -> list[CountRow]:
        """Count the local copies."""
        return self._local.counts(tenant, entity_type, period)

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        """Apply the changes in the CRM, then here. Raises the errors of `CrmConnector`, `WriteUndecidedError`."""
        if all(isinstance(change, Written) or _type_of(change) in LOCAL_TYPES for change in changes):
            return self._local.write(tenant, changes, operation_id)
        if (mirror := self._mirror_of(tenant)) is None:
            return self._local.write(tenant, changes, operation_id)
        return self._write(mirror, with_ids(changes, self._clock.now()), operation_id or f"write_{ULID()}")

    def _write(self, mirror: Mirror, changes: Sequence[Change], operation: str) -> list[Written]:
        journal_id = hashlib.sha256(operation.encode()).hexdigest()[:40]
        ids = sorted(changed_ids(change for change in changes if not isinstance(change, Create)))
        with self._locks.held(mirror.tenant, [journal_id, *ids], refusal=_BUSY):
            if earlier := self._local.write(mirror.tenant, [], operation):
                return earlier
            entry = self._entries.find(mirror.tenant, None, JOURNAL, journal_id)
            if entry is not None:
                journal = _decode(journal_id, entry.body)
            else:
                journal = _Journal(journal_id, operation, self._clock.now(), self._plan(mirror, changes))
            self._send_all(mirror, journal)
            return self._finish(mirror, journal, operation)

    def _plan(self, mirror: Mirror, changes: Sequence[Change]) -> list[_Step]:
        """Check every change before the first request. Raises the errors of `apply` and `CrmConnector.check`."""
        pairs = [(record_id.partition("_")[0], record_id) for record_id in changed_ids(changes)]
        stored = self._local.get_many(mirror.tenant, pairs)
        steps: list[_Step] = []
        pending: dict[str, str] = {}
        for place, written in enumerate(apply(mirror.tenant, changes, stored, self._clock.now())):
            if written.record.TYPE in LOCAL_TYPES:
                steps.append(_Step(written, Outgoing(written.record.TYPE, {}, frozenset()), state="done"))
                continue
            key = hashlib.sha256(f"{written.record.id}\n{place}".encode()).hexdigest()[:32]
            outgoing = mirror.outgoing(written.before, written.after or written.record, key, pending)
            action = {"created": "create", "updated": "update", "deleted": "delete"}[written.action]
            before = written.before
            ref = before.remote.ref if before and before.remote else ""
            checked = outgoing if written.after else replace(outgoing, changed=frozenset())
            kept = mirror.connector.check(checked, action, ref or None)
            if written.action == "created":
                pending[written.record.id] = f"{mirror.connector.object_of(outgoing)}/{_PENDING}{written.record.id}"
            if written.action != "created" and not ref and before and before.id in stored:
                raise not_found(before.TYPE, before.id)
            step = _Step(written, replace(outgoing, changed=outgoing.changed - kept), kept, ref=ref)
            step.restores = self._deleted_ref(mirror, written)
            steps.append(step)
        return steps

    def _deleted_ref(self, mirror: Mirror, written: Written) -> str:
        """Return the ref of a record that is created again under its old id, as an undo does; "" for others."""
        entry = None
        if written.action == "created":
            entry = self._entries.find(mirror.tenant, None, DELETED, written.record.id)
        return str(entry.body["ref"]) if entry else ""

    # --- sending

    def _send_all(self, mirror: Mirror, journal: _Journal) -> None:
        for place, step in enumerate(journal.steps):
            if step.state == "done":
                continue
            try:
                self._send(mirror, journal, step)
            except AnswerLostError as error:
                raise self._undecided(mirror, journal, place, error) from error
            except AishaError as error:
                self._take_back(mirror, journal, place, error)
                raise

    def _send(self, mirror: Mirror, journal: _Journal, step: _Step) -> None:
        action = step.written.action
        refs = {f"{_PENDING}{one.written.record.id}": one.ref for one in journal.steps if one.ref}
        links = {name: refs.get((link or "").partition("/")[2], link) for name, link in step.outgoing.links.items()}
        step.outgoing = replace(step.outgoing, links=links)
        if action != "created" and not step.ref:
            step.ref = next(one.ref for one in journal.steps if one.written.record.id == step.written.record.id)
        was_sent = step.state == "sent"
        if was_sent and self._was_done(mirror, journal, step):
            return
        step.read_at = self._clock.now()
        self._check_unchanged(mirror, journal, step, after_loss=was_sent)
        if action == "updated" and not step.outgoing.changed:
            step.state = "done"
            return
        step.state = "sent"
        self._save(mirror, journal)
        for is_last in (False, True):
            try:
                self._request(mirror, journal, step)
                break
            except AnswerLostError:
                if self._was_done(mirror, journal, step):
                    return
                if is_last:
                    raise
                with _lost():
                    self._check_unchanged(mirror, journal, step, after_loss=True)
        self._check_taken(mirror, step)
        step.state = "done"

    def _request(self, mirror: Mirror, journal: _Journal, step: _Step) -> None:
        connector = mirror.connector
        if step.written.action == "created":
            step.remote = self._restored(mirror, journal, step) or connector.create(step.outgoing)
            step.ref = step.remote.ref
        elif step.written.action == "updated":
            step.remote = connector.update(step.ref, step.outgoing)
        else:
            connector.delete(step.ref)

    def _restored(self, mirror: Mirror, journal: _Journal, step: _Step) -> RemoteRecord | None:
        if not step.restores:
            return None
        if (record := mirror.connector.restore(step.restores)) is not None:
            return record
        # From here on it is a create like any other, which is not to be repeated blindly.
        step.restores = ""
        self._save(mirror, journal)
        return None

    def _check_taken(self, mirror: Mirror, step: _Step) -> None:
        """Compare what the CRM has after a request with what was sent: some answer with success to what they ignore.

        A new record's fields that are not there are kept here. Raises `WriteUndecidedError` for a change that is not.
        """
        if step.remote is None or not self._ignored(mirror, step):
            return
        self._sleep(SETTLE_SECONDS)
        step.remote = mirror.connector.get(step.ref) or step.remote
        if not (ignored := self._ignored(mirror, step)):
            return
        if step.written.before is None:
            step.kept |= frozenset(ignored)
            return
        mirror.store([step.remote], step.read_at or self._clock.now())
        title, names = mirror.connector.title, " and ".join(map(_label, ignored))
        taken = sorted(step.outgoing.changed - _DERIVED - {*ignored})
        others = f" It did change {' and '.join(map(_label, taken))}." if taken else ""
        raise WriteUndecidedError(
            f"{title} did not take the change of {names}: {step.written.record.display_name} has there what it had "
            f"before, though {title} answered with success.{others}",
            suggestion=f"Tell the user, and let an admin check the file of {title}.",
        )

    def _ignored(self, mirror: Mirror, step: _Step) -> list[str]:
        """Return the sent fields that the CRM shows without the value, or after an update with the one before."""
        remote, before, after = step.remote, step.written.before, step.written.after
        if remote is None or after is None:
            return []
        names = sorted(name for name in step.outgoing.changed - _DERIVED if not name.startswith("address."))
        if before is None:
            own = {f"custom.{name}": value for name, value in (remote.values.get("custom") or {}).items()}
            stored = {**remote.values, **remote.links, **own}
            return [name for name in names if name in stored and stored[name] in (None, "")]
        try:
            now = mirror.record(remote, after, self._clock.now())
        except ValueError:
            return []
        values = [(name, *(_field(record, name) for record in (now, before, after))) for name in names]
        return [name for name, stored, old, new in values if stored == old != new]

    def _was_done(self, mirror: Mirror, journal: _Journal, step: _Step) -> bool:
        """Look up whether a request whose answer was lost was done; if so, finish it and return True.

        Return False where sending it again can't do it twice. Raises `AnswerLostError` when nobody knows.
        """
        connector, outgoing = mirror.connector, step.outgoing
        step.read_at = self._clock.now()
        if step.written.action != "created" or step.restores:
            # An update sets values, a delete deletes and a restore restores: all may be repeated.
            return False
        with _lost():
            matches = connector.find_created(outgoing, journal.started_at)
        others = {one.ref for one in journal.steps if one is not step}
        matches = [one for one in matches if one.ref not in others]
        if len(matches) == 1:
            step.remote, step.ref = matches[0], matches[0].ref
            missing = {name for name, link in outgoing.links.items() if link and matches[0].links.get(name) != link}
            if missing := missing & outgoing.changed:
                with _lost():
                    step.remote = connector.update(step.ref, replace(outgoing, changed=frozenset(missing)))
            step.state = "done"
            return True
        if not matches and connector.repeats_safely(outgoing.entity_type):
            return False
        raise AnswerLostError(f"{connector.title} did not answer.")

    def _check_unchanged(self, mirror: Mirror, journal: _Journal, step: _Step, *, after_loss: bool) -> None:
        """Compare the CRM's record with the local copy. Raises `ConflictError` when someone else has changed it."""
        record, now = step.written.record, self._clock.now()
        if step.written.action == "created":
            return
        if any(one.written.record.id == record.id and one.state == "done" for one in journal.steps):
            return
        remote = mirror.connector.get(step.ref)
        title = mirror.connector.title
        if remote is None:
            if step.written.action == "deleted":
                return
            mirror.forget([record])
            raise NotFoundError(f"{record.display_name} was deleted in {title}.", entity_type=record.TYPE)
        remote_before = step.written.before.remote if step.written.before else None
        step.outgoing = replace(step.outgoing, unmodified_since=remote.updated_at, version=remote.version)
        if remote_before is None or remote.fingerprint == remote_before.fingerprint:
            return
        if after_loss and step.written.after is not None:
            ordered = step.written.after
            with suppress(ValueError):
                current = mirror.record(remote, ordered, now)
                if all(getattr(current, name) == getattr(ordered, name) for name in _whole(step.outgoing.changed)):
                    return
        mirror.store([remote], now)
        raise ConflictError(
            f"{record.display_name} was changed in {title} meanwhile. Look at it again before you change it.",
            entity_type=record.TYPE,
            entity_id=record.id,
        )

    # --- after a failure

    def _take_back(self, mirror: Mirror, journal: _Journal, place: int, error: AishaError) -> None:
        """Undo the steps before `place`, the last one first. Raises `WriteUndecidedError` for those that stand."""
        standing: list[_Step] = []
        for step in reversed(journal.steps[:place]):
            if step.written.record.TYPE in LOCAL_TYPES:
                continue
            try:
                self._undo(mirror, step)
            except AishaError:
                standing.append(step)
        for step in standing:
            if step.remote is not None:
                mirror.store([step.remote], step.read_at or self._clock.now())
        self._entries.delete(mirror.tenant, None, JOURNAL, journal.id)
        if standing:
            names = " and ".join(f"{step.written.record.display_name} ({step.written.action})" for step in standing)
            title = mirror.connector.title
            raise WriteUndecidedError(
                f"{error.message} Before that {title} did this, which could not be taken back: {names}.",
                suggestion="Tell the user what stands.",
            ) from error

    def _undo(self, mirror: Mirror, step: _Step) -> None:
        written, connector = step.written, mirror.connector
        if written.action == "created":
            connector.delete(step.ref)
        elif written.action == "updated" and step.remote is not None and written.before is not None:
            connector.update(step.ref, mirror.outgoing(written.after, written.before))
        elif written.action == "deleted" and written.before is not None:
            outgoing = mirror.outgoing(None, written.before, f"{step.outgoing.key}#back")
            if (restored := connector.restore(step.ref)) is None:
                kept = connector.check(outgoing, "create")
                restored = connector.create(replace(outgoing, changed=outgoing.changed - kept))
            mirror.name(restored.ref, written.before.id)
            remote = self._record(mirror, restored, written.before)
            self._local.write(mirror.tenant, [Written("updated", written.before, remote)])

    def _undecided(self, mirror: Mirror, journal: _Journal, place: int, error: AishaError) -> AishaError:
        """Return what to tell the user; the journal stays, so that a repetition looks again and repeats nothing."""
        title, record = mirror.connector.title, journal.steps[place].written.record
        for step in journal.steps[:place]:
            if step.remote is not None:
                mirror.store([step.remote], step.read_at or self._clock.now())
        action = journal.steps[place].written.action
        done = [step.written.record.display_name for step in journal.steps[:place] if step.remote]
        before = f" Before that it wrote {', '.join(done)}, which stands." if done else ""
        return WriteUndecidedError(
            f"{title} did not answer, so nobody knows yet whether {record.TYPE} {record.display_name} was {action}."
            f"{before} Nothing was repeated.",
            suggestion=f"Look in {title} before it is asked for again.",
            detail={"reason": error.message},
        )

    # --- afterwards

    def _finish(self, mirror: Mirror, journal: _Journal, operation: str) -> list[Written]:
        """Store the outcome here, in one transaction with the operation's result."""
        results: list[Written] = []
        updated: dict[str, Record] = {}
        for step in journal.steps:
            written, after = step.written, step.written.after
            if after is not None and step.remote is not None:
                record = self._record(mirror, step.remote, after, step.read_at)
                own = {name: value for name, value in after.custom.items() if f"custom.{name}" in step.kept}
                kept = {name: getattr(after, name) for name in _whole(step.kept)}
                record = record.model_copy(update={**kept, "custom": {**record.custom, **own}})
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
        self._entries.delete(mirror.tenant, None, JOURNAL, journal.id)
        return [replace(one, only_here=_wished(step)) for one, step in zip(stored, journal.steps, strict=True)]

    def _record(self, mirror: Mirror, remote: RemoteRecord, ordered: Record, read_at: datetime | None = None) -> Record:
        """Return the record as the CRM has it now, or as it was ordered where AiSHA can't hold that: it is done."""
        read_at = read_at or self._clock.now()
        try:
            return mirror.record(remote, ordered, read_at)
        except ValueError:
            place = Remote(ref=remote.ref, fingerprint=remote.fingerprint, read_at=read_at)
            return ordered.model_copy(update={"remote": place})

    def _save(self, mirror: Mirror, journal: _Journal) -> None:
        expires_at = self._clock.now() + JOURNAL_TTL
        try:
            self._entries.put(mirror.tenant, None, JOURNAL, journal.id, _encode(journal), expires_at=expires_at)
        except AishaError as error:
            raise UnavailableError("This can't be written now, because it can't be noted down first.") from error


@contextmanager
def _lost() -> Iterator[None]:
    """Re-raise as `AnswerLostError` what keeps us from seeing whether a request that was sent was done."""
    try:
        yield
    except (PermissionDeniedError, RateLimitedError, UnavailableError) as error:
        raise AnswerLostError(error.message) from error


def _type_of(change: Change) -> str:
    return change.record.TYPE if isinstance(change, Create | Written) else change.entity_type


def _wished(step: _Step) -> tuple[str, ...]:
    """Return the kept fields that someone set: a default, or what follows from another field, was nobody's wish."""
    if step.written.before is not None or step.written.after is None:
        return tuple(sorted(step.kept))
    fields = type(step.written.after).model_fields
    named = (name for name in step.kept if name in fields and name not in ("probability", "activity_type"))
    return tuple(sorted(name for name in named if getattr(step.written.after, name) != fields[name].default))


def _field(record: Record, name: str) -> Any:
    outer, _, inner = name.partition(".")
    return record.custom.get(inner) if outer == "custom" else getattr(record, outer)


def _label(name: str) -> str:
    return name.removeprefix("custom.").replace("_", " ").replace(".", " ")


def _whole(names: frozenset[str]) -> set[str]:
    # Those of `custom` are merged by the mirror.
    return {name for name in names if "." not in name}


def _encode(journal: _Journal) -> dict[str, Any]:
    return {
        "operation": journal.operation_id,
        "started_at": journal.started_at.isoformat(),
        "changes": encode_result([step.written for step in journal.steps]),
        "steps": [
            {
                "state": step.state,
                "ref": step.ref,
                "kept": sorted(step.kept),
                "read_at": step.read_at.isoformat() if step.read_at else None,
                "outgoing": to_builtins(step.outgoing),
                "remote": to_builtins(step.remote),
                "restores": step.restores,
            }
            for step in journal.steps
        ],
    }


def _decode(journal_id: str, body: Any) -> _Journal:
    steps = [
        _Step(
            written,
            convert(one["outgoing"], Outgoing),
            frozenset(one["kept"]),
            one["state"],
            one["ref"],
            convert(one["remote"], RemoteRecord | None),
            datetime.fromisoformat(one["read_at"]) if one["read_at"] else None,
            one.get("restores", ""),
        )
        for written, one in zip(decode_result(body["changes"]), body["steps"], strict=True)
    ]
    return _Journal(journal_id, body["operation"], datetime.fromisoformat(body["started_at"]), steps)
