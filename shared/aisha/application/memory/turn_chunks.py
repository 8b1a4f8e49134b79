"""Memory of executed writes: the chunks to store and to delete after a turn or a call through another door."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.memory.chunks import (
    ADVICE_TOOL,
    Case,
    activity_chunk,
    advice_chunk,
    chunk_id_of,
    format_changes,
    note_chunk,
    outcome_chunk,
    outcome_of,
    previous_outcome_id,
    sensitive_texts,
    turn_chunk,
)
from aisha.application.memory.ingest import QUEUE, Deletion, messages
from aisha.application.tooling.context import ToolContext, ToolPorts
from aisha.application.tooling.gate.receipts import UNDO_TOOL
from aisha.domain.conversations.tool_results import receipts_in
from aisha.domain.crm.enumerations import ActivityStatus
from aisha.domain.crm.queries import Condition, RecordQuery
from aisha.domain.crm.records import RECORD_TYPES, SUBJECT_TYPES, Activity, Note, Record
from aisha.domain.errors import AishaError
from aisha.domain.memory import NOTE_ACTION, MemoryChunk
from aisha.domain.ports import RecordRepository
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall

MAX_TOUCHES = 20
MAX_CHANGES = 50
"""Receipts of a turn that are read."""
HIDDEN = "(left out)"
_MIN_SECRET_LENGTH = 3
_CASE_ID = re.compile(r"(?:conf|suggestion)_[^.]+\.[^.]+|[^.]+")
"""The beginning of an operation's id: the id of the confirmation or suggestion, or of the turn's message.

The former two contain a dot themselves, e.g. `suggestion_<record>.<rule>`.
"""
_REMEMBERED_TYPES = frozenset(SUBJECT_TYPES) | {Note.TYPE, Activity.TYPE}


class ExecutedCalls(Struct, frozen=True):
    """Calls that ran for `principal` at `now`.

    `case_id` is the common beginning of their operations' ids, None if another chunk covers the calls as a whole.
    `question` is the user's message, empty for calls without one; `advised` are the ids of the records on which the
    assistant had advised just before.
    """

    calls: Sequence[ToolCall]
    principal: Principal
    ports: ToolPorts
    now: datetime
    case_id: str | None
    question: str = ""
    advised: frozenset[str] = frozenset()


class MemoryUpdate(Struct):
    """The chunks to store and to delete."""

    chunks: list[MemoryChunk] = field(default_factory=list)
    deletions: list[Deletion] = field(default_factory=list)


class _Change(Struct, frozen=True):
    """A receipt, the record after the call, and its subject: the related record of a note or activity, else itself."""

    tool: str
    receipt: Mapping[str, Any]
    record: Record
    subject: Record

    @property
    def before(self) -> Mapping[str, Any]:
        """The previous values of the subject's changed fields."""
        return (self.receipt.get("before") or {}) if self.record is self.subject else {}

    @property
    def is_private(self) -> bool:
        return isinstance(self.record, Note) and self.record.is_private

    @property
    def action(self) -> str:
        """The kind of activity, or the tool."""
        if isinstance(self.record, Activity):
            return self.record.activity_type.value
        return NOTE_ACTION if isinstance(self.record, Note) else self.tool

    def describe(self, sensitive: frozenset[str]) -> str:
        """Describe the change in a few words, without any free text."""
        is_new = self.receipt["action"] == "created"
        if isinstance(self.record, Note):
            return "wrote a note" if is_new else "changed a note"
        if isinstance(self.record, Activity):
            is_done = self.record.status is ActivityStatus.COMPLETED
            return f"{'completed' if is_done else 'planned' if is_new else 'changed'} a {self.record.activity_type}"
        if is_new:
            return f"created the {self.record.TYPE}"
        return f"changed {format_changes(self.receipt, sensitive) or f'the {self.record.TYPE}'}"


def remember_writes(executed: ExecutedCalls) -> None:
    """Send the chunks of the writes and of advice to memory's queue, if there is one. A repetition adds nothing.

    Raises `UnavailableError` when the queue or the records do not answer.
    """
    if not any(is_remembered(call) for call in executed.calls) or (queue := executed.ports.queue()) is None:
        return
    update = memory_update(executed)
    for message in messages(executed.principal.tenant, update.chunks, update.deletions):
        queue.send(QUEUE, message)


