"""Audit of all tool calls, each once, through all doors (A-144).

A write is recorded before it runs, and again with its outcome: it is refused when the log does not answer. What an
earlier try of the request has recorded of it is not recorded again. A read runs all the same, and the loss of its entry
is reported.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from aisha.application.audit.size import fit_arguments, fit_receipts
from aisha.application.redaction.masking import without_numbers
from aisha.application.redaction.summaries import line, without_sensitive
from aisha.domain.audit import AuditEntry, AuditStatus, Severity
from aisha.domain.conversations.conversation import PendingConfirmation
from aisha.domain.conversations.tool_results import receipts_in
from aisha.domain.errors import AishaError, PermissionDeniedError, UnavailableError
from aisha.domain.ids import ID, new_ulid
from aisha.domain.json_values import texts_in
from aisha.domain.ports import AuditLog, Clock
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall

MAX_BATCH = 25
"""Maximum of entries that one `AuditLog.append` takes."""
REREAD_ENTRIES = 200
"""Newest entries of the tenant among which a retry looks for those of its earlier try, seconds or minutes ago."""
_MAX_MESSAGE_LENGTH = 500
_MAX_ENTITIES = 200


def _ignore_loss(_error: AishaError, _count: int) -> None:
    return None


class Audit(Struct, frozen=True):
    """The log of calls. `on_loss` is called with the error and the number of entries that could not be recorded."""

    log: AuditLog
    on_loss: Callable[[AishaError, int], None] = _ignore_loss


class AuditTrail:
    """The entries of one turn, or of one call outside of a turn. With `is_batched`, reads are written by `flush`."""

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

    def for_operation(
        self, operation_id: str, confirmation_id: str | None = None, *, is_repeated: bool = False
    ) -> "CallAudit":
        """Return the audit for a call's context.

        `confirmation_id` names the confirmation that allows the call. `is_repeated`: an earlier try of the request may
        have made it already.
        """
        return CallAudit(self, operation_id, confirmation_id, is_repeated=is_repeated)

    def record_question(self, question: PendingConfirmation, sensitive: frozenset[str]) -> None:
        """Record a call that waits for the user's confirmation."""
        self.add(self._question_entry(question, sensitive, "pending", "waits for the user's confirmation"))

    def record_rejection(self, question: PendingConfirmation, sensitive: frozenset[str]) -> None:
        """Record that a call that waited does not run."""
        reason = "was not run: declined, expired, or not what was asked about"
        self.add(self._question_entry(question, sensitive, "rejected", reason))

    def record_compensation(
        self, tool: str, receipts: Sequence[Mapping[str, Any]], operation_id: str, sensitive: frozenset[str]
    ) -> None:
        """Record that a call's writes were undone because a later call of the same plan failed."""
        fitted = fit_receipts([without_sensitive(dict(receipt), sensitive) for receipt in receipts])
        self.add(
            self.entry(
                "take_back",
                "executed",
                line=f"took back what {tool} did",
                receipts=fitted,
                entities=tuple(dict.fromkeys(str(receipt["entity"]["id"]) for receipt in fitted)),
                operation_id=operation_id,
            )
        )

    def entry(self, tool: str, status: AuditStatus, **more: Any) -> AuditEntry:
        """Return a new entry of this trail at the current time."""
        return AuditEntry(
            id=f"audit_{new_ulid()}",
            tenant=self.principal.tenant,
            user=self.principal.user,
            door=self.principal.door,
            tool=tool,
            status=status,
            at=self.clock.now(),
            conversation_id=self.conversation_id,
            **more,
        )

    def add(self, entry: AuditEntry) -> None:
        """Record an entry of a call that runs even without it."""
        with self._lock:
            self._waiting.append(entry)
        if not self._is_batched:
            self.flush()

    def write(self, entry: AuditEntry) -> None:
        """Record an entry at once, after the waiting ones. Raises `UnavailableError`; then the others still wait."""
        with self._lock:
            # The log is written within the lock, so that the entries keep the order in which they were added.
            entries, self._waiting = [*self._waiting, entry], []
            try:
                self._append(entries)
            except AishaError:
                self._waiting = entries[:-1]
                raise

    def earlier(self, tool: str, operation_id: str) -> AuditEntry | None:
        """Return the last entry of an operation's call, None if there is none. Raises `UnavailableError`."""
        entries = self._audit.log.page(self.principal.tenant, REREAD_ENTRIES)
        return next((entry for entry in entries if (entry.tool, entry.operation_id) == (tool, operation_id)), None)

    def flush(self) -> None:
        """Record the waiting entries. Those that can't be recorded are reported and dropped."""
        with self._lock:
            entries, self._waiting = self._waiting, []
        try:
            # These calls have run, or were refused: nothing is undone because their entry is lost.
            self._append(entries)
        except AishaError as error:
            self._audit.on_loss(error, len(entries))

    def report_loss(self, error: AishaError) -> None:
        """Report an entry that could not be recorded."""
        self._audit.on_loss(error, 1)

    def _append(self, entries: Sequence[AuditEntry]) -> None:
        # One after another: the chain of hashes needs the order.
        for start in range(0, len(entries), MAX_BATCH):
            self._audit.log.append(self.principal.tenant, entries[start : start + MAX_BATCH])

    def _question_entry(
        self, question: PendingConfirmation, sensitive: frozenset[str], status: AuditStatus, text: str
    ) -> AuditEntry:
        return self.entry(
            question.tool,
            status,
            arguments=fit_arguments(without_sensitive(dict(question.arguments), sensitive)),
            line=text,
            entities=tuple(islice(_ids_in(question.arguments), _MAX_ENTITIES)),
            confirmation_id=question.id,
            reason=without_numbers(question.reason)[:_MAX_MESSAGE_LENGTH],
        )


