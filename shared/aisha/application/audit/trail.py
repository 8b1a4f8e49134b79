"""Has every tool call recorded, once, whichever door it came through (A-144).

A call that changes something is recorded before it runs, and again with its outcome: when the log does not answer, it is
refused. A read is answered all the same, and the loss is told.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from ulid import ULID

from aisha.application.audit.size import fitting_arguments, fitting_receipts
from aisha.application.redaction.masking import without_numbers
from aisha.application.redaction.summaries import line, without_sensitive
from aisha.domain.audit import AuditEntry, AuditStatus, Severity
from aisha.domain.conversation import PendingConfirmation
from aisha.domain.errors import AishaError, PermissionDeniedError, UnavailableError
from aisha.domain.ids import ID
from aisha.domain.ports import AuditLog, Clock
from aisha.domain.principal import Principal
from aisha.domain.tool_results import receipts_in
from aisha.domain.tools import ToolCall

MOST_AT_ONCE = 25
_LONGEST_MESSAGE = 500
_MOST_ENTITIES = 200


def _untold(_error: AishaError, _count: int) -> None:
    return None


class Audit(Struct, frozen=True):
    """Where calls are recorded. `on_loss` is told of entries that could not be, and how many those are."""

    log: AuditLog
    on_loss: Callable[[AishaError, int], None] = _untold


class AuditTrail:
    """What one turn records, or one call outside of a turn. A turn's reads are kept until `flush`: one write for all."""

    def __init__(
        self,
        audit: Audit,
        principal: Principal,
        clock: Clock,
        conversation_id: str | None = None,
        *,
        is_batched: bool = False,
    ) -> None:
        self.principal, self.clock, self.conversation_id = principal, clock, conversation_id
        self._audit, self._is_batched = audit, is_batched
        self._waiting: list[AuditEntry] = []
        self._lock = threading.Lock()

    def of_operation(self, operation_id: str, confirmation_id: str | None = None) -> "CallAudit":
        """For the context of a call. `confirmation_id` is the question whose yes it runs by."""
        return CallAudit(self, operation_id, confirmation_id)

    def asked(self, question: PendingConfirmation, sensitive: frozenset[str]) -> None:
        """A call waits for the user."""
        self.add(self._about(question, sensitive, "pending", "waits for the user's confirmation"))

    def dropped(self, question: PendingConfirmation, sensitive: frozenset[str]) -> None:
        """A call that waited is not run."""
        self.add(
            self._about(question, sensitive, "rejected", "was not run: declined, expired, or not what was asked about")
        )

    def took_back(
        self, tool: str, receipts: Sequence[Mapping[str, Any]], operation_id: str, sensitive: frozenset[str]
    ) -> None:
        """What a call had done was taken back, because a later one of the same plan failed."""
        kept = fitting_receipts([without_sensitive(dict(one), sensitive) for one in receipts])
        about = tuple(dict.fromkeys(str(one["entity"]["id"]) for one in kept))
        said = f"took back what {tool} did"
        self.add(
            self.entry("take_back", "executed", line=said, receipts=kept, entities=about, operation_id=operation_id)
        )

    def entry(self, tool: str, status: AuditStatus, **more: Any) -> AuditEntry:
        """A new entry of this trail, at this moment."""
        who = self.principal
        return AuditEntry(
            id=f"audit_{ULID()}",
            tenant=who.tenant,
            user=who.user,
            door=who.door,
            tool=tool,
            status=status,
            at=self.clock.now(),
            conversation_id=self.conversation_id,
            **more,
        )

    def add(self, entry: AuditEntry) -> None:
        """Takes an entry whose loss is bearable."""
        with self._lock:
            self._waiting.append(entry)
        if not self._is_batched:
            self.flush()

    def write(self, entry: AuditEntry) -> None:
        """Records at once, after what waits. Raises `UnavailableError`; then what waited still does."""
        with self._lock:
            entries, self._waiting = [*self._waiting, entry], []
            try:
                self._append(entries)
            except AishaError:
                self._waiting = entries[:-1]
                raise

    def flush(self) -> None:
        """Records what waits. What can't be recorded is told and given up."""
        with self._lock:
            entries, self._waiting = self._waiting, []
        try:
            self._append(entries)
        except AishaError as error:
            self._audit.on_loss(error, len(entries))

    def lost(self, error: AishaError) -> None:
        """Tells of an entry that could not be recorded."""
        self._audit.on_loss(error, 1)

    def _append(self, entries: Sequence[AuditEntry]) -> None:
        for start in range(0, len(entries), MOST_AT_ONCE):
            self._audit.log.append(self.principal.tenant, entries[start : start + MOST_AT_ONCE])

    def _about(
        self, question: PendingConfirmation, sensitive: frozenset[str], status: AuditStatus, said: str
    ) -> AuditEntry:
        arguments = fitting_arguments(without_sensitive(dict(question.arguments), sensitive))
        about = tuple(islice(_ids_in(question.arguments), _MOST_ENTITIES))
        return self.entry(
            question.tool, status, arguments=arguments, line=said, entities=about, confirmation_id=question.id
        )