def is_remembered(call: ToolCall) -> bool:
    """Return whether memory keeps the call: it has written, or advised on a record."""
    return call.has_written or _advised_on(call) is not None


def _advised_on(call: ToolCall) -> tuple[str, str] | None:
    """Return type and id of the record that the call advised on."""
    entity = call.result.value.get("entity") if call.name == ADVICE_TOOL and call.result.ok else None
    return (str(entity["type"]), str(entity["id"])) if entity else None


def remember_call(call: ToolCall, context: ToolContext, *, is_case: bool = True) -> None:
    """Remember a call that ran outside of a turn. A queue that does not answer is only logged: the call stays executed.

    Unless `is_case`, another chunk covers the call as a whole: only notes, activities and outcomes are stored.
    """
    case_id = context.operation_id if is_case else None
    try:
        remember_writes(ExecutedCalls((call,), context.principal, context.ports, context.now, case_id))
    except AishaError as error:
        context.log(f"The call was not remembered: {error.message}")


def memory_update(executed: ExecutedCalls) -> MemoryUpdate:
    """Return one chunk for all writes, and one for each written note, completed activity, outcome and advice (A-121).

    Reads the records concerned, and for an outcome the earlier activities. The update is empty without any of these.
    """
    writes = [call for call in executed.calls if call.has_written]
    deletions = [deletion for call in writes for deletion in (*_outdated(call), *_undone(call))]
    changes = _changes(executed, [call for call in writes if call.name != UNDO_TOOL])
    case_id = executed.case_id
    # A write that was undone within its own turn is left out: the queue's worker deletes first and would then store the
    # chunk anew.
    is_case = case_id is not None and all(deletion.id != chunk_id_of(case_id) for deletion in deletions)
    cases = [_case_chunk(executed, changes)] if is_case else []
    chunks = [*cases, *(_change_chunk(executed, change) for change in changes), *_advice_chunks(executed)]
    names = executed.ports.sensitive
    secrets = {text for call in writes for text in sensitive_texts([call.arguments, call.result.value], names)}
    return MemoryUpdate([_without(chunk, secrets) for chunk in chunks if chunk is not None], deletions)


def _outdated(call: ToolCall) -> Iterator[Deletion]:
    """Yield the chunks of deleted records, of reopened activities and of revoked outcomes."""
    for receipt in receipts_in(call.result.value):
        kind, record_id = str(receipt["entity"]["type"]), str(receipt["entity"]["id"])
        before = receipt.get("before") or {}
        if receipt["action"] == "deleted" and kind in SUBJECT_TYPES:
            yield Deletion(what="record", id=record_id, entity_type=kind)
        elif receipt["action"] == "deleted" and kind in _REMEMBERED_TYPES:
            yield Deletion(what="chunk", id=chunk_id_of(record_id))
        elif outcome_chunk_id := previous_outcome_id(kind, record_id, before):
            yield Deletion(what="chunk", id=outcome_chunk_id)
        elif kind == Activity.TYPE and _is_reopened(receipt):
            yield Deletion(what="chunk", id=chunk_id_of(record_id))


def _is_reopened(receipt: Mapping[str, Any]) -> bool:
    status = (receipt.get("after") or {}).get("status")
    return status is not None and status != ActivityStatus.COMPLETED


def _undone(call: ToolCall) -> Iterator[Deletion]:
    """Yield the chunk of the turn whose write the call undid."""
    operation = call.result.value.get("operation") if call.name == UNDO_TOOL else None
    if operation is not None and (case_id := _CASE_ID.match(operation)):
        yield Deletion(what="chunk", id=chunk_id_of(case_id[0]))