class CallAudit:
    """The audit of the calls of one operation."""

    def __init__(self, trail: AuditTrail, operation_id: str, confirmation_id: str | None, *, is_repeated: bool) -> None:
        self._trail, self._operation_id, self._confirmation_id = trail, operation_id, confirmation_id
        self._is_repeated = is_repeated

    def follow(self, call: ToolCall) -> None:
        """Record the call when it runs or is rejected."""
        call.watch(_Recorder(self._trail, self._operation_id, self._confirmation_id, is_repeated=self._is_repeated))


class _Recorder:
    """A `CallWatcher` that records one call."""

    def __init__(self, trail: AuditTrail, operation_id: str, confirmation_id: str | None, *, is_repeated: bool) -> None:
        self._trail, self._operation_id, self._is_repeated = trail, operation_id, is_repeated
        self._ids = {"operation_id": operation_id, "confirmation_id": confirmation_id}
        self._earlier: AuditEntry | None = None
        self._intent: str | None = None
        self._is_running = False

    def starting(self, call: ToolCall) -> None:
        """Record a write before it runs. Raises `UnavailableError` if that fails, so that it does not run."""
        if call.spec is None or call.spec.access == "read":
            return
        try:
            self._intend(call)
        except AishaError as error:
            raise UnavailableError(
                "Nothing was changed: the audit log does not answer, and what isn't recorded isn't done.",
                suggestion="Please try again in a moment.",
            ) from error
        self._is_running = True

    def _intend(self, call: ToolCall) -> None:
        self._earlier = self._trail.earlier(call.name, self._operation_id) if self._is_repeated else None
        if self._earlier is not None and self._earlier.status in ("intended", "executed"):
            # The earlier try's intent stands: it names the same operation, which writes once.
            self._intent = self._earlier.intent or self._earlier.id
            return
        intent = self._entry(call, "intended", "is about to run")
        # Set before the write: the log may have stored the intent even if it did not answer.
        self._intent = intent.id
        self._trail.write(intent)

    def ended(self, call: ToolCall) -> None:
        """Record the outcome, that of a write at once."""
        status = _status_of(call)
        if status == "executed" and self._earlier is not None and self._earlier.status == status:
            return
        entry = self._entry(call, status, line(call))
        # A read, or a call that did not run: its entry may wait and may be lost.
        if not self._is_running:
            self._trail.add(entry)
            return
        try:
            self._trail.write(entry)
        except AishaError as error:
            # The write is done, so its result is returned all the same. The log still has the intent.
            self._trail.report_loss(error)
            call.result.logs.append("The outcome could not be recorded in the audit log.")

    def _entry(self, call: ToolCall, status: AuditStatus, text: str) -> AuditEntry:
        receipts = [without_sensitive(dict(receipt), call.sensitive) for receipt in _receipts_of(call)]
        changed_ids = (str(receipt["entity"]["id"]) for receipt in receipts)
        return self._trail.entry(
            call.name[:_MAX_MESSAGE_LENGTH],
            status,
            arguments=fit_arguments(without_sensitive(call.arguments, call.sensitive)),
            line=text[:_MAX_MESSAGE_LENGTH],
            severity=_severity_of(call),
            receipts=fit_receipts(receipts),
            entities=tuple(islice(dict.fromkeys([*_ids_in(call.arguments), *changed_ids]), _MAX_ENTITIES)),
            error=_error_of(call),
            duration_ms=round(call.result.duration_ms, 1),
            call_id=call.id or None,
            intent=self._intent,
            reason=without_numbers(call.verdict)[:_MAX_MESSAGE_LENGTH],
            **self._ids,
        )


def _status_of(call: ToolCall) -> AuditStatus:
    statuses: dict[str, AuditStatus] = {"executed": "executed", "rejected": "rejected", "not_found": "not_found"}
    return statuses.get(str(call.result.status), "failed")


def _severity_of(call: ToolCall) -> Severity:
    if isinstance(call.result.exception, PermissionDeniedError):
        return "warning"
    return "high" if call.spec is not None and call.spec.access in ("delete", "external") else "normal"


def _receipts_of(call: ToolCall) -> list[Mapping[str, Any]]:
    is_write = call.spec is not None and call.spec.access != "read"
    return list(receipts_in(call.result.value)) if is_write and call.result.ok else []


def _error_of(call: ToolCall) -> dict[str, Any] | None:
    error = call.result.error
    if not error:
        return None
    return {"code": error["code"], "message": without_numbers(str(error["message"]))[:_MAX_MESSAGE_LENGTH]}


def _ids_in(value: Any) -> Iterator[str]:
    """Yield the texts at any depth that are ids of records."""
    return (text for text in texts_in(value) if ID.fullmatch(text))
