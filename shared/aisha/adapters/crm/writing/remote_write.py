"""One write to a CRM: its steps in their order, what is done about a lost answer, and what is taken back."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.adapters.crm.writing.failed_write import FailedWrite
from aisha.adapters.crm.writing.journal import Journal, Journals, Step
from aisha.application.connections.mirror import Mirror
from aisha.domain.crm.connector import RemoteRecord
from aisha.domain.crm.records import Record
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
from aisha.domain.ports import Clock, RecordRepository

SETTLE_DELAY_SECONDS = 0.5
"""After which a record is read once more that does not show a change."""
_DERIVED = frozenset(("probability", "completed_at", "activity_type"))
"""Fields that follow from others: a CRM may have rules of its own for them."""
PENDING_PREFIX = "@"
"""Begins the id, within a ref, of a record that an earlier step of the same write creates."""


class RemoteWrite(Struct, frozen=True):
    """The steps of a journal, sent to the mirror's CRM."""

    mirror: Mirror
    journal: Journal
    journals: Journals
    local: RecordRepository
    clock: Clock

    def send(self) -> None:
        """Send the steps that are not done. Raises the errors of `CrmConnector`, `WriteUndecidedError`."""
        failure = FailedWrite(self.mirror, self.journal, self.journals, self.local, self.clock)
        for place, step in enumerate(self.journal.steps):
            if step.state == "done":
                continue
            try:
                self._send_step(step)
            except AnswerLostError as error:
                raise failure.undecided(place, error) from error
            except AishaError as error:
                failure.take_back(place, error)
                raise

    def _send_step(self, step: Step) -> None:
        action = step.written.action
        # Links to records that an earlier step of this write has created meanwhile.
        refs = {f"{PENDING_PREFIX}{other.written.record.id}": other.ref for other in self.journal.steps if other.ref}
        links = {name: refs.get((link or "").partition("/")[2], link) for name, link in step.outgoing.links.items()}
        step.outgoing = replace(step.outgoing, links=links)
        if action != "created" and not step.ref:
            record_id = step.written.record.id
            step.ref = next(other.ref for other in self.journal.steps if other.written.record.id == record_id)
        was_sent = step.state == "sent"
        # A second try after a kill: the request may have been done.
        if was_sent and self._was_done(step):
            return
        step.read_at = self.clock.now()
        self._check_unchanged(step, after_loss=was_sent)
        if action == "updated" and not step.outgoing.changed:
            step.state = "done"
            return
        # Stored before the request, so that a second try knows that it may have been done.
        step.state = "sent"
        self.journals.save(self.mirror.tenant, self.journal)
        # Once more where a repetition can't do it twice.
        for is_last in (False, True):
            try:
                self._request(step)
                break
            except AnswerLostError as error:
                if self._was_done(step, error.message):
                    return
                if is_last:
                    raise
                with _lost():
                    self._check_unchanged(step, after_loss=True)
        self._check_taken(step)
        step.state = "done"

    def _request(self, step: Step) -> None:
        connector = self.mirror.connector
        if step.written.action == "created":
            step.remote = self._restored(step) or connector.create(step.outgoing)
            step.ref = step.remote.ref
        elif step.written.action == "updated":
            step.remote = connector.update(step.ref, step.outgoing)
        else:
            connector.delete(step.ref)

    def _restored(self, step: Step) -> RemoteRecord | None:
        if not step.restores:
            return None
        if (record := self.mirror.connector.restore(step.restores)) is not None:
            return record
        # From here on it is a create like any other, which is not to be repeated blindly.
        step.restores = ""
        self.journals.save(self.mirror.tenant, self.journal)
        return None

    def _check_taken(self, step: Step) -> None:
        """Compare what the CRM has after a request with what was sent: some answer with success to what they ignore.

        A new record's fields that are not there are unsent here. Raises `WriteUndecidedError` for a change that is not.
        """
        if step.remote is None or not self._ignored(step):
            return
        time.sleep(SETTLE_DELAY_SECONDS)
        step.remote = self.mirror.connector.get(step.ref) or step.remote
        if not (ignored := self._ignored(step)):
            return
        if step.written.before is None:
            step.local_fields |= frozenset(ignored)
            return
        self.mirror.store([step.remote], step.read_at or self.clock.now())
        title, names = self.mirror.connector.title, " and ".join(map(_label, ignored))
        taken = sorted(step.outgoing.changed - _DERIVED - {*ignored})
        others = f" It did change {' and '.join(map(_label, taken))}." if taken else ""
        raise WriteUndecidedError(
            f"{title} did not take the change of {names}: {step.written.record.display_name} has there what it had "
            f"before, though {title} answered with success.{others}",
            suggestion=f"Tell the user, and let an admin check the file of {title}.",
        )

    def _ignored(self, step: Step) -> list[str]:
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
            now = self.mirror.record(remote, after, self.clock.now())
        except ValueError:
            return []
        values = [(name, *(_field(record, name) for record in (now, before, after))) for name in names]
        return [name for name, stored, old, new in values if stored == old != new]

    def _was_done(self, step: Step, why: str = "") -> bool:
        """Look up whether a request whose answer was lost was done; if so, finish it and return True.

        Return False where sending it again can't do it twice. Raises `AnswerLostError` when nobody knows, with `why`
        there is no answer.
        """
        connector, outgoing = self.mirror.connector, step.outgoing
        step.read_at = self.clock.now()
        if step.written.action != "created" or step.restores:
            # An update sets values, a delete deletes and a restore restores: all may be repeated.
            return False
        with _lost():
            matches = connector.find_created(outgoing, self.journal.started_at)
        others = {other.ref for other in self.journal.steps if other is not step}
        # Neither a record that this write has made in another step, nor one that was there before.
        matches = [other for other in matches if other.ref not in others and not self._is_older(other)]
        if len(matches) == 1:
            step.remote, step.ref = matches[0], matches[0].ref
            with _lost():
                step.remote = connector.complete(step.ref, outgoing)
            step.state = "done"
            return True
        if not matches and connector.repeats_safely(outgoing.entity_type):
            return False
        raise AnswerLostError(why or f"{connector.title} did not answer.")

    def _is_older(self, match: RemoteRecord) -> bool:
        """Return whether a record like the new one was known before the write began: it is another one."""
        pairs = [(kind, self.mirror.record_id(kind, match.ref)) for kind in self.mirror.connector.types_of(match.ref)]
        stored = self.local.get_many(self.mirror.tenant, pairs).values()
        return any(other.remote is not None and other.remote.read_at < self.journal.started_at for other in stored)

    def _check_unchanged(self, step: Step, *, after_loss: bool) -> None:
        """Compare the CRM's record with the local copy. Raises `ConflictError` when someone else has changed it."""
        record, now = step.written.record, self.clock.now()
        if step.written.action == "created":
            return
        if any(other.written.record.id == record.id and other.state == "done" for other in self.journal.steps):
            return
        remote = self.mirror.connector.get(step.ref)
        title = self.mirror.connector.title
        if remote is None:
            if step.written.action == "deleted":
                return
            self.mirror.forget([record])
            raise NotFoundError(f"{record.display_name} was deleted in {title}.", entity_type=record.TYPE)
        remote_before = step.written.before.remote if step.written.before else None
        step.outgoing = replace(step.outgoing, unmodified_since=remote.updated_at, version=remote.version)
        if remote_before is None or remote.fingerprint == remote_before.fingerprint:
            return
        before, ordered = step.written.before, step.written.after
        if after_loss and before is not None and ordered is not None:
            with suppress(ValueError):
                current = self.mirror.record(remote, ordered, now)
                names = whole_fields(step.outgoing.changed)
                applied = {name for name in names if getattr(current, name) == getattr(ordered, name)}
                # Of a change in several requests only a part may have been made.
                if applied and all(getattr(current, name) == getattr(before, name) for name in names - applied):
                    return
        self.mirror.store([remote], now)
        raise ConflictError(
            f"{record.display_name} was changed in {title} meanwhile. Look at it again before you change it.",
            entity_type=record.TYPE,
            entity_id=record.id,
        )


def whole_fields(names: frozenset[str]) -> set[str]:
    """Return the names of whole fields: those of `custom` are merged by the mirror."""
    return {name for name in names if "." not in name}


@contextmanager
def _lost() -> Iterator[None]:
    """Re-raise as `AnswerLostError` what keeps us from seeing whether a request that was sent was done."""
    try:
        yield
    except (PermissionDeniedError, RateLimitedError, UnavailableError) as error:
        raise AnswerLostError(error.message) from error


def _field(record: Record, name: str) -> Any:
    outer, _, inner = name.partition(".")
    return record.custom.get(inner) if outer == "custom" else getattr(record, outer)


def _label(name: str) -> str:
    return name.removeprefix("custom.").replace("_", " ").replace(".", " ")
