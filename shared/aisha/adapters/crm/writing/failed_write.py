"""Clear up after a write to a CRM that failed at one of its steps: those before are taken back, or told of."""

from msgspec import Struct
from msgspec.structs import replace

from aisha.adapters.crm.mapping_file.record_fields import LOCAL_TYPES
from aisha.adapters.crm.writing.journal import Journal, Journals, Step
from aisha.application.connections.mirror import Mirror
from aisha.domain.crm.queries import Written
from aisha.domain.errors import AishaError, WriteUndecidedError
from aisha.domain.ports import Clock, RecordRepository


class FailedWrite(Struct, frozen=True):
    """The steps of a journal, of which one failed."""

    mirror: Mirror
    journal: Journal
    journals: Journals
    local: RecordRepository
    clock: Clock

    def take_back(self, place: int, error: AishaError) -> None:
        """Undo the steps before `place`, the last one first. Raises `WriteUndecidedError` for those that stand."""
        standing: list[Step] = []
        # The last one first: a contact before the account that it belongs to.
        for step in reversed(self.journal.steps[:place]):
            if step.written.record.TYPE in LOCAL_TYPES:
                continue
            try:
                self._undo(step)
            except AishaError:
                standing.append(step)
        for step in standing:
            if step.remote is not None:
                self.mirror.store([step.remote], step.read_at or self.clock.now())
        self.journals.delete(self.mirror.tenant, self.journal)
        if standing:
            names = " and ".join(f"{step.written.record.display_name} ({step.written.action})" for step in standing)
            title = self.mirror.connector.title
            raise WriteUndecidedError(
                f"{error.message} Before that {title} did this, which could not be taken back: {names}.",
                suggestion="Tell the user what stands.",
            ) from error

    def _undo(self, step: Step) -> None:
        written, connector = step.written, self.mirror.connector
        if written.action == "created":
            connector.delete(step.ref)
        elif written.action == "updated" and step.remote is not None and written.before is not None:
            connector.update(step.ref, self.mirror.outgoing(written.after, written.before))
        elif written.action == "deleted" and written.before is not None:
            outgoing = self.mirror.outgoing(None, written.before, f"{step.outgoing.key}#back")
            if (restored := connector.restore(step.ref)) is None:
                unsent = connector.check(outgoing, "create")
                restored = connector.create(replace(outgoing, changed=outgoing.changed - unsent))
            self.mirror.name(restored.ref, written.before.id)
            remote = self.mirror.written_record(restored, written.before, self.clock.now())
            self.local.write(self.mirror.tenant, [Written("updated", written.before, remote)])

    def undecided(self, place: int, error: AishaError) -> AishaError:
        """Return what to tell the user; the journal stays, so that a repetition looks again and repeats nothing."""
        title, record = self.mirror.connector.title, self.journal.steps[place].written.record
        for step in self.journal.steps[:place]:
            if step.remote is not None:
                self.mirror.store([step.remote], step.read_at or self.clock.now())
        action = self.journal.steps[place].written.action
        done = [step.written.record.display_name for step in self.journal.steps[:place] if step.remote]
        before = f" Before that it wrote {', '.join(done)}, which stands." if done else ""
        return WriteUndecidedError(
            f"{error.message} So nobody knows yet whether {record.TYPE} {record.display_name} was {action}."
            f"{before} Nothing was repeated.",
            suggestion=f"Look in {title} before it is asked for again.",
            detail={"reason": error.message},
        )
