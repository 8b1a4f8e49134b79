"""Memories of writes, those of a turn or of a call through another door: what to keep and what to forget."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.memory.chunks import (
    Case,
    activity_chunk,
    ending_of,
    kept_of_id,
    note_chunk,
    outcome_chunk,
    outcome_id,
    sensitive_texts,
    told_changes,
    turn_chunk,
)
from aisha.application.memory.ingest import QUEUE, Forgotten, messages
from aisha.application.tooling.context import ToolContext, ToolPorts
from aisha.application.tooling.receipts import UNDO_TOOL
from aisha.domain.errors import AishaError
from aisha.domain.memory import NOTE_ACTION, MemoryChunk
from aisha.domain.principal import Principal
from aisha.domain.queries import Condition, RecordQuery
from aisha.domain.records import RECORD_TYPES, SUBJECT_TYPES, Activity, ActivityStatus, Note, Record
from aisha.domain.tool_results import receipts_in
from aisha.domain.tools import ToolCall

TOUCHES_READ = 20
MOST_DEEDS = 50
"""Receipts of a turn that are looked at."""
HIDDEN = "(left out)"
_SHORTEST_SECRET = 3
_NAME = re.compile(r"(?:conf|suggestion)_[^.]+\.[^.]+|[^.]+")
"""The beginning of an operation's id: the id of what was confirmed or accepted, or of the turn's message."""
_TOLD_TYPES = frozenset(SUBJECT_TYPES) | {Note.TYPE, Activity.TYPE}


class ExecutedCalls(Struct, frozen=True):
    """Calls that were made, by whom and when.

    `name` is how the ids of their operations begin, None if the calls as a whole are remembered otherwise. `question`
    is what the user said, empty where there were no words.
    """

    calls: Sequence[ToolCall]
    principal: Principal
    ports: ToolPorts
    now: datetime
    name: str | None
    question: str = ""


class TurnMemory(Struct):
    """What to keep and what to forget."""

    chunks: list[MemoryChunk] = field(default_factory=list)
    forget: list[Forgotten] = field(default_factory=list)


class _Deed(Struct, frozen=True):
    """One receipt of a call, the record as it now stands, and the one that it is about (itself, but for notes)."""

    tool: str
    receipt: Mapping[str, Any]
    record: Record
    subject: Record

    @property
    def before(self) -> Mapping[str, Any]:
        """Fields of the subject as they were, where this changed them."""
        return (self.receipt.get("before") or {}) if self.record is self.subject else {}

    @property
    def is_private(self) -> bool:
        return isinstance(self.record, Note) and self.record.is_private

    @property
    def action(self) -> str:
        """A kind of activity, or the tool."""
        if isinstance(self.record, Activity):
            return self.record.activity_type.value
        return NOTE_ACTION if isinstance(self.record, Note) else self.tool

    def told(self, sensitive: frozenset[str]) -> str:
        """What was done, in a few words and without what anybody wrote."""
        is_new = self.receipt["action"] == "created"
        if isinstance(self.record, Note):
            return "wrote a note" if is_new else "changed a note"
        if isinstance(self.record, Activity):
            is_done = self.record.status is ActivityStatus.COMPLETED
            return f"{'completed' if is_done else 'planned' if is_new else 'changed'} a {self.record.activity_type}"
        if is_new:
            return f"created the {self.record.TYPE}"
        return f"changed {told_changes(self.receipt, sensitive) or f'the {self.record.TYPE}'}"


def remember_writes(done: ExecutedCalls) -> None:
    """Send to memory's queue, if there is one, what the writes leave to keep and to forget. A repetition adds nothing.

    Raises `UnavailableError` when the queue or the records do not answer.
    """
    if not any(call.has_written for call in done.calls) or (queue := done.ports.queue()) is None:
        return
    memory = memory_of(done)
    for message in messages(done.principal.tenant, memory.chunks, memory.forget):
        queue.send(QUEUE, message)


def remember_call(call: ToolCall, context: ToolContext, *, is_case: bool = True) -> None:
    """Remember a call that ran outside of a turn. A queue that does not answer takes nothing back: it is logged.

    Unless `is_case`, the call as a whole is remembered otherwise: only the notes, activities and endings are kept.
    """
    name = context.operation_id if is_case else None
    try:
        remember_writes(ExecutedCalls((call,), context.principal, context.ports, context.now, name))
    except AishaError as error:
        context.log(f"Memory was not told: {error.message}")


def memory_of(done: ExecutedCalls) -> TurnMemory:
    """One chunk for all of it, one for each note, completed activity and ending that was written (A-121).

    Reads the records that were written, and for an ending what was done before. Nothing where nothing was changed.
    """
    writes = [call for call in done.calls if call.has_written]
    memory = TurnMemory(forget=[one for call in writes for one in (*_outdated(call), *_undone(call))])
    deeds = _deeds(done, [call for call in writes if call.name != UNDO_TOOL])
    is_undone = done.name is None or any(one.id == kept_of_id(done.name) for one in memory.forget)
    whole = [] if is_undone else _whole(done, deeds)
    chunks = [*whole, *(chunk for deed in deeds for chunk in _chunks(done, deed))]
    names = done.ports.sensitive
    secrets = {text for call in writes for text in sensitive_texts([call.arguments, call.result.value], names)}
    memory.chunks = [_without(chunk, secrets) for chunk in chunks]
    return memory


def _outdated(call: ToolCall) -> Iterator[Forgotten]:
    """Yield the memories of records that are deleted, of activities open again, of endings that are none any more."""
    for receipt in receipts_in(call.result.value):
        kind, record_id = str(receipt["entity"]["type"]), str(receipt["entity"]["id"])
        before = receipt.get("before") or {}
        if receipt["action"] == "deleted" and kind in SUBJECT_TYPES:
            yield Forgotten(what="record", id=record_id, entity_type=kind)
        elif receipt["action"] == "deleted" and kind in _TOLD_TYPES:
            yield Forgotten(what="chunk", id=kept_of_id(record_id))
        elif ended := outcome_id(kind, record_id, before):
            yield Forgotten(what="chunk", id=ended)
        elif kind == Activity.TYPE and _is_open_again(receipt):
            yield Forgotten(what="chunk", id=kept_of_id(record_id))


def _is_open_again(receipt: Mapping[str, Any]) -> bool:
    status = (receipt.get("after") or {}).get("status")
    return status is not None and status != ActivityStatus.COMPLETED


def _undone(call: ToolCall) -> Iterator[Forgotten]:
    """The turn whose write this took back is nothing to learn from."""
    operation = call.result.value.get("operation") if call.name == UNDO_TOOL else None
    if operation is not None and (name := _NAME.match(operation)):
        yield Forgotten(what="chunk", id=kept_of_id(name[0]))


def _deeds(done: ExecutedCalls, calls: Iterable[ToolCall]) -> list[_Deed]:
    receipts = [
        (call.name, receipt)
        for call in calls
        for receipt in receipts_in(call.result.value)
        if receipt["entity"]["type"] in _TOLD_TYPES and receipt["action"] != "deleted"
    ][:MOST_DEEDS]
    written = _stored(done, ((receipt["entity"]["type"], receipt["entity"]["id"]) for _, receipt in receipts))
    related = [one.related for one in written.values() if isinstance(one, Note | Activity)]
    about = _stored(done, ((one.type, one.id) for one in related))
    deeds = []
    for tool, receipt in receipts:
        record = written.get(receipt["entity"]["id"])
        subject = about.get(record.related.id) if isinstance(record, Note | Activity) else record
        if record is not None and subject is not None:
            deeds.append(_Deed(tool, receipt, record, subject))
    return deeds


def _stored(done: ExecutedCalls, pairs: Iterable[tuple[str, str]]) -> dict[str, Record]:
    wanted = [pair for pair in dict.fromkeys(pairs) if pair[0] in RECORD_TYPES]
    return done.ports.records.get_many(done.principal.tenant, wanted) if wanted else {}


def _whole(done: ExecutedCalls, deeds: Sequence[_Deed]) -> Iterator[MemoryChunk]:
    """All of it as one case, about what was changed rather than about what was made."""
    open_deeds = [deed for deed in deeds if not deed.is_private]
    if not open_deeds:
        return
    existed = (deed for deed in open_deeds if deed.record is not deed.subject or deed.receipt["action"] == "updated")
    main = next(existed, open_deeds[0])
    same = [deed for deed in open_deeds if deed.subject.id == main.subject.id]
    before = {name: value for deed in same for name, value in deed.before.items()}
    question = done.question if len(open_deeds) == len(deeds) else HIDDEN
    told = list(dict.fromkeys(deed.told(done.ports.sensitive) for deed in open_deeds))
    action = next((deed.action for deed in same if isinstance(deed.record, Activity)), main.action)
    case = _case(done, main.subject)
    yield turn_chunk(case, done.name or "", question, told, action, before)


def _chunks(done: ExecutedCalls, deed: _Deed) -> Iterator[MemoryChunk]:
    case, made = _case(done, deed.subject), None
    if isinstance(deed.record, Note):
        made = note_chunk(case, deed.record)
    elif isinstance(deed.record, Activity):
        made = activity_chunk(case, deed.record)
    elif ending_of(deed.record) and deed.before.keys() & {"stage", "status"}:
        made = outcome_chunk(case, _touches(done, deed.record), deed.before, deed.tool)
    if made is not None:
        yield made


def _touches(done: ExecutedCalls, record: Record) -> list[Activity]:
    where = (Condition("related.id", "eq", record.id), Condition("status", "eq", ActivityStatus.COMPLETED))
    query = RecordQuery("activity", where=where, order="newest", limit=TOUCHES_READ)
    return cast(list[Activity], done.ports.records.search(done.principal.tenant, query).items)


def _case(done: ExecutedCalls, subject: Record) -> Case:
    return Case(done.principal.tenant, done.principal.user, done.now, subject, done.ports.sensitive)


def _without(chunk: MemoryChunk, secrets: Iterable[str]) -> MemoryChunk:
    text = chunk.text
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, HIDDEN)
    return replace(chunk, text=text)