def _changes(executed: ExecutedCalls, calls: Iterable[ToolCall]) -> list[_Change]:
    receipts = [
        (call.name, receipt)
        for call in calls
        for receipt in receipts_in(call.result.value)
        if receipt["entity"]["type"] in _REMEMBERED_TYPES and receipt["action"] != "deleted"
    ][:MAX_CHANGES]
    records = _read(executed, ((receipt["entity"]["type"], receipt["entity"]["id"]) for _, receipt in receipts))
    related = [record.related for record in records.values() if isinstance(record, Note | Activity)]
    subjects = _read(executed, ((subject.type, subject.id) for subject in related))
    changes = []
    for tool, receipt in receipts:
        # A record or its subject may have been deleted since, by a later call of the same turn or by another user.
        record = records.get(receipt["entity"]["id"])
        subject = subjects.get(record.related.id) if isinstance(record, Note | Activity) else record
        if record is not None and subject is not None:
            changes.append(_Change(tool, receipt, record, subject))
    return changes


def _read(executed: ExecutedCalls, pairs: Iterable[tuple[str, str]]) -> dict[str, Record]:
    known_pairs = [pair for pair in dict.fromkeys(pairs) if pair[0] in RECORD_TYPES]
    return executed.ports.records.get_many(executed.principal.tenant, known_pairs) if known_pairs else {}


def _case_chunk(executed: ExecutedCalls, changes: Sequence[_Change]) -> MemoryChunk | None:
    """Return all changes as one case, about an existing record rather than a new one."""
    public = [change for change in changes if not change.is_private]
    if not public:
        return None
    existing = (
        change for change in public if change.record is not change.subject or change.receipt["action"] == "updated"
    )
    main = next(existing, public[0])
    of_subject = [change for change in public if change.subject.id == main.subject.id]
    before = {name: value for change in of_subject for name, value in change.before.items()}
    # The message may quote the private note that it asked for.
    question = executed.question if len(public) == len(changes) else HIDDEN
    actions = list(dict.fromkeys(change.describe(executed.ports.sensitive) for change in public))
    action = next((change.action for change in of_subject if isinstance(change.record, Activity)), main.action)
    return turn_chunk(
        _case(executed, main.subject),
        executed.case_id or "",
        question,
        actions,
        action,
        before,
        is_advised=main.subject.id in executed.advised,
    )


def _advice_chunks(executed: ExecutedCalls) -> Iterator[MemoryChunk]:
    """Yield the chunk of each call that advised on a record. Without the reasons, which may quote a private note."""
    advice = {about: call for call in executed.calls if (about := _advised_on(call)) is not None}
    records = _read(executed, advice)
    for (_, record_id), call in advice.items():
        if (record := records.get(record_id)) is not None:
            actions = [str(step["action"]) for step in call.result.value["suggestions"]]
            yield advice_chunk(_case(executed, record), executed.question, actions)


def _change_chunk(executed: ExecutedCalls, change: _Change) -> MemoryChunk | None:
    case = _case(executed, change.subject)
    if isinstance(change.record, Note):
        return note_chunk(case, change.record)
    if isinstance(change.record, Activity):
        return activity_chunk(case, change.record)
    # Only the change that closed it has an outcome; a later edit of a closed deal has none.
    if outcome_of(change.record) and change.before.keys() & {"stage", "status"}:
        activities = touches(executed.ports.records, executed.principal.tenant, change.record)
        return outcome_chunk(case, activities, change.before, change.tool)
    return None


def touches(records: RecordRepository, tenant: str, record: Record) -> list[Activity]:
    """Return the newest completed activities about a record."""
    conditions = (Condition("related.id", "eq", record.id), Condition("status", "eq", ActivityStatus.COMPLETED))
    query = RecordQuery(Activity.TYPE, where=conditions, order="newest", limit=MAX_TOUCHES)
    return cast(list[Activity], records.search(tenant, query).items)


def _case(executed: ExecutedCalls, subject: Record) -> Case:
    return Case(executed.principal.tenant, executed.principal.user, executed.now, subject, executed.ports.sensitive)


def _without(chunk: MemoryChunk, secrets: Iterable[str]) -> MemoryChunk:
    text = chunk.text
    # The longest first, as one secret may contain another. Very short ones would blank out ordinary words.
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _MIN_SECRET_LENGTH:
            text = text.replace(secret, HIDDEN)
    return replace(chunk, text=text)