class CallAudit:
    """Records the calls of one operation."""

    def __init__(self, trail: AuditTrail, operation_id: str, confirmation_id: str | None) -> None:
        self._trail, self._operation_id, self._confirmation_id = trail, operation_id, confirmation_id

    def follow(self, call: ToolCall) -> None:
        """Has the call recorded when it runs, or when it turns out that it will not."""
        call.watch(_Recorder(self._trail, self._operation_id, self._confirmation_id))


class _Recorder:
    """Records one call; it is its `CallWatcher`."""

    def __init__(self, trail: AuditTrail, operation_id: str, confirmation_id: str | None) -> None:
        self._trail = trail
        self._names = {"operation_id": operation_id, "confirmation_id": confirmation_id}
        self._intent: str | None = None
        self._is_running = False

    def starting(self, call: ToolCall) -> None:
        """Records a write before it runs. Raises `UnavailableError` when it can't be: then it must not run."""
        if call.spec is None or call.spec.access == "read":
            return
        intent = self._entry(call, "intended", "is about to run")
        self._intent = intent.id
        try:
            self._trail.write(intent)
        except AishaError as error:
            raise UnavailableError(
                "Nothing was changed: the audit log does not answer, and what isn't recorded isn't done.",
                suggestion="Please try again in a moment.",
            ) from error
        self._is_running = True

    def ended(self, call: ToolCall) -> None:
        """Records what came of it; of a write at once, for its intent stands already."""
        entry = self._entry(call, _status_of(call), line(call))
        if not self._is_running:
            self._trail.add(entry)
            return
        try:
            self._trail.write(entry)
        except AishaError as error:
            self._trail.lost(error)
            call.result.logs.append("The outcome could not be recorded in the audit log.")

    def _entry(self, call: ToolCall, status: AuditStatus, said: str) -> AuditEntry:
        arguments = fitting_arguments(without_sensitive(call.arguments, call.sensitive))
        receipts = [without_sensitive(dict(one), call.sensitive) for one in _receipts_of(call)]
        written = (str(one["entity"]["id"]) for one in receipts)
        return self._trail.entry(
            call.name[:_LONGEST_MESSAGE],
            status,
            arguments=arguments,
            line=said[:_LONGEST_MESSAGE],
            severity=_severity_of(call),
            receipts=fitting_receipts(receipts),
            entities=tuple(islice(dict.fromkeys([*_ids_in(call.arguments), *written]), _MOST_ENTITIES)),
            error=_error_of(call),
            duration_ms=round(call.result.duration_ms, 1),
            call_id=call.id or None,
            intent=self._intent,
            **self._names,
        )


def _status_of(call: ToolCall) -> AuditStatus:
    known: dict[str, AuditStatus] = {"executed": "executed", "rejected": "rejected", "not_found": "not_found"}
    return known.get(str(call.result.status), "failed")


def _severity_of(call: ToolCall) -> Severity:
    if isinstance(call.result.exception, PermissionDeniedError):
        return "warning"
    return "high" if call.spec is not None and call.spec.access in ("delete", "external") else "normal"


def _receipts_of(call: ToolCall) -> list[Mapping[str, Any]]:
    is_write = call.spec is not None and call.spec.access != "read"
    return list(receipts_in(call.result.value)) if is_write and call.result.ok else []


def _error_of(call: ToolCall) -> dict[str, Any] | None:
    known = call.result.error
    return (
        {"code": known["code"], "message": without_numbers(str(known["message"]))[:_LONGEST_MESSAGE]} if known else None
    )


def _ids_in(value: Any) -> Iterator[str]:
    """Ids of records, at any depth, in texts that are nothing else."""
    if isinstance(value, str):
        if ID.fullmatch(value):
            yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _ids_in(item)
